-- Series by the values of two columns.
-- expect: all is well
local rows = {}
for _, a in ipairs { "x", "y" } do
  for b = 1, 2 do
    for n = 1, 3 do rows[#rows + 1] = { a = a, b = b, n = n, value = n * b } end
  end
end
plot(rows, { x = "n", y = "value", by = { "a", "b" } })
-- expect: x, 1
-- expect: y, 2
local ok, problem = pcall(plot, rows, { x = "n", y = "value", by = { "a", "c" } })
assert(not ok and problem.message:find "there is no column 'c'", tostring(problem))
print "all is well"
