// Matrices of expected times from files: Braun's text format, and CSV.
//
// Braun: an optional first line "tasks machines" (a third number is ignored), then tasks * machines numbers
// separated by white space, task by task. CSV (name ends in .csv, or a comma or semicolon in the first line):
// a row per task; optional first row of machine names; optional first column of task names. There is a column
// of task names when its cells are no numbers, or when its heading is missing, empty, "task", "job", "name"
// or "id". Decimal point; no line break in quotes. Times are seconds >= 0; inf or null = the task cannot run
// there.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "runtime/model/etc.h"

namespace perigee::readers {

using EtcShape = std::pair<std::size_t, std::size_t>;  // tasks, machines

inline constexpr std::uintmax_t kLargestEtcFile = std::uintmax_t{1} << 30;  // bytes

// `shape` is needed unless the first line or a name like u_c_hihi.0 (512 x 16) gives the shape; if one does,
// `shape` is checked against it. Error codes: bad_file, etc_size, etc_value; with the place as file:line and
// the column in the message.
EtcMatrix read_etc(const std::filesystem::path& path, std::optional<EtcShape> shape = {});

// The same for the content of a file called `name`.
EtcMatrix parse_etc(std::string_view text, std::string_view name, std::optional<EtcShape> shape = {});

}  // namespace perigee::readers
