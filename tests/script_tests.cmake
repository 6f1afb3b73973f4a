# Read by ctest each time it starts (the build folder holds a copy with the paths filled in), so that a
# new or changed script needs no configure step. See run_lua.sh for the comments a script may begin with.
set(root "@PROJECT_SOURCE_DIR@")
set(binary "@binary@")
set(environment "@environment@")

function(script_test name)
  add_test("${name}" ${ARGN})
  set_tests_properties("${name}" PROPERTIES
    ENVIRONMENT "${environment}" TIMEOUT @time_limit@ WORKING_DIRECTORY "@CMAKE_CURRENT_BINARY_DIR@")
endfunction()

file(GLOB files LIST_DIRECTORIES false RELATIVE "${root}/tests/lua" "${root}/tests/lua/*.lua")
foreach(file IN LISTS files)
  string(REGEX REPLACE "\\.lua$" "" name "${file}")
  script_test("lua:${name}" sh "${root}/tests/run_lua.sh" "${binary}" "${root}/tests/lua/${file}")
endforeach()

file(GLOB_RECURSE files LIST_DIRECTORIES false RELATIVE "${root}/scripts" "${root}/scripts/*.lua")
foreach(file IN LISTS files)
  # `-- test: thorough`: one that takes several seconds is run where the tests are thorough (tests/support/rounds.h)
  file(STRINGS "${root}/scripts/${file}" opted_out LIMIT_INPUT 2000 REGEX "^-- *test: *(no|thorough)( |$)")
  if(NOT opted_out OR (opted_out MATCHES "thorough" AND "$ENV{PERIGEE_TESTS}" STREQUAL "thorough"))
    string(REGEX REPLACE "\\.lua$" "" name "${file}")
    script_test("script:${name}" sh "${root}/tests/run_lua.sh" "${binary}" "${root}/scripts/${file}")
  endif()
endforeach()

# A twin in Lua decides as the native scheduler does; one without a comparison cannot be there.
file(GLOB files LIST_DIRECTORIES false RELATIVE "${root}/stdlib/heuristics" "${root}/stdlib/heuristics/*.lua")
foreach(file IN LISTS files)
  string(REGEX REPLACE "\\.lua$" "" name "${file}")
  script_test("twin:${name}" "${binary}" run "${root}/tests/twins.lua" --set "twin=${name}")
endforeach()

file(GLOB files LIST_DIRECTORIES false RELATIVE "${root}/tests" "${root}/tests/*.sh")
list(REMOVE_ITEM files run_lua.sh opening.sh workers.sh slurm_long.sh)
foreach(file IN LISTS files)
  string(REGEX REPLACE "\\.sh$" "" name "${file}")
  script_test("shell:${name}" bash "${root}/tests/${file}")
endforeach()
set_tests_properties("shell:docs_test" PROPERTIES COST 400)
set_tests_properties("shell:limits_test" "shell:steps_of_lua_test" "shell:check_scripts_test" PROPERTIES COST 100)
