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

# Whether a script is run here: a comment `test: no` in its head says that it is not, one that begins with `test: thorough`
# that it takes several seconds and is run where tests are thorough (tests/support/rounds.h).
function(is_run result file)
  file(STRINGS "${file}" opted_out LIMIT_INPUT 2000 REGEX "^(--|#) *test: *(no|thorough)( |$)")
  if(NOT opted_out OR (opted_out MATCHES "thorough" AND "$ENV{PERIGEE_TESTS}" STREQUAL "thorough"))
    set(${result} YES PARENT_SCOPE)
  else()
    set(${result} NO PARENT_SCOPE)
  endif()
endfunction()

# scripts(KIND FOLDER [RECURSE]): a test for each script in Lua of the folder.
function(scripts kind folder)
  file(GLOB${ARGN} files LIST_DIRECTORIES false RELATIVE "${root}/${folder}" "${root}/${folder}/*.lua")
  foreach(file IN LISTS files)
    is_run(run "${root}/${folder}/${file}")
    if(run)
      string(REGEX REPLACE "\\.lua$" "" name "${file}")
      script_test("${kind}:${name}" bash "${root}/tests/run_lua.sh" "${binary}" "${root}/${folder}/${file}")
    endif()
  endforeach()
endfunction()
scripts(lua tests/lua)
scripts(script scripts _RECURSE)

# A twin in Lua decides as the native scheduler does; one without a comparison cannot be there.
set(share --set share=0.03)
if("$ENV{PERIGEE_TESTS}" STREQUAL "thorough")
  set(share "")
endif()
file(GLOB files LIST_DIRECTORIES false RELATIVE "${root}/stdlib/heuristics" "${root}/stdlib/heuristics/*.lua")
foreach(file IN LISTS files)
  string(REGEX REPLACE "\\.lua$" "" name "${file}")
  script_test("twin:${name}" "${binary}" run "${root}/tests/twins.lua" --set "twin=${name}" ${share})
endforeach()

file(GLOB files LIST_DIRECTORIES false RELATIVE "${root}/tests" "${root}/tests/*.sh")
list(REMOVE_ITEM files run_lua.sh opening.sh steps.sh workers.sh slurm_long.sh)
foreach(file IN LISTS files)
  is_run(run "${root}/tests/${file}")
  if(run)
    string(REGEX REPLACE "\\.sh$" "" name "${file}")
    script_test("shell:${name}" bash "${root}/tests/${file}")
    if(name STREQUAL "docs_test")  # the longest first
      set_tests_properties("shell:${name}" PROPERTIES COST 400)
    elseif(name MATCHES "^(limits|steps_of_lua|check_scripts)_test$")
      set_tests_properties("shell:${name}" PROPERTIES COST 100)
    endif()
  endif()
endforeach()
