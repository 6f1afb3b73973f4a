// Methods that values of several kinds have. They are defined in `show`, which knows all these kinds.
#pragma once

#include "interpreter/host/lua.h"
#include "interpreter/layers.h"

namespace perigee::bindings {

// t:plot { }, r:plot { }, plot(rows, { }): for a list that push_table has pushed, a result, or any list of
// rows.
int plot(lua_State* L);
// r:report(file), c:report(file), e:report(file): a page to be sent.
int report(lua_State* L);

}  // namespace perigee::bindings
