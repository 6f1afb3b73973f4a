#include "interpreter/command/option_values.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>

#include "runtime/kernel/error.h"
#include "runtime/kernel/quantity.h"

namespace perigee::command {

std::string size_error(std::string text) {
  try {
    const double bytes = parse_quantity(text, Dimension::bytes);
    if (bytes >= 1 && bytes < 9e18) return {};
    return fmt::format("{} is no size of memory", text);
  } catch (const Error& error) {
    return error.diagnostic().message;
  }
}

std::string folder_error(std::string path) {
  std::error_code error;
  return std::filesystem::exists(path, error) && !std::filesystem::is_directory(path, error)
             ? fmt::format("{} is a file and no folder", path)
             : std::string();
}

namespace {

constexpr double kExact = 9007199254740992;  // 2^53, up to which a double is exact

}  // namespace

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  return {[least, most](const std::string& text) -> std::string {
            std::uint64_t value = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
            if (error == std::errc() && end == text.data() + text.size() && value >= least && value <= most)
              return {};
            // "1e6" or "1_000_000" is understood, but not taken
            std::string digits = text;
            std::erase_if(digits, [](char c) { return c == '_' || c == ',' || c == '\''; });
            double real = 0;
            const char* const last = digits.data() + digits.size();
            const bool number = std::from_chars(digits.data(), last, real).ptr == last;
            const bool meant = number && real == std::floor(real) && real >= static_cast<double>(least) &&
                               real < kExact && real <= static_cast<double>(most);
            return fmt::format("must be a whole number from {} to {}, got {}{}", least, most, text,
                               meant ? fmt::format("; write {:.0f}", real) : "");
          },
          ""};
}

std::string cell_error(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  const std::string number = text.substr(colon == text.npos ? 0 : colon + 1);
  const bool digits = !number.empty() && number.size() < 16 &&
                      number.find_first_not_of("0123456789") == number.npos && colon != 0 &&
                      number.find_first_not_of('0') != number.npos;
  return digits ? std::string()
                : fmt::format("write the number of a cell, or NAME:NUMBER with the experiment's name; got {}",
                              text);
}

std::string silence_error(const std::string& text) {
  constexpr double kLeast = 0.1, kMost = 1e6;
  double seconds = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, seconds);
  return error == std::errc() && end == last && seconds >= kLeast && seconds <= kMost
             ? std::string()
             : fmt::format("must be a number of seconds from {} to {:.0f}, got {}", kLeast, kMost, text);
}

session::Shard shard_of(const std::string& text) {
  const std::size_t slash = text.find('/');
  const auto part = [&](std::string_view digits) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && end == digits.data() + digits.size() ? value : 0;
  };
  const std::string_view all = text;
  if (slash == text.npos) return {0, 0};
  return {part(all.substr(0, slash)), part(all.substr(slash + 1))};
}

std::string shard_error(const std::string& text) {
  constexpr std::uint64_t kMost = 1'000'000;
  const auto [index, count] = shard_of(text);
  return index >= 1 && index <= count && count <= kMost
             ? std::string()
             : fmt::format("write I/N, part I of N, with I from 1 to N and N at most {}; got {}", kMost,
                           text);
}

std::map<std::string, std::string> settings_of(const std::vector<std::string>& given) {
  std::map<std::string, std::string> settings;
  for (const std::string& each : given) {
    const std::size_t sign = each.find('=');
    if (sign == std::string::npos || sign == 0) throw Usage(fmt::format("--set {}: write NAME=VALUE", each));
    const std::string name = each.substr(0, sign);
    if (!settings.emplace(name, each.substr(sign + 1)).second)
      throw Usage(fmt::format("--set {}: the setting is given twice", name));
  }
  return settings;
}

}  // namespace perigee::command
