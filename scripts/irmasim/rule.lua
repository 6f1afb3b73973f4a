-- A claim about a statement of the IRMaSim thesis, in one line: the scripts here use it.
-- takes: nothing, the other scripts here use it
-- test: no
require "statements"

return function(number, verdict, holds, found, note)
  claim { statement = number, verdict = verdict, holds = holds, found = found, note = note }
end
