-- Max-min as Figure 7 of Breitinger (1999) describes it and as the program of Appendix B has it: which of them made Table 2.
-- takes: seconds
-- perigee run scripts/mshn/forms.lua --out results
--   --set replications=30
--   --set least=1             the smallest group
-- test: --set replications=2 --set least=49

local advisor = require "advisor"
local settings = require "settings"
local studies = require "studies"
local replications, least = settings.number("replications", 30, 1, 1000), settings.number("least", 1, 1, 51)

local sizes = {}
for size = 1, 51, 2 do
  if size >= least then sizes[#sizes + 1] = size end
end
-- What is added to the load of a machine: the time of the job, or when the job would be complete.
local forms = { described = max_min {}, coded = max_min { adds = "completion" } }
local s = advisor.scenario { tau = 0.067 }
local e = experiment "mshn_forms" {
  factors = { { "size", sizes }, { "form", { "coded", "described" } } },
  replications = replications,
  run = function(f, seed) return advisor.run(s, advisor.policy(f.size, "zero", { map = forms[f.form] }), seed) end,
  measure = { "mean_response" },
}
local found = e:table("mean_response")
local coded, described = studies.by(found, "size", { form = "coded" }), studies.by(found, "size", { form = "described" })
local difference = studies.by(e:compare("mean_response", { factor = "form", baseline = "coded" }), "size", { form = "described" })

print(("mean time in system, ms, zero readiness; 95 %% intervals, n = %d; the difference by pairs\n"):format(replications))
print(" size  published   of the program      of Figure 7    Figure 7 - program")
local chi2 = { coded = 0, described = 0 }
for _, size in ipairs(sizes) do
  print(("%5d %10d   %s   %s   %s"):format(size, advisor.table2[size], advisor.mean_ms(coded[size]),
        advisor.mean_ms(described[size]), advisor.difference_ms(difference[size])))
  for form in pairs(chi2) do
    local _, away = studies.agrees(studies.values(e, "mean_response", { size = size, form = form }), advisor.table2[size] / 1e3)
    chi2[form] = chi2[form] + away ^ 2
  end
end
if replications > 1 then
  print(("\nsum of squared distances to the published, in standard errors: %.1f for the program, %.1f for Figure 7, of %d sizes"):format(
    chi2.coded, chi2.described, #sizes))
end

if least == 1 and replications >= 30 then
  -- Relative to the program's, in per cent: the least and the most over these sizes.
  local function range(from, to)
    local low, high = math.huge, -math.huge
    for size = from, to, 2 do
      local off = 100 * difference[size].difference / coded[size].mean_response
      low, high = math.min(low, off), math.max(high, off)
    end
    return low, high
  end
  local apart = select(2, range(31, 51))
  claim { source = advisor.source .. ", Figure 7 and Appendix B",
          says = "up to 25 jobs the two forms are the same: within 1 ms",
          holds = (function()
            for size = 1, 25, 2 do
              if math.abs(difference[size].difference) > 1e-3 then return false end
            end
            return true
          end)(),
          found = ("from %.3f %% to %.3f %%"):format(range(1, 25)), verdict = "reproduces" }
  claim { source = advisor.source .. ", Figure 7 and Appendix B",
          says = "Figure 7 is what the program does", holds = apart >= 0,
          found = ("for groups of 31 to 51 it gives times shorter by %.1f %% to %.1f %%"):format(-apart, -range(31, 51)),
          verdict = "source in error" }
  claim { source = advisor.source .. ", Table 2", says = "the table is nearer to the program than to Figure 7",
          holds = chi2.coded < chi2.described,
          found = ("sums of squared distances %.0f and %.0f, of 26"):format(chi2.coded, chi2.described),
          verdict = "reproduces" }
end
