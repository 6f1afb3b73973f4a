// d:write(name): the worst case as a script of its own.
#include <fmt/format.h>

#include "interpreter/bindings/duel/cases.h"
#include "interpreter/bindings/duel/duel.h"
#include "interpreter/bindings/files.h"

namespace perigee::bindings {

int write_duel(lua_State* L) {
  return guard(L, [&] {
    fail("bad_call", "write: not there yet");
    return 0;
  });
}

}  // namespace perigee::bindings
