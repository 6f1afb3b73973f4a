-- expect: fail_missing_file.lua:2: error: nowhere.etc: there is no such file
local m = etc.read("nowhere.etc")
