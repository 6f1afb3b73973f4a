-- Grids with failures under every heuristic, option of the planner and information, against an independent simulation of
-- LIP RR 1999-46, sections 3 to 7: a step-by-step program that plans with full recomputation and shares no code with this
-- one. It drew the cases at random and gave the start of each task's last computation and the time at which the last output is
-- at home. They are chosen so that options of the planner make a difference in them.
local function check(number, case)
  local p, events = platform.pst({ text = "GridDescription 1\n" .. case.grid }, { behaviours = case.behaviours })
  local s = scenario {
    platform = p, workload = workload.pst { text = "WorkDescription 1 " .. case.application }, events = events,
    on_failure = { requeue_stranded = not case.stranded_wait },
  }
  local r = s:run { policy = case.policy, information = case.information, seed = 1, validate = true }
  expect(r.status == (case.unfinished and "incomplete" or "complete"), ("case %d: %s"):format(number, r.status))
  local function same(a, b) return math.abs(a - b) <= 1e-9 * math.max(1, b) end
  for i, job in ipairs(r:jobs()) do
    local start, finish = case[2 * i - 1], case[2 * i]
    local as = start and same(job.start, start) and same(job.finish, finish) or not start and job.finish ~= job.finish
    expect(as, ("case %d, task %d: from %s to %s, expected %s and %s"):format(number, i - 1, job.start, job.finish, start, finish))
  end
end

