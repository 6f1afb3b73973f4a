# cmake -DPARTS=a.css;b.js -DOUTPUT=page_assets.cpp -P assets.cmake
# Writes the functions declared in runtime/pages/assets.h.
set(css "")
set(js "")
foreach(file IN LISTS PARTS)
  file(READ "${file}" text)
  if(text MATCHES "\\)page\"")
    message(FATAL_ERROR "${file} has the mark that ends a C++ text")
  endif()
  if(file MATCHES "\\.css$")
    string(APPEND css "${text}")
  else()
    string(APPEND js "${text}")
  endif()
endforeach()
file(WRITE "${OUTPUT}" "// Generated from runtime/pages/assets by runtime/pages/assets.cmake.
#include \"runtime/pages/assets.h\"

namespace perigee::pages {

std::string_view page_style() { return R\"page(${css})page\"; }
std::string_view page_script() { return R\"page(${js})page\"; }

}  // namespace perigee::pages
")
