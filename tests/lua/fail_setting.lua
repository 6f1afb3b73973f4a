-- args: --set taskz=5
-- expect: error: --set taskz=5: the script never reads a setting 'taskz'; did you mean 'tasks'?
local n = setting("tasks", 10)
