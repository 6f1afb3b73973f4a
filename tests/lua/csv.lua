-- Tables as rows: a column of plain numbers has numbers, any other texts; absent cells are nil.
-- expect: name  size  share
-- expect: csv ok

local expect = require "modules.expect"
local same, refused = expect.same, expect.refused

local rows = csv.read "data/mixed.csv"
print(rows)
same(#rows, 3, "rows")
same(rows[1].size, 3, "whole number")
same(math.type(rows[1].size), "integer", "type of a whole number")
same(rows[2].size, nil, "absent")
same(rows[2].share, "2e1", "text, for not all of the column are numbers")
same(rows[3].name, nil, "empty text")

local timed = csv.read("data/outages.csv", { columns = { host = "text", from = "s", to = "s" } })
same(timed[1].from, 3600, "quantity")
same(timed[2].to, 9000, "number")
same(timed[1].note, nil, "column that was not asked for")
same(csv.read("data/outages.csv")[2].note, 'two, "2"', "quotes")
same(csv.read("data/outages.csv")[1].from, "1 h", "text")
same(csv.read("data/mixed.csv", { columns = { size = "whole?" } })[2].size, nil, "absent where it may be")
same(csv.read("data/mixed.csv", { separator = ";" })[1].size, 3, "separator")

refused("data/mixed.csv:3: column 3: ", function() csv.read("data/mixed.csv", { columns = { size = "number" } }) end)
refused("data/mixed.csv:4: column 6: ", function() csv.read("data/mixed.csv", { columns = { share = "number" } }) end)
refused("data/outages.csv:3: column 5: ", function() csv.read("data/outages.csv", { columns = { from = "B" } }) end)
refused("data/mixed.csv:1: ", function() csv.read("data/mixed.csv", { columns = { sise = "number" } }) end)
refused("data/mixed.csv:4: column 3: text after a closing quote", function() csv.read("data/mixed.csv", { separator = "," }) end)
refused("columns.size must be one of", function() csv.read("data/mixed.csv", { columns = { size = "nummer" } }) end)
refused("columns must be a table", function() csv.read("data/mixed.csv", { columns = "size" }) end)
refused("separator must be one character", function() csv.read("data/mixed.csv", { separator = "ab" }) end)
refused("unknown field 'seperator'; did you mean 'separator'?", function() csv.read("data/mixed.csv", { seperator = ";" }) end)
refused("there is no 'csv.raed'; did you mean 'read'?", function() return csv.raed end)
print "csv ok"
