// Shared parts of the readers of text files: files read in pieces, plain or gzip-compressed, line by line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "runtime/kernel/error.h"
#include "runtime/kernel/text.h"

namespace perigee::readers {

inline constexpr std::uintmax_t kLargestText = std::uintmax_t{4} << 30;  // bytes, uncompressed
inline constexpr std::size_t kLongestLine = std::size_t{1} << 20;        // bytes
inline constexpr double kLargestCount = 2147483647;                      // of what is counted in 32 bits

// A wrong value as messages show it: printable and short.
std::string shown(std::string_view value);
// The number that is the whole text, with an optional leading '+'. NaN if there is none or if it is not
// finite.
double number_of(std::string_view text);

// The lines of a text in memory or of a file. No more than a piece of a file is in memory. A line ends with
// "\n" or "\r\n"; the last one need not. A byte order mark is left out.
class Lines {
 public:
  // `text` must outlive the reader. `name` is the name of its file.
  Lines(std::string_view text, std::string_view name);
  // Error "bad_file", here or from next(): missing, a folder, not a regular file, unreadable, truncated or
  // corrupt gzip, more than `max_bytes` of text. A file is compressed if its name ends in .gz or if it begins
  // as gzip does.
  explicit Lines(const std::filesystem::path& path, std::uintmax_t max_bytes = kLargestText);
  Lines(Lines&&) noexcept;
  ~Lines();

  // The whole text of a file, with lines of any length. Errors as above; also an error if there is nothing
  // but blanks.
  static std::string whole(const std::filesystem::path& path, std::uintmax_t max_bytes);

  // The next line, valid until the next call; false at the end.
  bool next(std::string_view& line);

  // Reads a compressed file to its end; errors as above. A corrupt file may be the cause of odd text, so its
  // error comes first.
  void check_rest();

  const std::string& name() const { return name_; }
  std::int64_t number() const { return number_; }  // of the last line, 1-based
  std::uintmax_t bytes() const { return bytes_; }  // of text so far
  SourceLocation here() const { return at(number_); }
  SourceLocation at(std::int64_t line) const;

 private:
  class File;
  bool refill();

  std::string name_;
  std::unique_ptr<File> file_;  // none = text in memory
  std::string buffer_;
  std::string_view rest_;
  std::int64_t number_ = 0;
  std::uintmax_t bytes_ = 0, max_bytes_ = kLargestText;
  bool begun_ = false;
};

}  // namespace perigee::readers
