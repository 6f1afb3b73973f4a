-- args: --data "$OUT"
-- expect: is a folder, not a file
local m = etc.read(".")