local cases = {
  {
    policy = planner { map = "min_min", steal = true, planning_time = 6.0, replan = "none", completion = "compute" },
    information = "declared last",
    behaviours = { l0 = { bandwidth = { 5, 17, 17 } }, h1 = { 0.25, 0.75 }, l2 = { bandwidth = 16 }, h4 = { 0, 0.71, 0.5, 0, 0.69 }, l5 = { bandwidth = 12, latency = 0.527 }, l6 = { bandwidth = { 4, 3, 5 } }, h7 = { 0, 0.46, 0.5 } },
    grid = [[
0:ADD_CLUSTER <c0> <l0> <2>
0:ADD_HOST <c0> <n0> <h1> <2> <0>
0:ADD_CLUSTER <c1> <l2> <4>
9:ADD_HOST <c0> <n1> <h4> <1> <0>
13:REMOVE_CLUSTER <c1>
14:REMOVE_HOST <n0>
24:ADD_CLUSTER <c1> <l5> <3>
60:CHANGE_CLUSTER_BEHAVIOR <c1> <l6> <3>
67:ADD_HOST <c0> <n0> <h7> <3> <0>]],
    application = [[
7 2
File: <0> <f0> <97> <124.32>
File: <1> <f1> <86> <108.83>
File: <2> <f2> <9> <6.439>
File: <3> <f3> <2> <2.236>
File: <4> <f4> <18> <26.311>
File: <5> <f5> <14> <9.084>
File: <6> <f6> <8> <8.441>
Work: <0> <3:3 2 1> <0:> <1:19> <1:22.639>
Work: <1> <3:4 1 5> <1:6> <1:22> <1:22.031>]],
    67, 126.6, 20.9411764706, 78.8184143223,
  },
  {
    policy = planner { map = "min_min", patience = 3.0, steal = true, planning_time = 4.0, interval = 10.0, strategy = "weighted", idle_replan = "never" },
    information = "last error(0.3) error_seed(100067)",
    behaviours = { l0 = { bandwidth = 11 }, h1 = 1, h2 = 1, l3 = { bandwidth = 7, latency = 0.365 }, l4 = { bandwidth = 2 }, l5 = { bandwidth = 18, latency = 0.25 }, h6 = { 0.25, 0, 0.25, 0.5, 0.25 }, h7 = { 0, 0.47 }, h8 = 1 },
    grid = [[
0:ADD_CLUSTER <c0> <l0> <1>
0:ADD_HOST <c0> <n0> <h1> <4> <0>
0:ADD_HOST <c0> <n1> <h2> <4> <0>
7:REMOVE_CLUSTER <c0>
43:ADD_CLUSTER <c0> <l3> <4>
45:CHANGE_CLUSTER_BEHAVIOR <c0> <l4> <0>
45:CHANGE_CLUSTER_BEHAVIOR <c0> <l5> <4>
49:ADD_HOST <c0> <n0> <h6> <3> <0>
51:ADD_HOST <c0> <n1> <h7> <3> <0>
64:REMOVE_HOST <n0>
73:ADD_HOST <c0> <n0> <h8> <4> <0>]],
    application = [[
8 2
File: <0> <f0> <64> <34.121>
File: <1> <f1> <29> <41.634>
File: <2> <f2> <11> <8.385>
File: <3> <f3> <16> <13.777>
File: <4> <f4> <8> <12.797>
File: <5> <f5> <26> <24.449>
File: <6> <f6> <14> <18.09>
File: <7> <f7> <13> <20.744>
Work: <0> <3:3 1 2> <1:4> <1:5> <1:5.202>
Work: <1> <3:5 0 6> <1:7> <1:16> <1:20.732>]],
    75.1794405, 80.8738849444, 68.1580772222, 136.014775414,
  },
  {
    policy = planner { map = sufferage_2 { jump = "none", suff = "jump" }, links = "hybrid", patience = 7.789, steal = true, keep = 3, count = 0.36, replan = "remove", order = "listed", subset = "affinity", subset_size = 3 },
    information = "declared current",
    behaviours = { l0 = { bandwidth = { 16.424, 10.409, 12.266 }, latency = { 0.25, 0.25, 0.25 } }, h1 = 0.75, h2 = 1 },
    grid = [[
0:ADD_CLUSTER <c0> <l0> <0>
0:ADD_HOST <c0> <n0> <h1> <2> <0>
0:ADD_HOST <c0> <n1> <h2> <2> <0>
53.239:REMOVE_HOST <n1>
67.79:REMOVE_CLUSTER <c0>]],
    application = [[
12 4
File: <0> <f0> <85.926> <72.083>
File: <1> <f1> <51.985> <60.328>
File: <2> <f2> <77.013> <57.81>
File: <3> <f3> <99.311> <88.658>
File: <4> <f4> <3.225> <4.128>
File: <5> <f5> <2.064> <3.055>
File: <6> <f6> <19.89> <17.47>
File: <7> <f7> <4.094> <3.686>
File: <8> <f8> <9.409> <14.163>
File: <9> <f9> <12.281> <15.397>
File: <10> <f10> <4.005> <6.254>
File: <11> <f11> <20.179> <23.268>
Work: <0> <0:> <1:4> <1:10.139> <1:14.192>
Work: <1> <3:6 5 1> <1:7> <1:20.87> <1:14.418>
Work: <2> <3:9 3 8> <0:> <1:14.862> <1:11.703>
Work: <3> <2:10 1> <1:11> <1:21.28> <1:18.717>]],
    1.46103263517, 15.4260582887, 5.39744451917, 26.8512126587, 33.8817872913, 48.7437872913, 17.7405371002, 47.5924992694,
  },
  {
    policy = planner { map = "sufferage", links = "strict", steal = true, interval = 18.469, strategy = "weighted", margin_policy = "interval", margin = 7.72, stop = "never", completion = "compute", subset = "affinity", subset_size = 7 },
    information = "sw_avg(3) error(0.3) error_seed(507)", stranded_wait = true,
    behaviours = { l0 = { bandwidth = 15.735 }, h1 = 1, l2 = { bandwidth = 8.242, latency = 0.639501 }, h3 = { 0.25, 0.21909, 1, 0.10576, 0.7047 }, h4 = { 0, 1, 0.75, 1 } },
    grid = [[
0:ADD_CLUSTER <c0> <l0> <1>
0:ADD_HOST <c0> <n0> <h1> <0> <0>
0:ADD_CLUSTER <c1> <l2> <3>
0:ADD_HOST <c1> <n1> <h3> <0> <0>
5.312:ADD_HOST <c1> <n2> <h4> <1> <0>]],
    application = [[
6 4
File: <0> <f0> <22.828> <33.365>
File: <1> <f1> <13.177> <14.13>
File: <2> <f2> <1.093> <1.205>
File: <3> <f3> <9.086> <5.229>
File: <4> <f4> <11.789> <12.497>
File: <5> <f5> <4.806> <7.073>
Work: <0> <0:> <1:0> <1:13.031> <1:9.955>
Work: <1> <1:1> <2:2 3> <1:10.319> <1:6.783>
Work: <2> <0:> <1:4> <1:18.373> <1:19.679>
Work: <3> <0:> <1:5> <1:26.068> <1:20.01>]],
    0, 35.1584982057, 26.068, 37.0339018112, 5.312, 37.2283559152, 0, 26.3734337464,
  },
  {
    policy = planner { map = sufferage_2 { jump = "none", suff = "group" }, links = "hybrid", keep = 2, replan = "remove", order = "smallest" },
    information = "declared run_avg error(0.3) error_seed(2259)",
    behaviours = { l0 = { bandwidth = 8, latency = 0.25 }, h1 = { 1, 0.22, 0.75, 0.96 }, h2 = { 0.75, 0.5, 0.5 }, h3 = { 0.8, 0.34 }, l4 = { bandwidth = { 17, 5, 1 }, latency = { 0.25, 0.25, 0.25 } }, h5 = { 0.25, 0.11 }, h6 = { 0.75, 0.24, 0.69, 0.12, 0 } },
    grid = [[
0:ADD_CLUSTER <c0> <l0> <1>
0:ADD_HOST <c0> <n0> <h1> <1> <0>
0:ADD_HOST <c0> <n1> <h2> <0> <0>
0:ADD_HOST <c0> <n2> <h3> <2> <0>
0:ADD_CLUSTER <c1> <l4> <3>
0:ADD_HOST <c1> <n3> <h5> <4> <0>
0:ADD_HOST <c1> <n4> <h6> <2> <0>
15:REMOVE_CLUSTER <c0>]],
    application = [[
8 3
File: <0> <f0> <19> <13.126>
File: <1> <f1> <68> <56.883>
File: <2> <f2> <29> <36.57>
File: <3> <f3> <12> <13.379>
File: <4> <f4> <26> <31.287>
File: <5> <f5> <23> <25.522>
File: <6> <f6> <2> <2.92>
File: <7> <f7> <28> <44.005>
Work: <0> <2:2 3> <1:4> <1:20> <1:26.992>
Work: <1> <1:0> <2:5 6> <1:4> <1:2.851>
Work: <2> <1:1> <1:7> <1:20> <1:25.768>]],
    2.91176470588, 61.524077278, 2.625, 14.125, 19.25, 136.395294118,
  },
  {
    policy = planner { map = "sufferage", links = "strict", count = 0.38, idle_replan = "never" },
    information = "current",
    behaviours = { l0 = { bandwidth = 13.332, latency = 0.639107 }, h1 = 1, h2 = { 0.41789, 0.66286, 0.5, 0.60027, 0.25 } },
    grid = [[
0:ADD_CLUSTER <c0> <l0> <1>
26.044:ADD_HOST <c0> <n0> <h1> <4> <1>
55.411:CHANGE_HOST_BEHAVIOR <n0> <h2> <1>]],
    application = [[
8 3
File: <0> <f0> <14.714> <16.423>
File: <1> <f1> <33.764> <51.19>
File: <2> <f2> <8.061> <9.496>
File: <3> <f3> <2.709> <3.514>
File: <4> <f4> <17.822> <27.81>
File: <5> <f5> <29.125> <26.045>
File: <6> <f6> <15.058> <13.543>
File: <7> <f7> <18.302> <10.14>
Work: <0> <2:2 0> <1:3> <2:6.083 24.02> <2:4.069 27.594>
Work: <1> <1:4> <2:5 6> <2:21.944 20.699> <2:22.473 29.775>
Work: <2> <1:0> <1:7> <2:22.281 29.215> <2:30.178 42.066>]],
    29.0305098296, 53.8928121491, 55.8687028275, 100.129841991, 100.129841991, 161.56413149,
  },
  {
    policy = planner { map = extended_sufferage { jump = "classic", suff = "group" }, links = "strict", keep = 2, interval = 6.78, threshold = 0.38, replan = "both", order = "largest" },
    information = "perfect",
    behaviours = { l0 = { bandwidth = 9.549 }, h1 = { 0.86531, 0.25, 0.98403, 0.75 }, h2 = { 0.27758, 1, 0.84173, 0.75 }, h3 = { 0.5, 0.5, 0.13672, 0.48741, 0.75 } },
    grid = [[
0:ADD_CLUSTER <c0> <l0> <0>
0:ADD_HOST <c0> <n0> <h1> <2> <1>
0:ADD_HOST <c0> <n1> <h2> <3> <0>
8.864:REMOVE_HOST <n0>
57.138:CHANGE_HOST_BEHAVIOR <n1> <h3> <1>]],
    application = [[
11 4
File: <0> <f0> <45.15> <45.616>
File: <1> <f1> <45.886> <61.029>
File: <2> <f2> <14.306> <18.409>
File: <3> <f3> <2.804> <1.502>
File: <4> <f4> <21.278> <24.498>
File: <5> <f5> <12.228> <16.119>
File: <6> <f6> <3.343> <1.93>
File: <7> <f7> <26.37> <31.727>
File: <8> <f8> <6.877> <6.772>
File: <9> <f9> <8.048> <5.31>
File: <10> <f10> <28.063> <33.592>
Work: <0> <2:2 0> <1:3> <2:28.834 20.593> <2:17.612 30.053>
Work: <1> <3:1 4 5> <0:> <2:24.531 7.953> <2:19.997 6.954>
Work: <2> <2:0 1> <2:6 7> <2:3.861 5.729> <2:3.185 4.932>
Work: <3> <3:9 8 1> <1:10> <2:6.487 12.668> <2:7.705 11.811>]],
    22.8947747618, 70.5858919569, 70.2922486435, 121.912445193, 11.0317310713, 18.0043657975, 14.8927310713, 25.8336165253,
  },
  {
    policy = planner { map = "max_min", links = "hybrid", patience = 2.0, steal = true, keep = 3, planning_time = 4.0, replan = "remove", idle_replan = "never", subset = "affinity", subset_size = 2 },
    information = "mean",
    behaviours = { l0 = { bandwidth = 9, latency = 0.25 }, h1 = 1, h2 = 1, h3 = 1, l4 = { bandwidth = 16 }, h5 = 1, h6 = { 0.84, 0.75, 0.17, 0.5, 0.5 }, l7 = { bandwidth = 6 }, h8 = 1 },
    grid = [[
0:ADD_CLUSTER <c0> <l0> <3>
0:ADD_HOST <c0> <n0> <h1> <1> <0>
0:ADD_HOST <c0> <n1> <h2> <3> <0>
0:ADD_CLUSTER <c1> <l4> <2>
0:ADD_HOST <c1> <n3> <h5> <0> <0>
0:ADD_HOST <c1> <n4> <h6> <1> <0>
0:ADD_CLUSTER <c2> <l7> <3>
9:ADD_HOST <c2> <n5> <h8> <2> <0>
22:ADD_HOST <c0> <n2> <h3> <2> <0>]],
    application = [[
5 3
File: <0> <f0> <13> <13.729>
File: <1> <f1> <27> <37.208>
File: <2> <f2> <1> <1.572>
File: <3> <f3> <3> <3.595>
File: <4> <f4> <15> <9.704>
Work: <0> <0:> <1:0> <1:1> <1:0.716>
Work: <1> <1:1> <0:> <1:13> <1:15.764>
Work: <2> <2:3 2> <1:4> <1:16> <1:19.726>]],
    25.1875, 27, 7.25, 20.25, 4.25, 21.1875,
  },
  {
    policy = planner { map = "max_min", steal = true, idle_replan = "always", order = "listed", completion = "compute" },
    information = "perfect",
    behaviours = { l0 = { bandwidth = 3.596, latency = 0.241823 }, h1 = { 0.5, 0.79693 }, h2 = { 0.75, 0, 0.52701 }, h3 = 1 },
    grid = [[
0:ADD_CLUSTER <c0> <l0> <2>
0:ADD_HOST <c0> <n0> <h1> <2> <0>
0:ADD_HOST <c0> <n1> <h2> <0> <0>
9.248:ADD_HOST <c0> <n2> <h3> <2> <0>]],
    application = [[
12 4
File: <0> <f0> <54.948> <77.936>
File: <1> <f1> <35.77> <50.814>
File: <2> <f2> <99.315> <80.921>
File: <3> <f3> <27.092> <23.532>
File: <4> <f4> <26.502> <26.034>
File: <5> <f5> <12.421> <17.081>
File: <6> <f6> <24.85> <22.499>
File: <7> <f7> <21.587> <13.646>
File: <8> <f8> <10.399> <12.295>
File: <9> <f9> <13.378> <12.856>
File: <10> <f10> <9.32> <14.455>
File: <11> <f11> <6.381> <3.686>
Work: <0> <2:3 4> <1:5> <2:21.503 23.258> <2:28.276 25.783>
Work: <1> <3:6 3 1> <0:> <2:12.13 20.175> <2:7.812 25.744>
Work: <2> <4:8 7 0 3> <0:> <2:2.575 14.678> <2:1.609 20.963>
Work: <3> <4:3 2 9 10> <1:11> <2:1.674 9.176> <2:1.83 10.933>]],
    15.38742798, 57.2293028498, 73.6631713192, 91.9845713192, 89.1853057764, 92.8608639963, 95.9809651246, 100.097820662,
  },
  {
    policy = planner { map = "xsufferage", links = "hybrid", interval = 11.203, strategy = "weighted", margin = 1.88, threshold = 0.58, order = "smallest" },
    information = "run_avg",
    behaviours = { l0 = { bandwidth = { 8.805, 9.092, 12.695 }, latency = { 0.25, 0.25, 0.25 } }, h1 = { 0, 0.57208, 0.10185, 0.24979, 0.25 }, h2 = { 0.45861, 0.5, 0.25, 0.75, 0.5 }, l3 = { bandwidth = 6.38 }, h4 = { 0, 0.91441, 0.28217 }, h5 = { 0.25, 0.34243, 0.75, 0, 0 }, h6 = { 0, 0.92311, 0.4984, 0, 1 }, h7 = { 1, 0.26235, 0.87533 }, h8 = { 1, 0.75 }, l9 = { bandwidth = 7.364 } },
    grid = [[
0:ADD_CLUSTER <c0> <l0> <2>
0:ADD_HOST <c0> <n0> <h1> <1> <1>
0:ADD_HOST <c0> <n1> <h2> <4> <1>
27.685:ADD_CLUSTER <c1> <l3> <3>
27.685:ADD_HOST <c1> <n2> <h4> <4> <1>
27.685:ADD_HOST <c1> <n3> <h5> <1> <0>
31.136:ADD_HOST <c1> <n4> <h6> <3> <0>
44.925:CHANGE_HOST_BEHAVIOR <n0> <h7> <1>
45.865:CHANGE_HOST_BEHAVIOR <n1> <h8> <4>
72.89:CHANGE_CLUSTER_BEHAVIOR <c1> <l9> <3>]],
    application = [[
5 2
File: <0> <f0> <5.25> <8.349>
File: <1> <f1> <56.259> <89.221>
File: <2> <f2> <40.266> <34.764>
File: <3> <f3> <47.092> <64.74>
File: <4> <f4> <7.332> <5.145>
Work: <0> <4:2 4 3 0> <0:> <2:21.482 24.184> <2:26.557 19.946>
Work: <1> <1:2> <0:> <2:26.043 19.707> <2:36.557 29.448>]],
    10.4950862021, 69.4475430208, 4.91289877905, 46.5435993895,
  },
  {
    policy = planner { map = "extended_sufferage", steal = true, keep = 2, interval = 12.352, strategy = "weighted", margin = 6.672, threshold = 0.44, idle_replan = "always", order = "largest", completion = "compute" },
    information = "declared current", stranded_wait = true,
    behaviours = { l0 = { bandwidth = 2.463 }, h1 = { 0.37362, 1, 0.60349 }, h2 = 1, h3 = 1 },
    grid = [[
0:ADD_CLUSTER <c0> <l0> <1>
0:ADD_HOST <c0> <n0> <h1> <0> <0>
0:ADD_HOST <c0> <n1> <h2> <0> <0>
0:ADD_HOST <c0> <n2> <h3> <1> <0>]],
    application = [[
13 4
File: <0> <f0> <49.887> <30.914>
File: <1> <f1> <75.048> <61.201>
File: <2> <f2> <59.424> <87.348>
File: <3> <f3> <29.889> <40.214>
File: <4> <f4> <28.904> <22.148>
File: <5> <f5> <13.45> <6.973>
File: <6> <f6> <11.699> <11.199>
File: <7> <f7> <13.707> <13.366>
File: <8> <f8> <24.111> <17.553>
File: <9> <f9> <25.928> <32.372>
File: <10> <f10> <18.436> <12.383>
File: <11> <f11> <1.622> <1.306>
File: <12> <f12> <1.592> <0.839>
Work: <0> <3:2 3 0> <0:> <1:2.634> <1:3.323>
Work: <1> <4:2 4 1 5> <1:6> <1:20.732> <1:24.734>
Work: <2> <4:2 8 1 7> <1:9> <1:16.346> <1:18.778>
Work: <3> <2:10 1> <2:11 12> <1:10.985> <1:16.012>]],
    56.5164433618, 61.4231261827, 104.182704019, 152.464960617, 119.537149817, 146.410149411, 127.022330491, 147.715062119,
  },
  {
    policy = planner { map = "sufferage", steal = true, planning_time = 2.669, replan = "both", idle_replan = "always", subset = "affinity", subset_size = 1 },
    information = "declared current",
    behaviours = { l0 = { bandwidth = 17.529 }, h1 = { 0, 0.78952 }, h2 = 0.5, l3 = { bandwidth = 11.046 }, h4 = 1, h5 = { 0, 1, 0.5, 0.5, 1 }, l6 = { bandwidth = 12.49 }, h7 = 0.5, h8 = { 0.28121, 0.5, 1 } },
    grid = [[
0:ADD_CLUSTER <c0> <l0> <2>
0:ADD_HOST <c0> <n0> <h1> <1> <1>
0:ADD_HOST <c0> <n1> <h2> <3> <0>
0:ADD_CLUSTER <c1> <l3> <0>
0:ADD_HOST <c1> <n2> <h4> <2> <1>
0:ADD_CLUSTER <c2> <l6> <3>
0:ADD_HOST <c2> <n4> <h7> <1> <0>
0:ADD_HOST <c2> <n5> <h8> <2> <1>
23.201:ADD_HOST <c1> <n3> <h5> <2> <0>]],
    application = [[
1 1
File: <0> <f0> <24.842> <16.605>
Work: <0> <1:0> <0:> <2:17.042 20.118> <2:23.762 17.359>]],
    5.338, 39.422,
  },
  {
    policy = "workqueue",
    information = "declared run_avg error(0.3) error_seed(663)", unfinished = true,
    behaviours = { l0 = { bandwidth = 15.003, latency = 0.25 }, h1 = { 0.25, 0.5, 1, 0 }, h2 = 0.25, h3 = 1 },
    grid = [[
0:ADD_CLUSTER <c0> <l0> <4>
0:ADD_HOST <c0> <n0> <h1> <0> <1>
24.437:ADD_HOST <c0> <n1> <h2> <3> <0>
45.881:CHANGE_HOST_BEHAVIOR <n0> <h3> <2>
54.598:REMOVE_CLUSTER <c0>]],
    application = [[
6 2
File: <0> <f0> <44.038> <53.564>
File: <1> <f1> <19.585> <26.937>
File: <2> <f2> <25.551> <31.657>
File: <3> <f3> <12.904> <8.494>
File: <4> <f4> <16.757> <17.388>
File: <5> <f5> <27.375> <30.29>
Work: <0> <4:3 1 0 2> <1:4> <2:18.548 14.555> <2:19.268 21.619>
Work: <1> <0:> <1:5> <2:15.057 23.894> <2:11.481 16.457>]],
    7.80383923215, 36.0738295674, false, false,
  },
  {
    policy = planner { map = "xsufferage", interval = 9.0, stop = "never", threshold = 0.36, replan = "both" },
    information = "perfect", stranded_wait = true,
    behaviours = { l0 = { bandwidth = 12 }, h1 = { 0.25, 0.92, 0.5 }, h2 = 1 },
    grid = [[
0:ADD_CLUSTER <c0> <l0> <4>
0:ADD_HOST <c0> <n0> <h1> <4> <0>
19:ADD_HOST <c0> <n1> <h2> <0> <0>]],
    application = [[
8 3
File: <0> <f0> <8> <9.676>
File: <1> <f1> <15> <20.147>
File: <2> <f2> <17> <22.785>
File: <3> <f3> <24> <14.321>
File: <4> <f4> <12> <8.293>
File: <5> <f5> <28> <36.852>
File: <6> <f6> <3> <4.194>
File: <7> <f7> <14> <15.764>
Work: <0> <1:0> <2:1 2> <1:12> <1:8.583>
Work: <1> <1:3> <0:> <1:11> <1:8.262>
Work: <2> <2:4 5> <2:6 7> <1:21> <1:30.451>]],
    0.666666666667, 22.3007246377, 19, 30, 30, 52.4166666667,
  },
  {
    policy = "workqueue",
    information = "perfect",
    behaviours = { l0 = { bandwidth = 2.237 }, h1 = 1 },
    grid = [[
0:ADD_CLUSTER <c0> <l0> <4>
26.724:ADD_HOST <c0> <n0> <h1> <0> <1>]],
    application = [[
2 1
File: <0> <f0> <5.711> <3.076>
File: <1> <f1> <24.495> <25.593>
Work: <0> <1:1> <0:> <2:3.899 5.312> <2:3.288 6.036>]],
    37.6739329459, 42.9859329459,
  },
  {
    policy = planner { map = sufferage_2 { jump = "largest", suff = "group" }, patience = 8.338, interval = 18.472, strategy = "deviation", margin_policy = "interval", margin = 6.056, count = 1.68, replan = "remove", idle_replan = "always" },
    information = "declared sw_avg(3)",
    behaviours = { l0 = { bandwidth = 2.25, latency = 0.397008 }, h1 = 0.5 },
    grid = [[
0:ADD_CLUSTER <c0> <l0> <3>
23.251:ADD_HOST <c0> <n0> <h1> <0> <0>]],
    application = [[
10 4
File: <0> <f0> <78.119> <41.347>
File: <1> <f1> <12.53> <12.609>
File: <2> <f2> <16.072> <8.578>
File: <3> <f3> <8.06> <4.317>
File: <4> <f4> <13.841> <21.231>
File: <5> <f5> <10.399> <10.309>
File: <6> <f6> <26.925> <14.305>
File: <7> <f7> <10.607> <12.44>
File: <8> <f8> <16.405> <13.834>
File: <9> <f9> <16.823> <18.848>
Work: <0> <2:2 1> <1:3> <2:23.749 17.029> <2:22.114 25.361>
Work: <1> <1:4> <1:5> <2:24.174 14.238> <2:29.524 18.243>
Work: <2> <2:7 6> <1:8> <2:25.768 29.992> <2:22.285 20.033>
Work: <3> <2:9 0> <0:> <2:11.18 22.17> <2:12.986 29.493>]],
    36.757016, 88.2342462222, 84.255016, 149.114901333, 132.603016, 191.827135111, 184.139016, 206.499016,
  },
  {
    policy = planner { map = "sufferage", links = "hybrid", interval = 16.0, strategy = "deviation", margin_policy = "interval", threshold = 0.94, idle_replan = "never", completion = "compute" },
    information = "mean", stranded_wait = true,
    behaviours = { l0 = { bandwidth = { 2, 18, 9 } }, h1 = { 0.73, 0.62 }, h2 = { 0.96, 1 }, l3 = { bandwidth = 13 }, h4 = { 0.75, 0.27, 0.71 }, l5 = { bandwidth = { 20, 18, 1 } }, h6 = { 0.57, 0.56, 0 }, h7 = { 0.25, 1, 0.75, 0.75, 0.5 } },
    grid = [[
0:ADD_CLUSTER <c0> <l0> <1>
0:ADD_HOST <c0> <n0> <h1> <3> <1>
0:ADD_HOST <c0> <n1> <h2> <0> <0>
0:ADD_CLUSTER <c1> <l3> <4>
0:ADD_HOST <c1> <n2> <h4> <0> <0>
0:ADD_CLUSTER <c2> <l5> <4>
0:ADD_HOST <c2> <n3> <h6> <3> <1>
0:ADD_HOST <c2> <n4> <h7> <3> <1>]],
    application = [[
5 2
File: <0> <f0> <87> <90.284>
File: <1> <f1> <13> <7.638>
File: <2> <f2> <18> <26.95>
File: <3> <f3> <7> <9.281>
File: <4> <f4> <2> <1.142>
Work: <0> <2:0 1> <0:> <2:29 17> <2:37.247 11.425>
Work: <1> <2:3 2> <1:4> <2:1 24> <2:1.328 19.149>]],
    10.25, 38.25, 1.38888888889, 2.54166666667,
  },
  {
    policy = planner { map = "min_min", links = "strict", patience = 5.981, steal = true, planning_time = 3.886, count = 1.25, replan = "both", idle_replan = "never", order = "smallest", completion = "compute" },
    information = "declared sw_avg(3) error(0.3) error_seed(964)", stranded_wait = true,
    behaviours = { l0 = { bandwidth = 3.167, latency = 0.867383 }, h1 = { 0.75, 0.75, 0.75, 0.75 }, h2 = { 0, 0, 0.73117 }, h3 = { 0.25, 1 }, l4 = { bandwidth = 2.729 } },
    grid = [[
0:ADD_CLUSTER <c0> <l0> <0>
0:ADD_HOST <c0> <n1> <h2> <3> <0>
2.335:ADD_HOST <c0> <n2> <h3> <4> <0>
9.699:REMOVE_CLUSTER <c0>
9.737:ADD_CLUSTER <c0> <l4> <0>
24.501:ADD_HOST <c0> <n0> <h1> <0> <0>]],
    application = [[
8 3
File: <0> <f0> <41.313> <37.326>
File: <1> <f1> <72.284> <75.638>
File: <2> <f2> <87.109> <126.09>
File: <3> <f3> <4.599> <4.138>
File: <4> <f4> <10.496> <9.207>
File: <5> <f5> <18.848> <27.954>
File: <6> <f6> <6.005> <5.564>
File: <7> <f7> <28.983> <24.505>
Work: <0> <3:1 3 2> <1:4> <1:5.616> <1:4.955>
Work: <1> <1:1> <1:5> <1:15.877> <1:13.423>
Work: <2> <2:7 6> <0:> <1:9.207> <1:13.113>]],
    131.576814828, 142.9109123, 67.6951714914, 95.7710640039, 41.2078134848, 53.4838134848,
  },
  {
    policy = planner { map = "extended_sufferage", links = "hybrid", patience = 3.0, replan = "both", subset = "affinity", subset_size = 4 },
    information = "median(4) error(0.3) error_seed(100066)", unfinished = true,
    behaviours = { l0 = { bandwidth = 12, latency = 0.25 }, h1 = { 0.57, 0.82, 1, 0.75, 1 }, l2 = { bandwidth = 4, latency = 0.25 }, h3 = { 0.96, 1, 0.25, 0 }, l4 = { bandwidth = 14, latency = 0.852 } },
    grid = [[
0:ADD_CLUSTER <c0> <l0> <2>
0:ADD_HOST <c0> <n0> <h1> <2> <0>
0:ADD_CLUSTER <c1> <l2> <4>
0:ADD_HOST <c1> <n1> <h3> <2> <0>
36:REMOVE_HOST <n1>
48:REMOVE_CLUSTER <c0>
64:CHANGE_CLUSTER_BEHAVIOR <c1> <l4> <1>]],
    application = [[
9 4
File: <0> <f0> <90> <47.436>
File: <1> <f1> <17> <14.107>
File: <2> <f2> <27> <15.278>
File: <3> <f3> <19> <13.218>
File: <4> <f4> <6> <5.809>
File: <5> <f5> <20> <11.026>
File: <6> <f6> <15> <22.041>
File: <7> <f7> <18> <28.614>
File: <8> <f8> <22> <29.802>
Work: <0> <1:1> <0:> <2:22 4> <2:31.461 3.262>
Work: <1> <2:0 2> <2:3 4> <2:16 18> <2:17.887 21.205>
Work: <2> <1:5> <1:6> <2:23 15> <2:14.882 17.248>
Work: <3> <2:7 0> <1:8> <2:18 16> <2:23.91 23.849>]],
    1.66666666667, 27.9666666667, false, false, false, false, false, false,
  },
  {
    policy = planner { map = sufferage_2 { jump = "none", suff = "jump" }, links = "hybrid", patience = 3.0, planning_time = 4.0, replan = "none" },
    information = "perfect",
    behaviours = { l0 = { bandwidth = 13 }, h1 = { 1, 0, 0.21 }, h2 = { 0.14, 0.25, 0.44 } },
    grid = [[
0:ADD_CLUSTER <c0> <l0> <3>
0:ADD_HOST <c0> <n0> <h1> <4> <0>
11:ADD_HOST <c0> <n1> <h2> <1> <0>]],
    application = [[
4 2
File: <0> <f0> <1> <0.703>
File: <1> <f1> <10> <10.301>
File: <2> <f2> <9> <9.615>
File: <3> <f3> <11> <17.47>
Work: <0> <2:0 1> <0:> <1:25> <1:20.709>
Work: <1> <1:2> <1:3> <1:7> <1:6.528>]],
    4.84615384615, 68.8095238095, 68.8095238095, 86.5461538462,
  },
  {
    policy = planner { map = "sufferage", links = "hybrid", keep = 1, replan = "none", order = "listed" },
    information = "exp(0.3) error(0.3) error_seed(1145)",
    behaviours = { l0 = { bandwidth = 18 }, h1 = { 0.75, 0.19 }, h2 = 0.25 },
    grid = [[
0:ADD_CLUSTER <c0> <l0> <0>
0:ADD_HOST <c0> <n0> <h1> <3> <1>
0:ADD_HOST <c0> <n1> <h2> <2> <0>
56:REMOVE_HOST <n1>]],
    application = [[
7 2
File: <0> <f0> <90> <46.014>
File: <1> <f1> <25> <36.909>
File: <2> <f2> <24> <34.552>
File: <3> <f3> <26> <26.992>
File: <4> <f4> <27> <16.408>
File: <5> <f5> <30> <24.868>
File: <6> <f6> <28> <20.326>
Work: <0> <2:1 2> <1:3> <2:9 21> <2:10.259 13.272>
Work: <1> <3:5 4 0> <1:6> <2:1 16> <2:1.229 18.365>]],
    2.72222222222, 40.1666666667, 38.7222222222, 44.2777777778,
  },
  {
    policy = planner { map = "max_min", links = "strict", steal = true, keep = 2, replan = "remove", idle_replan = "never" },
    information = "exp(0.3) error(0.3) error_seed(987)",
    behaviours = { l0 = { bandwidth = 13.245 }, h1 = 1, h2 = { 0, 1, 0.51523, 1 } },
    grid = [[
0:ADD_CLUSTER <c0> <l0> <1>
0:ADD_HOST <c0> <n0> <h1> <4> <0>
0:ADD_HOST <c0> <n1> <h2> <1> <0>
63.528:REMOVE_CLUSTER <c0>]],
    application = [[
6 3
File: <0> <f0> <62.7> <65.56>
File: <1> <f1> <2.989> <1.774>
File: <2> <f2> <7.985> <7.426>
File: <3> <f3> <22.485> <28.82>
File: <4> <f4> <8.965> <10.772>
File: <5> <f5> <17.499> <25.972>
Work: <0> <0:> <1:1> <1:16.536> <1:23.605>
Work: <1> <3:0 2 3> <0:> <1:20.217> <1:30.315>
Work: <2> <2:0 4> <1:5> <1:18.696> <1:19.104>]],
    26.407211778, 43.1688818422, 7.03435258588, 41.1128594828, 7.71121177803, 27.728389581,
  },
  {
    policy = planner { map = extended_sufferage { jump = "largest", suff = "jump" }, links = "hybrid", order = "smallest", completion = "compute" },
    information = "declared median(4) error(0.3) error_seed(456)", stranded_wait = true,
    behaviours = { l0 = { bandwidth = 10.289 }, h1 = { 0.5, 0.75, 0.65497 }, l2 = { bandwidth = 16.807 }, h3 = { 0.21615, 0.25, 1 }, h4 = { 0.45623, 0.63232, 0.51611, 0.5 }, h5 = { 0, 0.58588 }, h6 = { 1, 0.93999 } },
    grid = [[
0:ADD_CLUSTER <c0> <l0> <0>
0:ADD_HOST <c0> <n0> <h1> <4> <1>
0:ADD_CLUSTER <c1> <l2> <2>
0:ADD_HOST <c1> <n1> <h3> <2> <1>
0:ADD_HOST <c1> <n2> <h4> <3> <0>
3.725:CHANGE_HOST_BEHAVIOR <n0> <h6> <2>
23.782:ADD_HOST <c1> <n3> <h5> <2> <0>]],
    application = [[
6 2
File: <0> <f0> <26.609> <20.161>
File: <1> <f1> <12.28> <16.051>
File: <2> <f2> <44.547> <55.566>
File: <3> <f3> <29.296> <37.897>
File: <4> <f4> <18.887> <20.607>
File: <5> <f5> <21.606> <11.342>
Work: <0> <1:1> <1:3> <2:1.628 26.363> <2:2.37 21.865>
Work: <1> <4:1 4 0 5> <0:> <2:15.145 12.179> <2:17.94 9.498>]],
    0.730647944309, 6.46623430713, 4.72315106801, 32.240651068,
  },
  {
    policy = planner { map = "min_min", links = "strict", planning_time = 5.825, interval = 6.415, strategy = "deviation", completion = "compute" },
    information = "perfect", stranded_wait = true,
    behaviours = { l0 = { bandwidth = 4.676 }, h1 = { 0.82489, 0.25 }, h2 = { 0.80844, 0.5, 1, 0.5, 0.25 }, l3 = { bandwidth = 5.005 }, h4 = 1, l5 = { bandwidth = 2.94, latency = 0.516457 }, h6 = 0.79229, h7 = 1 },
    grid = [[
0:ADD_CLUSTER <c0> <l0> <3>
0:ADD_HOST <c0> <n0> <h1> <3> <0>
0:ADD_HOST <c0> <n1> <h2> <2> <0>
0:ADD_CLUSTER <c1> <l3> <2>
0:ADD_HOST <c1> <n2> <h4> <4> <0>
0:ADD_CLUSTER <c2> <l5> <3>
0:ADD_HOST <c2> <n3> <h6> <0> <0>
0:ADD_HOST <c2> <n4> <h7> <1> <0>]],
    application = [[
6 2
File: <0> <f0> <51.374> <73.64>
File: <1> <f1> <20.836> <32.661>
File: <2> <f2> <34.297> <52.671>
File: <3> <f3> <81.056> <117.619>
File: <4> <f4> <8.888> <4.492>
File: <5> <f5> <10.798> <9.56>
Work: <0> <1:1> <2:4 5> <1:27.269> <1:24.911>
Work: <1> <0:> <0:> <1:16.551> <1:17.457>]],
    13.4285318299, 48.4263641973, 5.825, 22.376,
  },
  {
    policy = planner { map = "xsufferage", keep = 2, interval = 14.0, strategy = "weighted", margin_policy = "adaptive", margin = 9.0, replan = "none", idle_replan = "never", order = "smallest" },
    information = "perfect", stranded_wait = true,
    behaviours = { l0 = { bandwidth = 2, latency = 0.839 }, h1 = { 0.5, 0.25, 0.2 } },
    grid = [[
0:ADD_CLUSTER <c0> <l0> <2>
0:ADD_HOST <c0> <n0> <h1> <1> <1>]],
    application = [[
8 5
File: <0> <f0> <15> <9.301>
File: <1> <f1> <2> <1.076>
File: <2> <f2> <24> <33.928>
File: <3> <f3> <15> <19.255>
File: <4> <f4> <25> <18.212>
File: <5> <f5> <6> <4.46>
File: <6> <f6> <30> <25.347>
File: <7> <f7> <27> <20.42>
Work: <0> <1:0> <1:1> <2:12 4> <2:7.795 3.906>
Work: <1> <0:> <1:2> <2:25 13> <2:21.832 15.94>
Work: <2> <1:3> <0:> <2:21 11> <2:26.353 12.35>
Work: <3> <1:4> <2:5 6> <2:4 7> <2:4.243 10.187>
Work: <4> <0:> <1:7> <2:12 13> <2:9.671 16.13>]],
    8.339, 21.5102, 19.6712, 72.6746, 59.8356, 95.839, 95.839, 137.5136, 117.8356, 174.6746,
  },
  {
    policy = planner { map = sufferage_2 { jump = "none", suff = "group" }, links = "strict", replan = "remove", idle_replan = "never", order = "listed" },
    information = "declared run_avg",
    behaviours = { l0 = { bandwidth = 1.3 }, h1 = 1, h2 = { 0.39703, 0.5, 0.75, 0 }, h3 = 0.25, l4 = { bandwidth = 10.309 }, h5 = 1 },
    grid = [[
0:ADD_CLUSTER <c0> <l0> <3>
0:ADD_HOST <c0> <n1> <h2> <0> <0>
0:ADD_HOST <c0> <n2> <h3> <4> <0>
0:ADD_CLUSTER <c1> <l4> <2>
0:ADD_HOST <c1> <n3> <h5> <4> <0>
29.402:ADD_HOST <c0> <n0> <h1> <3> <0>]],
    application = [[
5 4
File: <0> <f0> <72.512> <73.96>
File: <1> <f1> <67.33> <67.416>
File: <2> <f2> <24.136> <35.871>
File: <3> <f3> <20.988> <22.041>
File: <4> <f4> <4.32> <4.391>
Work: <0> <0:> <0:> <1:15.716> <1:17.484>
Work: <1> <3:0 1 2> <0:> <1:14.508> <1:17.708>
Work: <2> <2:2 1> <2:3 4> <1:19.271> <1:27.056>
Work: <3> <2:1 0> <0:> <1:25.838> <1:20.217>]],
    0, 15.716, 15.90629547, 30.41429547, 30.41429547, 52.1402377534, 49.68529547, 75.52329547,
  },
  {
    policy = planner { map = "max_min", links = "strict", keep = 3, idle_replan = "never", order = "largest" },
    information = "perfect", stranded_wait = true,
    behaviours = { l0 = { bandwidth = { 10.483, 9.889, 14.523 } }, h1 = { 0.93351, 0.70025, 1 }, h3 = 1, h4 = 1, l5 = { bandwidth = { 13.708, 8.269, 14.597 }, latency = { 0.784418, 0.784418, 0.784418 } }, h6 = { 1, 0, 0.25, 1 }, h7 = { 0.25, 0.5, 0.30339 }, l8 = { bandwidth = 14.458, latency = 0.360104 }, h9 = { 0.75, 0.26164 } },
    grid = [[
0:ADD_CLUSTER <c0> <l0> <4>
0:ADD_HOST <c0> <n0> <h1> <1> <1>
0:ADD_CLUSTER <c2> <l5> <4>
0:ADD_HOST <c2> <n3> <h6> <4> <1>
0:ADD_HOST <c2> <n4> <h7> <1> <1>
19.135:ADD_CLUSTER <c1> <l8> <1>
26.421:ADD_HOST <c1> <n1> <h3> <1> <0>
26.421:ADD_HOST <c1> <n2> <h4> <4> <0>
58.578:CHANGE_HOST_BEHAVIOR <n3> <h9> <3>]],
    application = [[
5 2
File: <0> <f0> <8.031> <7.382>
File: <1> <f1> <90.345> <128.949>
File: <2> <f2> <10.309> <10.179>
File: <3> <f3> <4.516> <4.079>
File: <4> <f4> <27.605> <34.297>
Work: <0> <2:1 0> <1:2> <2:1.207 6.017> <2:1.677 8.639>
Work: <1> <3:3 4 1> <0:> <2:27.529 3.408> <2:25.78 4.202>]],
    8.36920746402, 15.7229870512, 12.6864096828, 17.8296024207,
  },
  {
    policy = planner { map = sufferage_2 { jump = "none", suff = "jump" }, steal = true, planning_time = 1.0, interval = 16.0, stop = "never", replan = "remove", idle_replan = "never", order = "listed" },
    information = "declared run_avg",
    behaviours = { l0 = { bandwidth = 3, latency = 0.25 }, h1 = { 0.75, 0.89, 0.87, 0.75, 0.56 }, l2 = { bandwidth = { 2, 1, 18 }, latency = { 0.25, 0.25, 0.25 } }, h3 = 1 },
    grid = [[
0:ADD_CLUSTER <c0> <l0> <3>
0:ADD_HOST <c0> <n0> <h1> <2> <0>
44:REMOVE_CLUSTER <c0>
53:ADD_CLUSTER <c0> <l2> <2>
73:ADD_HOST <c0> <n0> <h3> <1> <0>]],
    application = [[
10 4
File: <0> <f0> <91> <54.201>
File: <1> <f1> <15> <17.909>
File: <2> <f2> <7> <10.644>
File: <3> <f3> <27> <32.471>
File: <4> <f4> <4> <5.247>
File: <5> <f5> <2> <2.27>
File: <6> <f6> <26> <16.173>
File: <7> <f7> <3> <3.745>
File: <8> <f8> <30> <33.206>
File: <9> <f9> <9> <7.173>
Work: <0> <1:1> <2:2 3> <1:26> <1:20.55>
Work: <1> <0:> <2:4 5> <1:18> <1:17.407>
Work: <2> <2:6 7> <1:8> <1:22> <1:29.99>
Work: <3> <2:0 9> <0:> <1:4> <1:4.169>]],
    74, 102.388888889, 100, 121.5, 118, 144.513888889, 140, 144,
  },
  {
    policy = planner { map = "xsufferage", links = "hybrid", patience = 1.0, keep = 3, count = 2.83, replan = "both", idle_replan = "never" },
    information = "mean",
    behaviours = { l0 = { bandwidth = 19 }, h1 = 1, h2 = { 0.38, 0, 0.28, 0 }, l3 = { bandwidth = { 4, 4, 15 }, latency = { 0.798, 0.798, 0.798 } }, h4 = { 0, 0.75, 0.25, 0.5 }, h5 = { 1, 0.88, 0.71, 1 }, h6 = 1, l7 = { bandwidth = 9 } },
    grid = [[
0:ADD_CLUSTER <c0> <l0> <4>
0:ADD_HOST <c0> <n1> <h2> <3> <0>
0:ADD_CLUSTER <c1> <l3> <0>
0:ADD_HOST <c1> <n3> <h5> <0> <0>
0:ADD_HOST <c1> <n4> <h6> <2> <0>
2:ADD_HOST <c1> <n2> <h4> <3> <0>
4:REMOVE_HOST <n1>
4:REMOVE_HOST <n4>
12:ADD_HOST <c0> <n0> <h1> <3> <0>
14:REMOVE_CLUSTER <c1>
45:CHANGE_CLUSTER_BEHAVIOR <c0> <l7> <1>]],
    application = [[
6 2
File: <0> <f0> <12> <17.011>
File: <1> <f1> <71> <72.336>
File: <2> <f2> <40> <32.045>
File: <3> <f3> <47> <71.94>
File: <4> <f4> <4> <2.428>
File: <5> <f5> <30> <16.164>
Work: <0> <2:2 0> <0:> <1:8> <1:6.448>
Work: <1> <1:0> <2:4 5> <1:12> <1:9.848>]],
    16.7368421053, 24.7368421053, 24.7368421053, 38.5263157895,
  },
  {
    policy = planner { map = "sufferage", keep = 1, interval = 19.344, strategy = "weighted", margin = 2.708 },
    information = "declared mean", stranded_wait = true,
    behaviours = { l0 = { bandwidth = 13.711, latency = 0.396161 }, h1 = 1, h2 = { 0.21183, 0.25, 0.92659, 0.19772, 0.87231 }, l3 = { bandwidth = 18.991 }, h4 = 0.80157, h5 = { 0.75, 0.36168, 0.25, 0.32351, 0.82866 } },
    grid = [[
0:ADD_CLUSTER <c0> <l0> <2>
0:ADD_HOST <c0> <n1> <h2> <4> <0>
0:ADD_CLUSTER <c1> <l3> <2>
0:ADD_HOST <c1> <n3> <h5> <2> <1>
9.488:ADD_HOST <c1> <n2> <h4> <2> <1>
12.849:ADD_HOST <c0> <n0> <h1> <2> <0>]],
    application = [[
9 4
File: <0> <f0> <50.408> <51.778>
File: <1> <f1> <26.452> <22.421>
File: <2> <f2> <17.333> <13.593>
File: <3> <f3> <13.102> <14.519>
File: <4> <f4> <29.257> <30.334>
File: <5> <f5> <17.043> <19.887>
File: <6> <f6> <9.734> <6.273>
File: <7> <f7> <25.344> <25.683>
File: <8> <f8> <9.35> <7.451>
Work: <0> <1:0> <2:1 2> <2:4.702 29.208> <2:3.739 18.568>
Work: <1> <1:0> <1:3> <2:2.208 20.078> <2:2.122 19.425>
Work: <2> <2:4 5> <1:6> <2:22.379 26.912> <2:16.389 34.667>
Work: <3> <1:7> <1:8> <2:8.173 12.93> <2:5.608 12.97>]],
    12.1423099363, 50.886365195, 51.6408284225, 55.5237827659, 4.16917270381, 52.7469303459, 1.33452688115, 28.2698653573,
  },
  {
    policy = planner { map = "xsufferage", patience = 1.906, keep = 2, idle_replan = "always", order = "largest" },
    information = "mean error(0.3) error_seed(1549)",
    behaviours = { l0 = { bandwidth = 1.737, latency = 0.63301 }, h1 = { 1, 0.45, 0.23361, 1 }, h2 = 1, h3 = { 0.25, 0.25, 1, 1 }, l4 = { bandwidth = { 5.291, 16.361, 11.951 }, latency = { 0.467258, 0.467258, 0.467258 } }, h5 = { 0.25, 0.43979, 0.25, 0.60155, 0.47464 }, h6 = 0.5, h7 = 1, l8 = { bandwidth = 2.604 }, h9 = { 0.71857, 0.5, 0.25, 1, 1 }, h10 = 1, h11 = { 0.25, 0.42342 } },
    grid = [[
0:ADD_CLUSTER <c0> <l0> <3>
0:ADD_HOST <c0> <n0> <h1> <2> <0>
0:ADD_HOST <c0> <n1> <h2> <2> <0>
0:ADD_HOST <c0> <n2> <h3> <4> <0>
0:ADD_CLUSTER <c1> <l4> <2>
0:ADD_HOST <c1> <n3> <h5> <2> <0>
0:ADD_HOST <c1> <n4> <h6> <2> <0>
0:ADD_HOST <c1> <n5> <h7> <0> <0>
0:ADD_CLUSTER <c2> <l8> <2>
0:ADD_HOST <c2> <n6> <h9> <2> <0>
0:ADD_HOST <c2> <n7> <h10> <3> <0>
4.836:REMOVE_HOST <n7>
19.25:CHANGE_HOST_BEHAVIOR <n0> <h11> <4>]],
    application = [[
5 1
File: <0> <f0> <23.836> <25.581>
File: <1> <f1> <69.275> <36.351>
File: <2> <f2> <5.229> <3.464>
File: <3> <f3> <53.857> <42.881>
File: <4> <f4> <29.195> <36.044>
Work: <0> <2:1 0> <1:4> <1:8.106> <1:11.724>]],
    10.914214439, 24.3601933695,
  },
  {
    policy = planner { map = extended_sufferage { jump = "classic", suff = "jump" }, links = "strict", patience = 1.988, keep = 2, idle_replan = "always" },
    information = "declared run_avg error(0.3) error_seed(1448)", stranded_wait = true,
    behaviours = { l0 = { bandwidth = 13.92, latency = 0.855926 }, h1 = 1, l2 = { bandwidth = { 6.705, 1.843, 15.578 }, latency = { 0.456253, 0.456253, 0.456253 } }, h3 = { 0.5, 0.57285, 0.85861, 1 }, h4 = { 0.99375, 0.75 }, h5 = 1, l6 = { bandwidth = { 19.257, 18.657, 4.523 }, latency = { 0.25, 0.25, 0.25 } }, h7 = { 0.86766, 0.29797, 0.75, 1, 1 } },
    grid = [[
0:ADD_CLUSTER <c0> <l0> <3>
0:ADD_HOST <c0> <n0> <h1> <1> <0>
0:ADD_CLUSTER <c1> <l2> <1>
0:ADD_HOST <c1> <n2> <h4> <3> <0>
0:ADD_HOST <c1> <n3> <h5> <2> <0>
0:ADD_CLUSTER <c2> <l6> <3>
0:ADD_HOST <c2> <n4> <h7> <2> <0>
7.037:ADD_HOST <c1> <n1> <h3> <1> <0>
13.097:REMOVE_CLUSTER <c2>]],
    application = [[
8 3
File: <0> <f0> <19.214> <26.157>
File: <1> <f1> <6.973> <5.706>
File: <2> <f2> <27.856> <36.799>
File: <3> <f3> <9.568> <11.107>
File: <4> <f4> <24.634> <38.512>
File: <5> <f5> <17.093> <16.773>
File: <6> <f6> <5.082> <6.501>
File: <7> <f7> <23.734> <32.338>
Work: <0> <2:2 0> <2:3 4> <1:4.218> <1:3.885>
Work: <1> <1:5> <1:6> <1:26.921> <1:22.131>
Work: <2> <1:7> <0:> <1:12.117> <1:12.901>]],
    14.6779547356, 23.0648469655, 20.5215910166, 50.0776460086, 2.56095473563, 14.6779547356,
  },
}
for number, case in ipairs(cases) do check(number, case) end
