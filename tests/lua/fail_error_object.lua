-- An error may be any value; its __tostring is not trusted.
-- expect: error: the script raised a table
error(setmetatable({}, { __tostring = function() while true do end end }))
