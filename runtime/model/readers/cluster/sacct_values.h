// The values in cells of sacct. Nothing where a text is none.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace perigee::readers {

inline constexpr double kLargestSacctSpan = 1e12;  // s

// A whole number of at most 15 digits.
std::optional<std::int64_t> sacct_digits(std::string_view text);
// [[D-]HH:]MM:SS, or seconds.
std::optional<double> sacct_span(std::string_view text);
// YYYY-MM-DDTHH:MM:SS, as s since 1970 in a place whose clock never changes.
std::optional<double> sacct_time(std::string_view text);
// A number with K, M, G, T or P behind it, or with nothing: MiB. In B.
std::optional<double> sacct_size(std::string_view text);
// The value of a name in "cpu=64,mem=64G,node=2"; empty = it is not there.
std::string_view of_tres(std::string_view text, std::string_view name);

bool is_no_time(std::string_view text);
bool is_job_id(std::string_view text);

}  // namespace perigee::readers
