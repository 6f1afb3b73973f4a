-- LIP RR 1999-46, sentence by sentence: required by the scripts beside it, whose claims name the numbers.
-- takes: nothing
-- test: no

statements {
  source = "LIP RR 1999-46", title = "Using Simulation to Evaluate Scheduling Heuristics for a Class of Applications in Grid Environments",
  { number = "S3-1", where = "Abstract, 1", kind = "conclusion",
    says = "A general scheduling algorithm adapts to grids that are dynamic, shared and heterogeneous, and any strategy or heuristic can be " ..
      "plugged in" },
  { number = "S3-2", where = "Abstract, résumé, 1, 2", kind = "conclusion",
    says = "The simulator makes it possible to conduct large numbers of experiments rapidly, in a variety of environments" },
  { number = "S3-3", where = "Abstract, 5.6", kind = "conclusion",
    says = "Extended sufferage and sufferage II, the report's own heuristics, are ventured as improvements of the accepted min-min, max-min and " ..
      "sufferage, given the model of grid and application" },
  { number = "S3-4", where = "1", kind = "feature",
    missing = "it is about the applications of users; the report has one, the 400 tasks on 22 hosts of Figure 11",
    says = "The number of tasks of a parameter sweep is usually one order of magnitude larger than the number of hosts" },
  { number = "S3-5", where = "1, 2, 9", kind = "feature",
    says = "Simulations are 100 % reproducible" },
  { number = "S3-6", where = "1, 7.1 (i)", kind = "feature", missing = "no real execution in perigee; the report shows none either",
    says = "A scheduler tested in simulation runs for real without any change" },
  { number = "S3-7", where = "2", kind = "conclusion",
    says = "Careful scheduling of the transfers of input files can have a major impact on the performance" },
  { number = "S3-8", where = "2, 4", kind = "feature",
    says = "The number of resources may change: hosts and clusters fail and are added" },
  { number = "S3-9", where = "2", kind = "conclusion",
    says = "The strategy for the intervals between scheduling events accounts for the instability of the grid" },
  { number = "S3-10", where = "2, 5.2.2", kind = "feature", data = "a trace of the Network Weather Service, as behaviours of hosts and links",
    says = "The simulator runs with traces of real measurements, of the Network Weather Service" },
  { number = "S3-11", where = "3, Fig. 1", kind = "feature",
    says = "An application is a set of independent tasks; the input of each is a set of files, shared or not, its output is a file, perhaps " ..
      "of no size, and it runs on one host" },
  { number = "S3-12", where = "4, Fig. 2", kind = "feature",
    says = "A grid is a set of clusters, each behind one link and with one store for its hosts; hosts and links are queues; the number of " ..
      "hosts and of clusters changes; stores have no limit" },
  { number = "S3-13", where = "4", kind = "explanation",
    says = "The bottleneck of transfers is the links between the origin and the clusters, so that contention inside of clusters may be left out" },
  { number = "S3-14", where = "5.1", kind = "feature",
    says = "All inputs are at the origin, which alone sends them; clusters do not exchange files; outputs return to the origin, and their " ..
      "sizes are known or estimated" },
  { number = "S3-15", where = "5.2.1", kind = "comparison",
    says = "Workqueue and work stealing may need no knowledge of run times" },
  { number = "S3-16", where = "5.2.1", kind = "explanation",
    says = "Estimates are needed because of affinities: it is often desirable that a task goes to the machine that performs it fastest" },
  { number = "S3-17", where = "5.2.1", kind = "comparison",
    says = "Heuristics that use estimates generally improve the performance of the application against self-scheduled workqueue" },
  { number = "S3-18", where = "5.2.1", kind = "feature",
    says = "Estimates come from the user, from history and from forecasts; forecasters of the Network Weather Service work on series of the " ..
      "application too" },
  { number = "S3-19", where = "5.2.1", kind = "feature",
    says = "A simple rule: what runs and is not overdue ends as first estimated; what is overdue ends a constant time from now" },
  { number = "S3-20", where = "5.2.1", kind = "comparison",
    says = "A simple rule for what runs may prove effective in fairly stable and predictable environments: what is not overdue ends as first " ..
      "estimated, what is overdue ends a constant time from now" },
  { number = "S3-21", where = "5.2.1", kind = "feature",
    says = "The present way is to estimate the progress of what runs from past measurements of the CPU load" },
  { number = "S3-22", where = "5.2.1", kind = "comparison",
    says = "The time at which a sub-task began and its predicted run time, if reasonably accurate, give a good insight into the time that is left" },
  { number = "S3-23", where = "5.2.1", kind = "feature",
    says = "Unknown sizes of outputs can be taken as all alike, or from a relationship between the volumes of input and output in earlier " ..
      "runs, such as a linear regression" },
  { number = "S3-24", where = "5.2.1", kind = "comparison",
    says = "Unknown sizes of outputs are not critical, for the users know them; experiments will assess the impact" },
  { number = "S3-25", where = "5.2.2", kind = "comparison",
    says = "Stable resources lead to good quality of information; unstable ones make it difficult to obtain accurate estimates" },
  { number = "S3-26", where = "5.2.2", kind = "comparison",
    says = "The quality of information has an impact on schedules; exact estimates, a bounded error, discovered distributions and forecasts " ..
      "are compared by simulation" },
  { number = "S3-27", where = "5.2.2 / 8, 9", kind = "error",
    says = "Section 5.2.2 says that section 7 presents results on the impact of the quality of information, for four ways of obtaining " ..
      "estimates" },
  { number = "S3-28", where = "5.3", kind = "comparison",
    says = "In a perfectly predictable and stable environment do_plan() should be called only once, at the beginning" },
  { number = "S3-29", where = "5.3", kind = "comparison",
    says = "Schedules lose their validity as the environment changes, and scheduling events must be frequent enough for the instability of " ..
      "the grid" },
  { number = "S3-30", where = "5.3", kind = "comparison",
    says = "If planning takes no time one can call it more often than really needed" },
  { number = "S3-31", where = "5.3", kind = "comparison",
    says = "A scheduling algorithm that takes the time to obtain better information could outperform one that uses information that is too old" },
  { number = "S3-32", where = "5.3, 7.3.1", kind = "feature",
    says = "The simulator simulates running times of the scheduling algorithm, while the application makes progress" },
  { number = "S3-33", where = "5.3", kind = "formula",
    says = "With many tasks and resources it can be impractical to call an algorithm of polynomial time too often" },
  { number = "S3-34", where = "5.4, Fig. 4", kind = "feature",
    says = "A task on a host is a graph of sub-tasks: transfers of the inputs that are missing, on the link; the computation, on the host; " ..
      "the transfer of the output, on the link" },
  { number = "S3-35", where = "5.5", kind = "feature",
    says = "At each scheduling event the scheduler knows the topology of the grid, the copies of input files, and the sub-tasks that run" },
  { number = "S3-36", where = "Fig. 5", kind = "feature",
    says = "do_plan() has seven steps: compute the next event; a new chart; draw what runs; select tasks; compute the margin; fill until " ..
      "each host has work after the next event and the margin; " ..
      "convert the chart into lists of instructions" },
  { number = "S3-37", where = "Fig. 6", kind = "example",
    says = "A sample chart: two inputs of a task on the link, its computation, its output on the link; two tasks that share a file begin at " ..
      "the same time on two hosts, and their outputs return one by one" },
  { number = "S3-38", where = "5.5", kind = "feature",
    says = "There is no migration: what has begun ends where it is unless the resource fails, and no plan uses its slot; a multiprocessor " ..
      "has a column for each processor" },
  { number = "S3-39", where = "5.5", kind = "comparison",
    says = "A plan need not place sub-tasks that would begin after the next scheduling event" },
  { number = "S3-40", where = "5.5", kind = "explanation",
    says = "Too small a margin can lead to idle time, if sub-tasks execute faster than estimated" },
  { number = "S3-41", where = "5.5", kind = "formula",
    says = "A margin as long as the interval is acceptable if estimates are at most twice as large as run times" },
  { number = "S3-42", where = "5.5", kind = "comparison",
    says = "The higher the confidence in the estimates, the smaller the margin can be" },
  { number = "S3-43", where = "5.5", kind = "comparison",
    says = "A generous margin has no dramatic effect on the running time of the scheduling algorithm" },
  { number = "S3-44", where = "5.5", kind = "feature",
    says = "The margin can be tuned at each event, beginning with a large value" },
  { number = "S3-45", where = "5.5", kind = "feature",
    says = "A possible heuristic: a task at random goes to the host with the least execution time" },
  { number = "S3-46", where = "5.5 / Fig. 5", kind = "error",
    says = "The chart is full when no sub-task begins after the next event and the margin (5.5); Figure 5 fills it until each host has one " ..
      "that does" },
  { number = "S3-47", where = "5.6", kind = "explanation",
    says = "Because grids are dynamic little can be gained by increasing the sophistication of heuristics beyond a certain point" },
  { number = "S3-48", where = "5.6.1", kind = "comparison",
    says = "A constant interval between scheduling events should be larger than the average running time of a task" },
  { number = "S3-49", where = "5.6.1", kind = "feature",
    says = "The deviation from the plan compares what runs at the next event with what was predicted; S2 tunes the interval by it, S3 with " ..
      "weights of resources; it grows slowly below a threshold and shrinks fast above" },
  { number = "S3-50", where = "5.6.1", kind = "error",
    says = "The deviation from the plan is the percentage of correct predictions. The interval between plans grows as long as the deviation " ..
      "is below a threshold" },
  { number = "S3-51", where = "5.6.1", kind = "comparison",
    says = "Where half of the resources are very stable and half very unstable, the deviation will always lie around 50 %" },
  { number = "S3-52", where = "5.6.1", kind = "explanation",
    says = "Weights detect unstable resources and lower their share in the deviation" },
  { number = "S3-53", where = "5.6.1", kind = "comparison",
    says = "In a dynamic, heterogeneous grid a dynamically tuned interval seems more appropriate than a constant one" },
  { number = "S3-54", where = "5.6.1", kind = "comparison",
    says = "Strategies S2 and S3 tune the interval between plans by the deviation from the plan. A conservative first interval is a good " ..
      "choice for them, for it is allowed to grow" },
  { number = "S3-55", where = "5.6.1", kind = "feature",
    says = "The first interval may be that at which scheduling takes a percentage of the origin's CPU that the user specifies" },
  { number = "S3-56", where = "5.6.1", kind = "explanation",
    says = "New resources would stay idle until the next event; a plan each time that resources are added prevents this" },
  { number = "S3-57", where = "5.6.1", kind = "comparison",
    says = "Of resources that come and go the important case is the new ones" },
  { number = "S3-58", where = "5.6.1", kind = "comparison",
    says = "When resources go, it is reasonable to wait for the next event rather than to plan anew" },
  { number = "S3-59", where = "5.6.1", kind = "feature",
    says = "Plans for additions, for deletions, for both and for neither are compared by simulation" },
  { number = "S3-60", where = "5.6.1", kind = "explanation",
    says = "To leave a few tasks with the hosts avoids idle time while do_plan() runs" },
  { number = "S3-61", where = "5.6.1", kind = "comparison",
    says = "It may not matter that a few tasks are left with the hosts while do_plan() runs, where the scheduling algorithm demands very " ..
      "little computation" },
  { number = "S3-62", where = "5.6.2", kind = "comparison",
    says = "A plan of fewer tasks takes less time to compute" },
  { number = "S3-63", where = "5.6.2", kind = "explanation",
    says = "A random subset of the tasks may cause problems, because exploitable patterns may be ignored" },
  { number = "S3-64", where = "5.6.2", kind = "comparison",
    says = "Subsets with as many tasks as possible that share a large input file are chosen with a view to maximising data re-use" },
  { number = "S3-65", where = "5.6.2", kind = "comparison", missing = "the report has no storage limit, nor has perigee",
    says = "Subsets of tasks that share a large input file will probably be effective where storage is limited" },
  { number = "S3-66", where = "5.6.2", kind = "comparison",
    says = "To limit the number of hosts in place of tasks leaves hosts idle, which in general is not desirable" },
  { number = "S3-67", where = "5.6.2", kind = "feature",
    says = "Applications of tens of thousands of tasks are to be scheduled, for which some heuristics take prohibitive time unless the " ..
      "tasks are limited" },
  { number = "S3-68", where = "5.6.3", kind = "formula",
    says = "Min-min takes time linear in the number of resources and quadratic in the number of tasks, and max-min has the same complexity" },
  { number = "S3-69", where = "5.6.3, C", kind = "feature",
    says = "Ten heuristics, H0 to H9, choose a task and a host again and again" },
  { number = "S3-70", where = "5.6.3", kind = "feature",
    says = "Sufferage here takes the global maximum of sufferage values, in place of the assignments of the literature that may be cancelled" },
  { number = "S3-71", where = "5.6.3", kind = "explanation",
    says = "Max-min lets long tasks run beside short ones, which is no issue if tasks are identical in computation and transfers" },
  { number = "S3-72", where = "5.6.3", kind = "comparison",
    says = "By the authors' intuition a sufferage strategy should lead to better performance than pure min-min or max-min" },
  { number = "S3-73", where = "5.6.3", kind = "explanation",
    says = "Whether input files are present on a cluster has a great impact on sufferage values: where the network is slow or the files are " ..
      "large the task whose files are there goes first" },
  { number = "S3-74", where = "5.6.3", kind = "comparison",
    says = "A full exploration takes exponential time; the sufferage value leads to good approximations of an optimal schedule" },
  { number = "S3-75", where = "5.6.3", kind = "explanation",
    says = "Classical sufferage does not yield good results for tasks that share files on a grid of clusters, because it does not take " ..
      "clusters into account" },
  { number = "S3-76", where = "5.6.3", kind = "comparison",
    says = "Sufferage II has proven quite efficient in most cases" },
  { number = "S3-77", where = "5.6.3", kind = "comparison",
    says = "Some randomness in the choice of hosts can lead to better decisions in certain cases" },
  { number = "S3-78", where = "5.6.3", kind = "explanation",
    says = "It is often the case that several tasks achieve, or are very close to, the minimum or maximum" },
  { number = "S3-79", where = "5.6.3 / 8", kind = "comparison",
    says = "Randomised heuristics lead to better decisions in certain cases (5.6.3). In the experiment of Figure 11 they perform identically to " ..
      "the heuristics that are not randomised (8)" },
  { number = "S3-80", where = "5.6.3 / C", kind = "error",
    says = "Extended sufferage takes the average difference of the best and second group of clusters (5.6.3), which is the height of the " ..
      "first jump (Appendix C)" },
  { number = "S3-81", where = "5.6.4", kind = "feature",
    says = "The inputs of a task are sent in the order of decreasing number of tasks that have not begun and use them" },
  { number = "S3-82", where = "5.6.4", kind = "comparison",
    says = "To send the inputs of a task in the order of decreasing usage, the number of tasks that have not begun and use the file, " ..
      "maximises file locality" },
  { number = "S3-83", where = "5.6.5", kind = "explanation",
    says = "Sub-tasks that could run and are kept from it by the order of a plan should occur only on links, and only behind output files" },
  { number = "S3-84", where = "5.6.5", kind = "example",
    says = "An output that is late keeps the link idle while an input could be sent; to start the first possible sub-task solves this" },
  { number = "S3-85", where = "5.6.5", kind = "comparison",
    says = "Transfers out of order may have dramatic side effects on the run of the application, especially if the blocking task was very " ..
      "close to completion" },
  { number = "S3-86", where = "5.6.5", kind = "explanation",
    says = "It is due to unpredicted resource behaviour that the order of a plan may keep sub-tasks waiting that could be executed at once" },
  { number = "S3-87", where = "5.6.5", kind = "feature",
    says = "In-order and out-of-order transfers and hybrids of them are simulated" },
  { number = "S3-88", where = "6.1", kind = "comparison", data = "a task set of MCell, with its files and run times",
    says = "MCell tasks share large files, and exploiting this is the key to performance on a wide-area grid" },
  { number = "S3-89", where = "6.2, 6.3", kind = "feature",
    says = "Four interfaces, to the application, the grid system (five functions), information services and forecasts, make it easy to plug " ..
      "in other components" },
  { number = "S3-90", where = "6.3", kind = "feature",
    says = "The forecasting modules work on arbitrary time series" },
  { number = "S3-91", where = "7.1 (ii), (iii)", kind = "feature",
    says = "Different simulations of the grid can be put behind the standard interface. The real running time of the scheduling algorithm " ..
      "can be evaluated, and not only its complexity" },
  { number = "S3-92", where = "7.1", kind = "feature",
    says = "Each part of the information on a simulated grid can be a constant value, samples of any distribution, or any time series" },
  { number = "S3-93", where = "7.1", kind = "feature",
    says = "The simulator can remove hosts and whole clusters, and add them, during a run" },
  { number = "S3-94", where = "5.2.2, 5.6.1, 5.6.5 / 7.1, 7.3.3, 9", kind = "error",
    says = "The simulations of section 5 try intervals by the deviation from the plan, with and without weights, both orders of transfers " ..
      "and hybrids of them, and several qualities of information" },
  { number = "S3-95", where = "7.2, Fig. 8", kind = "feature",
    says = "The software has four data structures. A disk has a name, files, hosts and a queue of files; a host has a disk and a queue of " ..
      "works. A work has inputs and outputs; a file has a name, a size, its users and its producers; all have behaviours or estimates" },
  { number = "S3-96", where = "7.2.1", kind = "feature",
    says = "A behaviour file begins with the number of its values, which repeat for ever, one each 5 s, or as it is customised. Those of a " ..
      "link are latencies in ms and bandwidths in B/s, those of a host percentages; a single value makes a stable resource. The offset in an " ..
      "event is the index of the first value" },
  { number = "S3-97", where = "7.2.1", kind = "feature",
    says = "A grid file begins with a version number. It has six events: a cluster or a host is added, is removed, or gets another " ..
      "behaviour. Section 7.2.1 prints the arguments of each" },
  { number = "S3-98", where = "7.2.1", kind = "feature",
    says = "A cluster that is removed takes its hosts along: the tasks that run there fail, and its files are unavailable until the cluster " ..
      "is back. The tasks that run on a host that is removed fail" },
  { number = "S3-99", where = "7.2.1", kind = "feature",
    says = "The events of a grid file are sorted by time; blank lines and lines that begin with # are ignored. Architecture types of hosts " ..
      "simulate affinities of tasks and hosts" },
  { number = "S3-100", where = "7.2.1", kind = "explanation",
    says = "To change the behaviour of a host or a link during a run simulates sudden load or contention. This tests how robust a scheduling " ..
      "algorithm is to sudden changes" },
  { number = "S3-101", where = "7.2.1 / A", kind = "error",
    says = "The syntax of the events of a grid file has the time in angle brackets, as it has the arguments" },
  { number = "S3-102", where = "7.2.2", kind = "feature",
    says = "An application file has a version and the numbers of files and tasks. A file has an id, a name, a real and an estimated size; a " ..
      "task has an id, inputs, outputs, real and estimated times on each architecture. Ids count from 0, a file stands before the tasks that " ..
      "use it, and comments are ignored" },
  { number = "S3-103", where = "7.2.2", kind = "feature",
    says = "The real sizes and times of an application file drive the simulator, the estimated ones the scheduler. So the effect of " ..
      "inaccurate information on the schedule can be studied" },
  { number = "S3-104", where = "7.3, Fig. 9", kind = "feature",
    says = "The scheduler is called only when events occur. do_plan() plans for long and fills the queues of hosts and links. do_schedule() " ..
      "takes work from these queues and copes with resources that are not as predicted" },
  { number = "S3-105", where = "7.3.1", kind = "comparison",
    says = "If the times of plans are well chosen, do_schedule() should not need to call do_plan() unless new hosts become available" },
  { number = "S3-106", where = "7.3.1", kind = "feature",
    says = "While do_plan() runs, hosts and links work from temporary queues of a few works or files. These are merged with the real queues " ..
      "when do_plan() ends" },
  { number = "S3-107", where = "7.3.2", kind = "feature",
    says = "Seven functions notify the scheduler. Those for a new host, a work done and a file transfer done call do_schedule(). Those for " ..
      "new work, and for a work, a host or a disk that failed, need not" },
  { number = "S3-108", where = "7.3.2", kind = "feature",
    says = "When a host fails its queue is emptied, and its works wait for the next do_plan(). When a disk fails all its hosts count as " ..
      "failed, and its queue of files is emptied" },
  { number = "S3-109", where = "7.3.3, Fig. 10", kind = "feature",
    says = "do_schedule() starts the first work in the queue of a free host if that work is ready. For a free host whose queue is empty it may " ..
      "take a ready work of another host of the cluster. It asks for a plan then, whether or not it took one" },
  { number = "S3-110", where = "7.3.3, Fig. 10", kind = "feature",
    says = "From the head of the queue of a free link do_schedule() passes over outputs that are not ready, and sends the next file if that is " ..
      "ready" },
  { number = "S3-111", where = "7.3.4", kind = "feature",
    says = "The scheduler acts on the grid by five functions: they store, remove and retrieve files, and start and cancel computations" },
  { number = "S3-112", where = "7.4", kind = "feature",
    says = "do_plan() leaves a fixed number of works in the queue of each host, and in those of links the files of these works. It considers " ..
      "all other tasks. It schedules a number of tasks in proportion to the available hosts" },
  { number = "S3-113", where = "5.3 / 7.4, 8", kind = "comparison",
    says = "In a perfectly predictable and stable environment do_plan() should be called only once (5.3). In the experiment of section 8, which " ..
      "is in such an environment and plans a number of tasks in proportion to the hosts (7.4), it is called only once" },
  { number = "S3-114", where = "8", kind = "number",
    says = "10 heuristics on 4 grids with 4 applications lead to 160 makespans" },
  { number = "S3-115", where = "8", kind = "feature",
    says = "A script generates application files. It makes regular patterns of file access and perturbs them at random. Sizes and times are " ..
      "constant or drawn from given distributions, and the ratio of computation to communication can be changed" },
  { number = "S3-116", where = "8", kind = "feature",
    missing = "whether a run is repeated shows in the store below --out, which no script reads; a test of perigee's own looks at it",
    says = "A script runs the simulator and stores results in a database, so that the user need not avoid running a simulation twice. Other " ..
      "scripts extract, sort and draw results. Each run can be described completely" },
  { number = "S3-117", where = "8", kind = "feature",
    says = "In Figure 11 clusters of 4, 6 and 12 hosts are available at 100, 70 and 30 %, behind links of 10 KB/s. 400 tasks in 8 chunks of " ..
      "50 each read the file of their chunk and two of their own, and write one file. Times are uniform in [90,110] s, own files and outputs " ..
      "in [8,12] KB; estimates are perfect, and files are sent as they become available" },
  { number = "S3-118", where = "Fig. 11", kind = "number", missing = "no value of the figure is legible",
    says = "Figure 11 shows the curves of six heuristics by the size of the shared files" },
  { number = "S3-119", where = "8", kind = "number", missing = "the sizes on the axis of the figure are not legible",
    says = "4800 and 9600 are the last two sizes of a shared file in Figure 11" },
  { number = "S3-120", where = "8", kind = "comparison",
    says = "For shared files of 4800 and 9600 Kb, where other sizes are in Kbyte, max-min yields the same performance as the sufferage-based " ..
      "heuristics: read as kilobits, 600 and 1200 KB" },
  { number = "S3-121", where = "8", kind = "comparison",
    says = "Workqueue leads to very bad performance in the experiment of Figure 11" },
  { number = "S3-122", where = "8", kind = "explanation",
    says = "Workqueue performs very badly in the experiment of Figure 11 because it cannot take advantage of the input files that the tasks " ..
      "of a chunk share" },
  { number = "S3-123", where = "8", kind = "comparison",
    says = "The basic version of sufferage leads to very bad performance in the experiment of Figure 11, as workqueue does" },
  { number = "S3-124", where = "8, 5.6.3", kind = "explanation",
    says = "The basic version of sufferage performs very badly in the experiment of Figure 11 because it computes sufferage values at the " ..
      "level of hosts and not of clusters" },
  { number = "S3-125", where = "8", kind = "comparison",
    says = "All curves of Figure 11 are pseudo-linear but that of max-min" },
  { number = "S3-126", where = "8", kind = "comparison",
    says = "Extended sufferage and sufferage II lead to the best performance in Figure 11, for all sizes of the shared files" },
  { number = "S3-127", where = "8", kind = "comparison",
    says = "Min-min leads to worse performance than the sufferage-based heuristics in Figure 11" },
  { number = "S3-128", where = "8", kind = "explanation",
    says = "Min-min is worse than the sufferage-based heuristics in Figure 11 because it fails to capture all patterns of file access" },
  { number = "S3-129", where = "8", kind = "comparison",
    says = "Randomised min-min, max-min, sufferage and extended sufferage lead to identical performance as those that are not randomised, in " ..
      "the experiment of Figure 11" },
  { number = "S3-130", where = "8", kind = "comparison",
    says = "For shared files of 4800 and 9600 KB in Figure 11 max-min yields the same performance as the sufferage-based heuristics" },
  { number = "S3-131", where = "8", kind = "explanation",
    says = "At the two largest sizes of Figure 11 max-min performs as the sufferage-based heuristics by an idiosyncrasy of the application " ..
      "against the grid. This cannot be observed in the general case" },
  { number = "S3-132", where = "8", kind = "comparison",
    says = "A few changes of the grid of Figure 11 would make the curve of max-min linear, between those of min-min and sufferage. This " ..
      "seems to be the general case" },
  { number = "S3-133", where = "8", kind = "conclusion",
    says = "Simulation results must be interpreted with care: only a wide variety of results is meaningful for comparing heuristics" },
  { number = "S3-134", where = "8", kind = "conclusion",
    says = "A grid without failures of hosts and changes of load is not very realistic. It provides adequate initial guidance for " ..
      "understanding how scheduling algorithms behave" },
  { number = "S3-135", where = "9 (i)", kind = "conclusion",
    says = "Workqueue strategies are not well adapted to parameter sweep applications with patterns of file sharing" },
  { number = "S3-136", where = "9 (ii)", kind = "conclusion",
    says = "Sufferage-based heuristics are more adapted to the exploitation of patterns of file sharing" },
  { number = "S3-137", where = "9", kind = "conclusion",
    says = "The challenge for new heuristics is a good trade-off between computational complexity, effectiveness, and sensitivity to " ..
      "information of bad quality" },
  { number = "S3-138", where = "A", kind = "example",
    says = "The example grid of Appendix A has 22 events. 6 clusters and 12 hosts are added, 2 clusters are removed, a host and a cluster " ..
      "get another behaviour. Hosts have architectures 0 and 1, and offsets go up to 13" },
  { number = "S3-139", where = "A", kind = "example", missing = "the behaviour files of the example grid are not printed",
    says = "The example application of Appendix B runs on the example grid of Appendix A" },
  { number = "S3-140", where = "A", kind = "error",
    says = "The example grid of Appendix A contains 6 clusters with transient hosts. The behaviour of the link of cluster3 changes at 1550 s" },
  { number = "S3-141", where = "B", kind = "example",
    says = "The example application of Appendix B has 22 files and 12 tasks of 3 inputs and 1 output, on 3 architectures. File 2 is an input " ..
      "of 9 tasks. Sizes are declared exactly, run times with errors of at most 14.7 %" },
  { number = "S3-142", where = "C", kind = "formula",
    says = "The minimum completion time (MCT) of a task is the least of its estimated completion times on all hosts. Any host that achieves " ..
      "it may be taken; to draw it makes the randomised heuristics" },
  { number = "S3-143", where = "C", kind = "formula",
    says = "Min-min takes the task with the least minimum completion time (MCT), max-min that with the largest. Each assigns the task to the " ..
      "host that achieves its MCT" },
  { number = "S3-144", where = "C", kind = "error",
    says = "Sufferage compares the best host of a task with its second best. The second best is the best host with another cluster and with " ..
      "another number in its cluster, j ~= c and k ~= h" },
  { number = "S3-145", where = "C", kind = "formula",
    says = "The sufferage value of a task can be 0 if several hosts achieve its minimum completion time (MCT)" },
  { number = "S3-146", where = "C", kind = "formula",
    says = "Extended sufferage orders the minimum completion times (MCTs) of a task on the clusters. A task suffers by the first step that " ..
      "is larger than the mean of the steps plus one standard deviation. The task that suffers most goes first, to the host of its MCT" },
  { number = "S3-147", where = "C", kind = "error",
    says = "The first jump is the first step between the ordered completion times of a task on clusters that is larger than the mean of the " ..
      "steps plus one standard deviation. Extended sufferage and sufferage II use it, in Figure 11 on three clusters" },
  { number = "S3-148", where = "C", kind = "explanation",
    says = "The first jump captures more of the patterns of file access than the difference of the best and the second best cluster. " ..
      "Simulation shows that it is effective" },
  { number = "S3-149", where = "Fig. 12", kind = "example", missing = "no value of the figure is legible",
    says = "Figure 12 plots the ordered completion times of two tasks on clusters. Under extended sufferage task (b) goes first" },
  { number = "S3-150", where = "C", kind = "formula",
    says = "Sufferage II takes the task with the fewest clusters before its first jump, and of equals that with the larger jump. The task " ..
      "goes to its best cluster" },
  { number = "S3-151", where = "Fig. 13", kind = "example", missing = "no value of the figure is legible",
    says = "Figure 13 plots the ordered completion times of two tasks on clusters. Under sufferage II task (a) goes first" },
  { number = "S3-152", where = "C", kind = "error",
    says = "Sufferage II orders tasks by a relation that is printed as \"precedes or equals\" and called an order" },
  { number = "S3-153", where = "5.1, 5.2.2, 7.3.2, 7.4", kind = "error",
    says = "Section 5.1 refers to section 1 for the application model, and section 7.4 to section 3 for the time that do_plan() takes. The " ..
      "third and the fourth way of estimating in section 5.2.2 are both (iii). sched_new_work() moves new hosts to the list of works" },
}
