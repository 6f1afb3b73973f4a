#include "interpreter/experiments/workers/messages.h"

#include <bit>
#include <nlohmann/json.hpp>

#include "runtime/model/readers/whole_number.h"

namespace perigee::experiments {

namespace {

using nlohmann::json;
using readers::whole_number;

template <class T>
void put_number(std::string& bytes, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i) bytes.push_back(static_cast<char>(value >> (8 * i)));
}
template <class T>
T number_in(std::string_view bytes) {
  T value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i)
    value |= static_cast<T>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  return value;
}

// Texts of scripts and files may hold any bytes, JSON may not.
std::string in_hex(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const char c : text) {
    hex.push_back(kDigits[static_cast<unsigned char>(c) >> 4]);
    hex.push_back(kDigits[static_cast<unsigned char>(c) & 15]);
  }
  return hex;
}
std::string of_hex(const json& from) {
  const auto& hex = from.get_ref<const std::string&>();
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    fail("bad_message", "a text of a message is not hexadecimal");
  };
  std::string text;
  if (hex.size() % 2 != 0) fail("bad_message", "a text of a message is not hexadecimal");
  for (std::size_t i = 0; i < hex.size(); i += 2)
    text.push_back(static_cast<char>(digit(hex[i]) << 4 | digit(hex[i + 1])));
  return text;
}

std::string frame_of(Says kind, const json& body) {
  return std::move(Writer(kind).text(body.dump(-1, ' ', false, json::error_handler_t::replace))).frame();
}

// Calls read(json) for the text in the body.
template <class F>
auto read_json(std::string_view body, F&& read) {
  try {
    return read(json::parse(Parser(body).text()));
  } catch (const json::exception& error) {
    fail("bad_message", "a message cannot be read: {}", error.what());
  }
}

}  // namespace

Writer::Writer(Says kind) : bytes_(kHeader, '\0') { bytes_.back() = static_cast<char>(kind); }
Writer& Writer::byte(std::uint8_t value) {
  bytes_.push_back(static_cast<char>(value));
  return *this;
}
Writer& Writer::number(std::uint32_t value) {
  put_number(bytes_, value);
  return *this;
}
Writer& Writer::number(std::uint64_t value) {
  put_number(bytes_, value);
  return *this;
}
Writer& Writer::real(double value) {
  put_number(bytes_, std::bit_cast<std::uint64_t>(value));
  return *this;
}
Writer& Writer::text(std::string_view value) {
  if (value.size() > kLargestMessage)
    fail("too_large", "a text of {} bytes is too large for a message, at most {}", value.size(),
         kLargestMessage);
  number(static_cast<std::uint32_t>(value.size()));
  bytes_ += value;
  return *this;
}
Writer& Writer::bytes(const Writer& other) {
  bytes_.append(other.bytes_, kHeader);
  return *this;
}
std::string Writer::frame() && {
  const std::size_t body = bytes_.size() - kHeader;
  if (body > kLargestMessage)
    fail("too_large", "a message of {} bytes is too large, at most {}", body, kLargestMessage);
  std::string length;
  put_number(length, static_cast<std::uint32_t>(body));
  bytes_.replace(0, length.size(), length);
  return std::move(bytes_);
}

std::string_view Parser::take(std::size_t bytes) {
  if (bytes > bytes_.size()) fail("bad_message", "a message ends too soon");
  const std::string_view taken = bytes_.substr(0, bytes);
  bytes_.remove_prefix(bytes);
  return taken;
}
std::uint8_t Parser::byte() { return static_cast<std::uint8_t>(take(1)[0]); }
std::uint32_t Parser::number32() { return number_in<std::uint32_t>(take(4)); }
std::uint64_t Parser::number64() { return number_in<std::uint64_t>(take(8)); }
double Parser::real() { return std::bit_cast<double>(number64()); }
std::string_view Parser::text() { return take(number32()); }
std::uint32_t Parser::count(std::size_t bytes_each) {
  const std::uint32_t count = number32();
  if (count > bytes_.size() / bytes_each) fail("bad_message", "a message ends too soon");
  return count;
}

std::pair<Says, std::uint32_t> read_header(std::string_view header) {
  Parser parser(header);
  const std::uint32_t size = parser.number32();
  const std::uint8_t kind = parser.byte();
  if (size > kLargestMessage || kind < static_cast<std::uint8_t>(Says::hello) ||
      kind > static_cast<std::uint8_t>(Says::fails))
    fail("bad_message", "what came is no message of perigee");
  return {static_cast<Says>(kind), size};
}

std::string Hello::frame() const {
  return frame_of(Says::hello, {{"protocol", protocol},
                                {"version", version},
                                {"sources", sources},
                                {"host", host},
                                {"process", process},
                                {"slurm_job", slurm_job}});
}
Hello Hello::read(std::string_view body) {
  return read_json(body, [](const json& from) {
    return Hello{whole_number<std::uint32_t>(from.at("protocol")),
                 from.at("version"),
                 from.at("sources"),
                 from.at("host"),
                 whole_number<std::int64_t>(from.at("process")),
                 from.at("slurm_job")};
  });
}

