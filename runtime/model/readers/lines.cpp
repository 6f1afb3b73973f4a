#include "runtime/model/readers/lines.h"

#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <system_error>

#include "runtime/kernel/work.h"

namespace perigee::readers {
namespace {

constexpr std::size_t kPiece = std::size_t{256} << 10;  // bytes
constexpr std::size_t kBytesPerStep = 8;                // of a line that is read, see did_work()
constexpr std::size_t kLongestShown = 40;               // bytes of a wrong value in a message
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

std::string shown(std::string_view value) {
  std::string out;
  for (const char c : value.substr(0, kLongestShown)) out += c >= ' ' && c <= '~' ? c : '?';
  return value.size() > kLongestShown ? out + "..." : out;
}

double number_of(std::string_view text) {
  constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop != end || text.empty()) return kNoNumber;
  if (error == std::errc()) return std::isfinite(value) ? value : kNoNumber;
  // Too small to tell from 0 is 0; too large is no number.
  const std::size_t exponent = text.find_first_of("eE");
  return exponent != std::string_view::npos && text.substr(exponent + 1).starts_with('-') ? 0 : kNoNumber;
}

// ---- files ----

class Lines::File {
 public:
  explicit File(const std::filesystem::path& path) : name_(path.string()) {
    const SourceLocation where{name_, 0};
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) fail_at(where, "bad_file", "there is no such file");
    if (std::filesystem::is_directory(status))
      fail_at(where, "bad_file", "a file is needed, this is a folder");
    if (!std::filesystem::is_regular_file(status)) fail_at(where, "bad_file", "not a regular file");
    stream_.open(path, std::ios::binary);
    if (!stream_) fail_at(where, "bad_file", "cannot be opened for reading");
    packed_.resize(kPiece);
    fill();
    const bool gzip = input_ >= 2 && packed_[0] == '\x1f' && packed_[1] == '\x8b';
    if (!gzip && input_ > 0 && lower_case(name_).ends_with(".gz"))
      fail_at(where, "bad_file", "it is named .gz but does not begin as a gzip file does");
    if (gzip) {
      if (inflateInit2(&inflate_, 16 + MAX_WBITS) != Z_OK)
        fail_at(where, "bad_file", "zlib cannot be started");
      inflating_ = true;
    }
  }
  ~File() {
    if (inflating_) inflateEnd(&inflate_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  bool compressed() const { return inflating_; }

  // The number of bytes put at `to`; 0 = end of the file.
  std::size_t read(char* to, std::size_t room) {
    if (!inflating_) {
      if (first_ == input_) fill();
      const std::size_t size = std::min(room, input_ - first_);
      std::memcpy(to, packed_.data() + first_, size);
      first_ += size;
      return size;
    }
    while (!ended_) {
      if (first_ == input_) fill();
      if (between_ && !next_member()) break;
      if (first_ == input_)
        fail_at({name_, 0}, "bad_file", "the gzip file is cut off ({} bytes of text could be read)",
                unpacked_);
      inflate_.next_in = reinterpret_cast<Bytef*>(packed_.data() + first_);
      inflate_.avail_in = static_cast<uInt>(input_ - first_);
      inflate_.next_out = reinterpret_cast<Bytef*>(to);
      inflate_.avail_out = static_cast<uInt>(room);
      const int result = inflate(&inflate_, Z_NO_FLUSH);
      first_ = input_ - inflate_.avail_in;
      const std::size_t size = room - inflate_.avail_out;
      unpacked_ += size;
      if (result == Z_STREAM_END)
        between_ = true;
      else if (result != Z_OK && result != Z_BUF_ERROR)
        fail_at({name_, 0}, "bad_file", "the gzip data are corrupt: {} ({} bytes of text could be read)",
                inflate_.msg != nullptr ? inflate_.msg : "zlib gives no reason", unpacked_);
      if (size > 0) return size;
    }
    return 0;
  }

 private:
  void fill() {
    first_ = input_ = 0;
    stream_.read(packed_.data(), static_cast<std::streamsize>(packed_.size()));
    if (stream_.bad()) fail_at({name_, 0}, "bad_file", "cannot be read");
    input_ = static_cast<std::size_t>(stream_.gcount());
  }

  // Called after the end of a gzip member. A further member may follow, or padding to the end of the file.
  bool next_member() {
    if (first_ < input_ && packed_[first_] == '\x1f') {
      inflateReset(&inflate_);
      between_ = false;
      return true;
    }
    for (; first_ < input_; fill())
      for (; first_ < input_; ++first_)
        if (packed_[first_] != '\0')
          fail_at({name_, 0}, "bad_file", "the gzip data are corrupt: other bytes follow their end");
    ended_ = true;
    return false;
  }

  std::string name_;
  std::ifstream stream_;
  std::string packed_;                 // the piece as it is in the file
  std::size_t first_ = 0, input_ = 0;  // of `packed_`, what is not used yet
  z_stream inflate_ = {};
  std::uintmax_t unpacked_ = 0;
  bool inflating_ = false, between_ = false, ended_ = false;
};

Lines::Lines(std::string_view text, std::string_view name) : name_(name), rest_(text), bytes_(text.size()) {}
Lines::Lines(const std::filesystem::path& path, std::uintmax_t max_bytes)
    : name_(path.string()), file_(std::make_unique<File>(path)), max_bytes_(max_bytes) {}
Lines::Lines(Lines&&) noexcept = default;
Lines::~Lines() = default;

SourceLocation Lines::at(std::int64_t line) const {
  return {name_, static_cast<int>(std::min<std::int64_t>(line, std::numeric_limits<int>::max()))};
}

// Reads more of the file behind the unread rest; false at the end of the file.
bool Lines::refill() {
  if (!file_) return false;
  const std::size_t left = rest_.size();
  if (left > kLongestLine)
    fail_at(at(number_ + 1), "bad_file", "a line of more than {} bytes: this is no text file", kLongestLine);
  if (left > 0 && rest_.data() != buffer_.data()) std::memmove(buffer_.data(), rest_.data(), left);
  if (buffer_.size() < left + kPiece) buffer_.resize(left + kPiece);
  const std::size_t size = file_->read(buffer_.data() + left, kPiece);
  rest_ = {buffer_.data(), left + size};
  bytes_ += size;
  did_work(size / kBytesPerStep);
  if (bytes_ > max_bytes_)
    fail_at({name_, 0}, "bad_file", "more than {} bytes of text are not read", max_bytes_);
  return size > 0;
}

void Lines::check_rest() {
  if (!file_ || !file_->compressed()) return;
  do {
    rest_ = {};
  } while (refill());
}

bool Lines::next(std::string_view& line) {
  if (!begun_) {
    begun_ = true;
    while (rest_.size() < kByteOrderMark.size() && refill()) continue;
    if (rest_.starts_with(kByteOrderMark)) rest_.remove_prefix(kByteOrderMark.size());
  }
  std::size_t searched = 0, end = std::string_view::npos;
  while ((end = rest_.find('\n', searched)) == std::string_view::npos) {
    searched = rest_.size();
    if (refill()) continue;
    if (rest_.empty()) return false;
    end = rest_.size();
    break;
  }
  line = rest_.substr(0, end);
  rest_.remove_prefix(std::min(rest_.size(), end + 1));
  if (line.ends_with('\r')) line.remove_suffix(1);
  ++number_;
  return true;
}

std::string Lines::whole(const std::filesystem::path& path, std::uintmax_t max_bytes) {
  File file(path);
  std::string text;
  for (std::size_t size = 0;; text.resize(size)) {
    size = text.size();
    text.resize(size + kPiece);
    const std::size_t added = file.read(text.data() + size, kPiece);
    size += added;
    did_work(added / kBytesPerStep);
    if (size > max_bytes)
      fail_at({path.string(), 0}, "bad_file", "more than {} bytes of text are not read", max_bytes);
    if (added == 0) break;
  }
  text.resize(text.size() - kPiece);
  if (trimmed(text).empty()) fail_at({path.string(), 0}, "bad_file", "the file is empty");
  return text;
}

}  // namespace perigee::readers
