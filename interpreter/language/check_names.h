// Checks of names in functions that have not run, which `perigee check` knows by their text alone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interpreter/host/guest.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::language {

// The first identifier in the script or its modules that nothing declares. `whole`: the script has run to its
// end.
std::optional<Diagnostic> undeclared_name(const Guest& guest, const Catalogue& catalogue, bool whole);

// In check mode, checks the methods that the function at `index` calls on its parameter, an object of one of
// `types`. Error when none of the types has the method.
void check_methods(lua_State* L, int index, int parameter, std::initializer_list<std::string_view> types);
// The same for the fields of an object that has no methods.
void check_fields(lua_State* L, int index, int parameter, std::initializer_list<std::string_view> types);

// The same for the functions that it hands to a method of that name, as in sim:wait_for(function(s) ... end):
// their parameter has the types.
void check_conditions(lua_State* L, int index, int parameter, std::string_view method,
                      std::initializer_list<std::string_view> types);
// In check mode, error when the function at `index` reads a column that its parameter, a row, does not have.
void check_columns_of(lua_State* L, int index, int parameter, const std::vector<std::string>& columns);
// The same for the loop over ipairs(rows) in the line of the script that runs, if it has one.
void check_loop(lua_State* L, const std::vector<std::string>& columns);
// The same for the loop `for i = 1, #rows do` in that line, which reads rows[i].column.
void check_counted_loop(lua_State* L, std::vector<std::string> columns);
// In check mode, checks what the loop `while sim:step() do` in that line, if it has one, reads of the
// simulation and its state.
void check_steps(lua_State* L);

// Error "unknown_field" when the plain table at `index` has a field that the word's table does not have.
// Error "bad_value" when a field has a text that is none of its values. `chain`: "result.plot".
void check_word_fields(lua_State* L, int index, std::string_view chain);

}  // namespace perigee::language
