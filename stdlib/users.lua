-- Users who react to the schedule: each submits the next job some time after the last one has ended.
-- Source: think times as of Shmueli and Feitelson, On simulation and design of parallel-systems schedulers: are we doing the right
-- thing?, IEEE TPDS 20(7), 2009.
local users = {}

-- Events for a scenario, one process for each user. `jobs` is a list of records of jobs in the order in which each user submits
-- them, with a `user` and perhaps a `think` time (0 s): so long after the end of the user's job before it, whatever that end was, the
-- job is submitted. The first job of a user is submitted so long after the beginning. No record has an `arrival`. The workload of the
-- scenario may be empty: workload.jobs {}. Each submission copies all works before it, so it is for some thousands of jobs.
function users.react(jobs)
  if type(jobs) ~= "table" then error(("users.react: a list of records of jobs is needed, got %s"):format(type(jobs)), 2) end
  local order, lists = {}, {}
  for i, job in ipairs(jobs) do
    local name = job.name or "job " .. i
    if type(job.user) ~= "string" or job.user == "" then
      error(job.user == nil and ("users.react: %s has no user"):format(name)
            or ("users.react: user of %s must be a name, got %s"):format(name, job.user == "" and "an empty text" or tostring(job.user)), 2)
    end
    if job.arrival ~= nil then error(("users.react: %s has an arrival, but it comes when its user has thought"):format(name), 2) end
    local record, think = {}, job.think or 0
    if not (type(think) == "string" or type(think) == "number" and think >= 0) then
      error(("users.react: think of %s must be a time >= 0 s, got %s"):format(name, tostring(think)), 2)
    end
    for field, value in pairs(job) do if field ~= "think" then record[field] = value end end
    if not lists[job.user] then
      lists[job.user] = {}
      order[#order + 1] = job.user
    end
    local list = lists[job.user]
    list[#list + 1] = { record = record, think = think }
  end
  local events = {}
  for i, user in ipairs(order) do
    local own = lists[user]
    events[i] = process {
      name = "user " .. user, keeps_alive = true,
      run = function(sim)
        for _, job in ipairs(own) do
          sim:wait(job.think)
          local work = sim:submit(job.record)
          sim:wait_for(function(s) return s:is_settled(work) end)
        end
      end,
    }
  end
  return events
end

return users
