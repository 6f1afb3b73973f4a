-- expect: /etc/passwd is outside the script's folder; allow it with --data FOLDER or name it with --set NAME=FILE
local m = etc.read("/etc/passwd")