std::string Job::frame() const {
  json settings = json::object(), data = json::array();
  for (const auto& [name, value] : options.settings) settings[in_hex(name)] = in_hex(value);
  for (const std::string& each : options.data) data.push_back(in_hex(each));
  return frame_of(Says::job, {{"folder", in_hex(folder)},
                              {"script", in_hex(script)},
                              {"silence", silence},
                              {"seed", options.seed},
                              {"settings", settings},
                              {"steps", options.steps},
                              {"memory", options.memory},
                              {"out", in_hex(options.out)},
                              {"data", data},
                              {"validate", options.validate}});
}
Job Job::read(std::string_view body) {
  return read_json(body, [](const json& from) {
    Job job;
    job.folder = of_hex(from.at("folder"));
    job.script = of_hex(from.at("script"));
    job.silence = from.at("silence");
    job.options.seed = whole_number<decltype(job.options.seed)>(from.at("seed"));
    for (const auto& [name, value] : from.at("settings").items())
      job.options.settings[of_hex(name)] = of_hex(value);
    job.options.steps = whole_number<decltype(job.options.steps)>(from.at("steps"));
    job.options.memory = whole_number<decltype(job.options.memory)>(from.at("memory"));
    job.options.out = of_hex(from.at("out"));
    for (const auto& each : from.at("data")) job.options.data.push_back(of_hex(each));
    job.options.validate = from.at("validate");
    return job;
  });
}

namespace {

enum : std::uint8_t { kFailed, kSameNames, kNewNames };  // how an outcome begins

}  // namespace

void OutcomeWriter::put(Writer& to, std::uint64_t cell, const CellOutcome& outcome) {
  to.number(cell);
  if (outcome.failed()) {
    to.byte(kFailed).text(outcome.error);
  } else {
    const bool same = last_ == outcome.names || (last_ && *last_ == *outcome.names);
    to.byte(same ? kSameNames : kNewNames);
    if (!same) {
      to.number(static_cast<std::uint32_t>(outcome.names->size()));
      for (const std::string& name : *outcome.names) to.text(name);
      last_ = outcome.names;
    }
    for (const double value : outcome.values) to.real(value);
  }
  to.number(static_cast<std::uint32_t>(outcome.reads.size()));
  for (const CellOutcome::Read& read : outcome.reads) {
    to.byte(static_cast<std::uint8_t>(read.kind)).text(read.name).byte(read.value.has_value());
    if (read.value) to.text(*read.value);
  }
  to.number(static_cast<std::uint32_t>(outcome.warnings.size()));
  for (const CellWarning& each : outcome.warnings) to.text(each.text).number(each.count);
}

std::pair<std::uint64_t, CellOutcome> OutcomeParser::next(Parser& from) {
  const std::uint64_t cell = from.number64();
  CellOutcome outcome;
  const std::uint8_t begin = from.byte();
  if (begin > kNewNames || (begin == kSameNames && !last_))
    fail("bad_message", "an outcome begins with {}", begin);
  if (begin == kFailed) {
    outcome.error = from.text();
  } else {
    if (begin == kNewNames) {
      auto names = std::make_shared<std::vector<std::string>>();
      for (std::uint32_t left = from.count(4); left > 0; --left) names->emplace_back(from.text());
      last_ = std::move(names);
    }
    outcome.names = last_;
    outcome.values.reserve(last_->size());
    for (std::size_t i = 0; i < last_->size(); ++i) outcome.values.push_back(from.real());
  }
  for (std::uint32_t left = from.count(6); left > 0; --left) {
    CellOutcome::Read read;
    const std::uint8_t kind = from.byte();
    if (kind > static_cast<std::uint8_t>(CellOutcome::Read::Kind::seed))
      fail("bad_message", "a read of the kind {}", kind);
    read.kind = static_cast<CellOutcome::Read::Kind>(kind);
    read.name = from.text();
    if (from.byte() != 0) read.value = from.text();
    outcome.reads.push_back(std::move(read));
  }
  for (std::uint32_t left = from.count(12); left > 0; --left) {
    CellWarning warning;
    warning.text = from.text();
    warning.count = from.number64();
    outcome.warnings.push_back(std::move(warning));
  }
  return {cell, std::move(outcome)};
}

void put_diagnostic(Writer& to, const Diagnostic& diagnostic) {
  to.text(diagnostic.code).text(diagnostic.message).text(diagnostic.where.file);
  to.number(static_cast<std::uint32_t>(diagnostic.where.line));
  to.number(static_cast<std::uint32_t>(diagnostic.notes.size()));
  for (const std::string& note : diagnostic.notes) to.text(note);
}
Diagnostic read_diagnostic(Parser& from) {
  Diagnostic diagnostic;
  diagnostic.code = from.text();
  diagnostic.message = from.text();
  diagnostic.where.file = from.text();
  diagnostic.where.line = static_cast<int>(from.number32());
  for (std::uint32_t left = from.count(4); left > 0; --left) diagnostic.notes.emplace_back(from.text());
  return diagnostic;
}

}  // namespace perigee::experiments
