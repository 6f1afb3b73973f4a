-- args: --set tasks=many
-- expect: fail_setting_type.lua:3: error: --set tasks=many: a number is needed, for the default is 10
local n = setting("tasks", 10)
