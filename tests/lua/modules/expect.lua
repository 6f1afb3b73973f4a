-- The expectations of tests on values and errors; a failure is reported where they are called.
local expect = {}

function expect.same(a, b, what)
  if a ~= b then error(("%s: expected %s, got %s"):format(what, tostring(b), tostring(a)), 2) end
end

-- The call fails and its message contains the text.
function expect.refused(text, f)
  local ok, problem = pcall(f)
  if ok then error("accepted: " .. text, 2) end
  if not tostring(problem):find(text, 1, true) then error(tostring(problem) .. " is not " .. text, 2) end
end

-- The starts of the jobs of a scenario under a policy, and their hosts where they are listed.
function expect.starts(s, policy, starts, hosts)
  local rows = s:run { policy = policy, validate = true }:jobs()
  for i, start in ipairs(starts) do
    expect.same(rows[i].start, start, ("%s, job %d"):format(tostring(policy), i))
    if hosts and hosts[i] then
      expect.same(rows[i].hosts, hosts[i], ("hosts under %s, job %d"):format(tostring(policy), i))
    end
  end
end

return expect
