// r:report(file), c:report(file), e:report(file): a page to be sent.
#pragma once

#include "interpreter/host/lua.h"

namespace perigee::bindings {

int report(lua_State* L);

}  // namespace perigee::bindings
