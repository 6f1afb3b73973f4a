# cmake -DROOT=stdlib -DLIST=modules.txt -DOUTPUT=embedded.cpp -P embed.cmake
# Writes the table declared in interpreter/host/embedded.h. LIST names the module files, one a line.
# GCC and Clang put no limit on the length of a string literal; raw ones need no escapes.
file(READ "${LIST}" lines)
string(REGEX MATCHALL "[^\n]+" files "${lines}")
set(rows "")
foreach(file IN LISTS files)
  file(RELATIVE_PATH name "${ROOT}" "${file}")
  string(REGEX REPLACE "\\.lua$" "" name "${name}")
  string(REPLACE "/" "." name "${name}")
  file(READ "${file}" source)
  set(mark "lua")
  string(FIND "${source}" ")${mark}\"" clash)
  while(NOT clash EQUAL -1)
    string(APPEND mark "_")
    string(FIND "${source}" ")${mark}\"" clash)
  endwhile()
  string(APPEND rows "    EmbeddedModule{\"${name}\", R\"${mark}(${source})${mark}\"sv},\n")
endforeach()
list(LENGTH files count)
file(WRITE "${OUTPUT}" "// Generated from stdlib by interpreter/embed.cmake.
#include \"interpreter/host/embedded.h\"

#include <array>

namespace perigee::host {

using namespace std::literals;

std::span<const EmbeddedModule> embedded_modules() {
  static constexpr std::array<EmbeddedModule, ${count}> modules{
${rows}  };
  return modules;
}

}  // namespace perigee::host
")
