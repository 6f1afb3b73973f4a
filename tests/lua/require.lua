-- Modules stand beside the script; each is loaded once.
-- expect: modules work
local a = require "modules.helper"
assert(a.twice(4) == 8 and require "modules.helper" == a)
local ok, e = pcall(require, "modules.circle")
assert(not ok and tostring(e):find("need each other"), e)
assert(not pcall(require, "modules.broken"))
print("modules work")
