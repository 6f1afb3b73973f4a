-- Settings of a script, checked where they are read. They are given as --set NAME=VALUE.
local settings = {}

-- The setting of that name, a number from `least` to `most`, either of which may be left out; a whole one where the default is written
-- without a point.
function settings.number(name, default, least, most)
  local value = setting(name, default)
  local whole = math.type(default) == "integer"
  if not (value >= (least or -math.huge) and value <= (most or math.huge) and (not whole or value % 1 == 0)) then
    local bounds = least and most and (" from %.15g to %.15g"):format(least, most) or least and (" >= %.15g"):format(least)
                   or most and (" <= %.15g"):format(most) or ""
    error(("--set %s=%s: must be a %s%s"):format(name, value, whole and "whole number" or "number", bounds), 2)
  end
  return whole and math.tointeger(value) or value
end

-- The setting of that name, one of a list of texts; the first of them unless it is given.
function settings.one_of(name, choices)
  local value = setting(name, choices[1])
  for _, choice in ipairs(choices) do
    if value == choice then return value end
  end
  error(("--set %s=%s: must be one of %s"):format(name, value, table.concat(choices, ", ")), 2)
end

return settings
