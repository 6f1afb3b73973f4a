-- args: --memory 30MB
-- expect: all gone
-- Tables that were keys of a declaration, and got a place in its order, are collected like all else.
-- test: thorough
for i = 1, 200000 do pcall(scenario, { [{}] = i }) end
print "all gone"
