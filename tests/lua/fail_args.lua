-- A setting of another name, which has a default and was not given.
-- expect: fail_args.lua:4: error: the setting 'alpa' was not given; did you mean 'alpha'?
local a = setting("alpha", 3)
print(a, args.alpa)
