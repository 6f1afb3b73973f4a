-- Checks the tables that functions take. A typing mistake is then an error at the line that calls the function.
local fields = {}

-- A kind of field: a number from `least` to `most` (any number).
function fields.number(least, most) return { "number", least or -math.huge, most or math.huge } end

-- A kind of field: a whole number from `least` to `most`.
function fields.whole(least, most) return { "whole", least or -math.huge, most or math.huge } end

-- A kind of field: a quantity that is drawn, which is a number, { low, high } or a distribution, with values from `least` to `most`.
function fields.drawn(least, most) return { "drawn", least or -math.huge, most or math.huge } end

-- A kind of field: one of these texts.
function fields.one_of(...) return { "one_of", choices = { ... } } end

-- A kind of field: anything, for another function will check it.
function fields.any() return {} end

-- A value as messages show it.
function fields.text(value)
  if type(value) == "table" then return "a table" end
  return type(value) == "string" and "'" .. value .. "'" or tostring(value)
end

local function within(value, kind) return type(value) == "number" and value >= kind[2] and value <= kind[3] and value < math.huge end

-- The fields of `given`, checked, with those of `defaults` where they are absent. `what` is what messages call the table; `known` has
-- the kind of each field by its name. Errors are at the line that calls the function which calls this one.
function fields.check(what, given, known, defaults)
  if type(given) ~= "table" then error(("%s must be a table, got %s"):format(what, fields.text(given)), 3) end
  local all = {}
  for name, value in pairs(defaults or {}) do all[name] = value end
  for name, value in pairs(given) do
    local kind = known[name]
    if not kind then
      local names = {}
      for k in pairs(known) do names[#names + 1] = k end
      error(("%s: unknown field '%s'; known are %s"):format(what, tostring(name), table.concat(names, ", ")), 3)
    end
    local function refuse(wanted)
      local bounds = kind[3] == math.huge and (kind[2] > -math.huge and (" >= %g"):format(kind[2]) or "")
                     or (" from %g to %g"):format(kind[2], kind[3])
      error(("%s: %s must be %s%s, got %s"):format(what, name, wanted, bounds, fields.text(value)), 4)
    end
    if kind[1] == "number" then
      if not within(value, kind) then refuse "a number" end
    elseif kind[1] == "whole" then
      if not within(value, kind) or math.tointeger(value) == nil then refuse "a whole number" end
      value = math.tointeger(value)
    elseif kind[1] == "one_of" then
      local allowed = false
      for _, choice in ipairs(kind.choices) do allowed = allowed or value == choice end
      if not allowed then
        error(("%s: %s must be one of %s, got %s"):format(what, name, table.concat(kind.choices, ", "), fields.text(value)), 3)
      end
    elseif kind[1] == "drawn" then
      if type(value) == "number" then
        if not within(value, kind) then refuse "a number" end
      elseif type(value) == "table" then
        if #value ~= 2 or not within(value[1], kind) or not within(value[2], kind) or value[1] > value[2] then
          refuse "a number, { low, high } or a distribution, with values"
        end
      elseif type(value) ~= "userdata" or not pcall(function() return value.draw end) then
        refuse "a number, { low, high } or a distribution, with values"
      end
    end
    all[name] = value
  end
  return all
end

return fields
