-- Max-min as Figure 7 of Breitinger (1999) describes it and as the program of Appendix B has it: which of them made Table 2.
-- takes: seconds
-- test: thorough
-- perigee run scripts/mshn/forms.lua --out results
--   --set full=true           all sizes, 30 replications
--   --set replications=30
--   --set least=1             the smallest group

local advisor = require "advisor"
local settings = require "settings"
local studies = require "studies"
local full = setting("full", false)
local replications, least = settings.number("replications", full and 30 or 3, 2, 1000), settings.number("least", full and 1 or 31, 1, 51)

-- A form of max-min adds to the load of a machine either the time of the job, or the time at which the job would be complete.
local forms = { { "coded", max_min { adds = "completion" } }, { "described", max_min {} } }
local sizes, cells = {}, {}
for size = 1, 51, 2 do
  if size >= least then
    sizes[#sizes + 1] = size
    for _, form in ipairs(forms) do cells[#cells + 1] = { form[1] .. size, advisor.policy(size, "zero", { map = form[2] }) } end
  end
end
local study = advisor.study("mshn_forms", { replications = replications, cells = cells })
local function ms(interval) return advisor.ms(interval.mean, interval.half_width) end
print(("mean time in system, ms, zero readiness; 95 %% intervals, n = %d; the difference by pairs\n"):format(replications))
print(" size  published   of the program      of Figure 7    Figure 7 - program")
local chi2 = { coded = 0, described = 0 }
for _, size in ipairs(sizes) do
  local coded, described = study["coded" .. size].mean_response, study["described" .. size].mean_response
  print(("%5d %10d   %s   %s   %s"):format(size, advisor.table2[size], ms(stats.interval(coded)), ms(stats.interval(described)),
        ms(stats.paired(described, coded))))
  for form, list in pairs { coded = coded, described = described } do
    local _, away = studies.agrees(list, advisor.table2[size] / 1e3)
    chi2[form] = chi2[form] + away ^ 2
  end
end
print(("\nsum of squared distances to the published, in standard errors: %.1f for the program, %.1f for Figure 7, of %d sizes"):format(
  chi2.coded, chi2.described, #sizes))
claim { source = "found here", says = "Table 2 of Breitinger 1999 is nearer to the program than to Figure 7", verdict = "reproduces",
        holds = chi2.coded < chi2.described or not full and "not decided",
        found = ("sums of squared distances %.0f and %.0f, of %d sizes"):format(chi2.coded, chi2.described, #sizes) }
