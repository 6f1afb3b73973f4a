-- What Mamat 2011 says, sentence by sentence: required by the scripts beside it, whose claims name the numbers.
-- takes: nothing
-- test: no

statements {
  source = "Mamat, 2011", title = "Real-Time Divisible Load Scheduling for Cluster Computing",
  { number = "S2-1", where = "Abstract, 1, 8", kind = "conclusion",
    says = "The four new real-time divisible load scheduling approaches give assured quality of service: a task that is admitted is done by its "
      .. "deadline." },
  { number = "S2-2", where = "Tables 1.1, 6.1", kind = "number", missing = "sizes of clusters in 2011, which nothing here can show to be otherwise",
    says = "All of the listed OSG clusters have more than one thousand CPUs, and the largest has over 40 thousand." },
  { number = "S2-3", where = "Figs 1.1, 1.2, 6.1, 6.2, 6.11; 6.4.2", kind = "number",
    data = "lengths of the queues of three clusters, which are not published",
    says = "In logs of three clusters the queue grows from 3,000 to 17,000 tasks in one hour, and from 15,000 to 25,000 in about three hours. It "
      .. "has more than 5,000 on average in busy hours, and 37,000 at most." },
  { number = "S2-4", where = "1, 6.1, 8 (3)", kind = "conclusion",
    says = "The best earlier algorithm takes more than 11 hours to decide on the 14,000 tasks that arrive in an hour. FAST-EDF-IIT takes 37 "
      .. "minutes." },
  { number = "S2-5", where = "1, 2.4, 7.1, 8 (4)", kind = "conclusion",
    says = "Schedulers without feedback perform well in predictable environments, and could be unacceptably poor in open and dynamic ones. As "
      .. "they are designed for the worst case, system utilization is often extremely low." },
  { number = "S2-6", where = "2.3, 6.1", kind = "conclusion",
    says = "FAST-EDF-IIT performs similarly to earlier algorithms in real-time guarantees and in the utilization of cluster resources." },
  { number = "S2-7", where = "3.1, 3.2", kind = "feature",
    says = "A task has an arrival time, a size and a relative deadline. A reservation has an arrival time, a start, an end, a number of nodes "
      .. "and a share of its time for transmission. Costs are linear with set-ups, nodes are identical, results cost nothing, and the head "
      .. "node does not compute." },
  { number = "S2-8", where = "3.2 against Fig. 4.1", kind = "error",
    says = "The head node sends one chunk at a time (Section 3.2). A task that the test of Figure 4.1 admits meets its deadline." },
  { number = "S2-9", where = "4.2.1, Eq. 4.1", kind = "formula",
    says = "MWF takes tasks in the order of their workload derivatives w(n_min + 1) - w(n_min), the largest first, where w(n) is n times the "
      .. "execution time on n nodes. It gives each task the minimum number of nodes n_min." },
  { number = "S2-10", where = "4.2.2, 4.5.1", kind = "formula",
    says = "On n nodes the execution time is least when all nodes end together (OPR). So OPR takes no longer than equal parts (EPR), and needs "
      .. "no more nodes for a deadline." },
  { number = "S2-11", where = "4.2.4, Fig. 4.1", kind = "feature",
    says = "One framework with three decisions gives ten algorithms: EDF and FIFO, each with OPR or EPR and with MN or AN, and MWF with OPR or "
      .. "EPR and with MN." },
  { number = "S2-12", where = "4.2.4, Fig. 4.1", kind = "formula",
    says = "The schedulability test accepts a task only if it and all tasks that were accepted before meet their deadlines. So no accepted task "
      .. "is late." },
  { number = "S2-13", where = "Fig. 4.1", kind = "error",
    says = "With AN the schedulability test of Figure 4.1 has a task start when all N nodes are free, and gives it min(N, n*) of them." },
  { number = "S2-14", where = "4.3.1, Eqs 4.2-4.6", kind = "formula",
    says = "With OPR and set-ups the parts of a task follow a recursion, a_(j+1) = beta a_j - phi, and add up to 1. The execution time is "
      .. "theta_cm + theta_cp + size (tau + chi) B(n), with B(n) in closed form (Equation 4.6)." },
  { number = "S2-15", where = "4.3.1, Eq. 4.7", kind = "formula",
    says = "With OPR the minimum number of nodes of a task is the smallest n whose execution time is no more than the time from its start to its "
      .. "deadline." },
  { number = "S2-16", where = "4.3.1", kind = "formula",
    says = "Without set-ups the execution time with OPR is that of earlier work, size (tau + chi)(1 - beta)/(1 - beta^n)." },
  { number = "S2-17", where = "4.3.1, 4.4, 4.5", kind = "error",
    says = "Equation 4.6 is the execution time on any number of nodes. The mean deadline is DCRatio times what it gives for all N = 256 nodes." },
  { number = "S2-18", where = "4.3.1", kind = "example",
    says = "On a network of 40 Gb/s with a latency of 100 ms, latency is about a third of the time to send 1 GB." },
  { number = "S2-19", where = "4.3.2, Eq. 4.8", kind = "formula",
    says = "With equal parts the execution time on n nodes is n theta_cm + size tau + theta_cp + size chi / n." },
  { number = "S2-20", where = "4.3.2, Eqs 4.9, 4.10", kind = "error",
    says = "The minimum number of nodes with equal parts follows from a quadratic equation. Where its discriminant is positive, the number is "
      .. "the lower root rounded up, 1 if that root is below 1, and none if the upper root is below 1." },
  { number = "S2-21", where = "Fig. 4.5a, 4.4", kind = "comparison",
    says = "With small set-up costs a task takes less time with each further node." },
  { number = "S2-22", where = "Fig. 4.5b, 1, 4.1", kind = "number",
    says = "With significant set-up costs a further node no longer always makes a task shorter. In the example of Figure 4.5b the execution time "
      .. "is least on n* = 63 nodes." },
  { number = "S2-23", where = "4.4", kind = "formula",
    says = "With significant set-up costs each task has one number of nodes n* on which its execution time is least." },
  { number = "S2-24", where = "4.4", kind = "comparison",
    says = "Where n* is less than N, n* nodes for a task save resources and give the least execution time, against all N nodes." },
  { number = "S2-25", where = "4.5, 6.4", kind = "feature",
    says = "The simulator DLSim has a workload generator, a cluster configuration, a real-time scheduler, a dispatcher and a log. A cluster is "
      .. "given by N, tau, chi and two set-up costs." },
  { number = "S2-26", where = "4.5, 5.4.1, Eqs 4.11, 4.12", kind = "feature",
    says = "Times between arrivals are exponential, sizes normal with the mean as deviation, and deadlines uniform from half to three halves of "
      .. "DCRatio times the execution time of the mean size on N nodes, above that of the task. SystemLoad is the execution time of the mean "
      .. "size on one node, times the arrival rate, divided by N. It can be given in place of the arrival rate." },
  { number = "S2-27", where = "4.5, 6.4.1, 6.4.3, 7.2", kind = "feature",
    says = "Task reject ratio is the number of rejections divided by that of arrivals. System utilization is the time for which nodes receive or "
      .. "compute, divided by all the time for which they are available." },
  { number = "S2-28", where = "4.5, 5.4.1, 7.3", kind = "error",
    says = "Sizes of tasks are normally distributed with mean Avg size and a standard deviation equal to it." },
  { number = "S2-29", where = "4.5, 5.4.1", kind = "explanation",
    says = "A point of a figure is the mean of ten simulations of 10,000,000 time units each, which is sufficiently long." },
  { number = "S2-30", where = "Fig. 4.6a", kind = "comparison",
    says = "EDF-OPR-MN always leads to a lower reject ratio than EDF-EPR-MN." },
  { number = "S2-31", where = "Fig. 4.6b", kind = "comparison",
    says = "EDF-OPR-MN always leads to a higher utilization than EDF-EPR-MN." },
  { number = "S2-32", where = "Fig. 4.6a", kind = "comparison",
    says = "EDF-OPR-AN always leads to a lower reject ratio than EDF-EPR-AN." },
  { number = "S2-33", where = "Fig. 4.6b", kind = "comparison",
    says = "EDF-OPR-AN always leads to a higher utilization than EDF-EPR-AN." },
  { number = "S2-34", where = "4.5.1", kind = "explanation",
    says = "OPR is better than EPR because its partition takes the least execution time, so that more tasks meet their deadlines and the cluster "
      .. "is better utilized." },
  { number = "S2-35", where = "4.5.1", kind = "comparison",
    says = "OPR is better than EPR for the other pairs of algorithms too, FIFO with MN, FIFO with AN, and MWF with MN." },
  { number = "S2-36", where = "4.5.1", kind = "comparison",
    says = "OPR always performs better than EPR also where the number of nodes or the mean size of tasks is changed, one at a time." },
  { number = "S2-37", where = "Fig. 4.7", kind = "comparison",
    says = "EDF-OPR-AN performs better than EDF-EPR-AN at each DCRatio from 2 to 100, in task reject ratio and system utilization." },
  { number = "S2-38", where = "Fig. 4.7, 4.5.1 b)", kind = "comparison",
    says = "At loads below 0.8 the performance of EDF-EPR-AN comes closer to that of EDF-OPR-AN as DCRatio grows, in task reject ratio and "
      .. "system utilization." },
  { number = "S2-39", where = "4.5.1", kind = "explanation",
    says = "EPR comes closer to OPR as DCRatio grows because longer execution times matter less where deadlines are loose and resources "
      .. "plentiful." },
  { number = "S2-40", where = "Fig. 4.8", kind = "comparison",
    says = "EDF-OPR-MN performs better than EDF-EPR-MN at each processing cost chi from 100 to 10000, in task reject ratio and system "
      .. "utilization." },
  { number = "S2-41", where = "Fig. 4.8, 4.5.1 c)", kind = "comparison",
    says = "The differences between EDF-OPR-MN and EDF-EPR-MN become less significant as the processing cost chi grows." },
  { number = "S2-42", where = "Fig. 4.8", kind = "comparison",
    says = "At chi = 10000 the curves of EDF-OPR-MN and EDF-EPR-MN are almost the same, in task reject ratio and system utilization." },
  { number = "S2-43", where = "4.5.1", kind = "explanation",
    says = "As the ratio of tau to chi approaches 0, beta approaches 1, and the parts of OPR on n nodes approach the equal parts 1/n of EPR." },
  { number = "S2-44", where = "4.5.1", kind = "error",
    says = "Where the ratio of tau to chi is near 0, as with chi = 10000, OPR and EPR perform the same." },
  { number = "S2-45", where = "4.5.1 a)-c)", kind = "conclusion",
    says = "Algorithms with OPR always perform better than those with EPR, whatever the system parameters are." },
  { number = "S2-46", where = "4.5.2, Fig. 4.6", kind = "comparison",
    says = "Initial data seem to indicate that EDF-OPR-AN performs better than EDF-OPR-MN most of the time, in task reject ratio and system "
      .. "utilization." },
  { number = "S2-47", where = "4.5.2", kind = "error",
    says = "In the basic simulation model, whose set-up costs are 500, initial data seem to indicate that EDF-OPR-AN rejects fewer tasks than "
      .. "EDF-OPR-MN most of the time." },
  { number = "S2-48", where = "Fig. 4.9a", kind = "comparison",
    says = "EDF-OPR-MN rejects more tasks than EDF-OPR-AN where the transmission cost tau is small, and fewer where it is large." },
  { number = "S2-49", where = "Fig. 4.9a, 4.5.2 b)", kind = "comparison",
    says = "The performance of EDF-OPR-MN relative to EDF-OPR-AN improves as the transmission cost tau grows." },
  { number = "S2-50", where = "4.5.2", kind = "explanation",
    says = "MN gains on AN as tau grows because nodes are idle while data are sent. This overhead is larger with AN, grows with tau, and so "
      .. "affects AN more." },
  { number = "S2-51", where = "4.5.2, 8 (1)", kind = "conclusion",
    says = "MN is not always better than AN, as was claimed before: it performs better in some scenarios, and AN in others." },
  { number = "S2-52", where = "Fig. 4.9b, 4.5.2 c)", kind = "comparison",
    says = "As DCRatio grows from 2 to 10, the task reject ratio of EDF-OPR-MN less that of EDF-OPR-AN gets smaller." },
  { number = "S2-53", where = "4.5.2", kind = "explanation",
    says = "MN gains on AN as DCRatio grows because with longer deadlines MN gives a task fewer nodes, which makes less overhead. The nodes and "
      .. "the overhead of AN stay the same." },
  { number = "S2-54", where = "Fig. 4.10", kind = "comparison",
    says = "At tau = 1 the curve of task reject ratios of EDF-OPR-MN lies below that of MWF-OPR-MN." },
  { number = "S2-55", where = "Figs 4.10-4.12", kind = "comparison",
    says = "As tau rises from 1 to 20 the performance of MWF improves relative to EDF and FIFO." },
  { number = "S2-56", where = "Fig. 4.12", kind = "comparison",
    says = "At tau = 20 MWF has a lower task reject ratio than EDF at most loads." },
  { number = "S2-57", where = "4.5.3", kind = "comparison",
    says = "In all 20 simulations, with tau from 1 to 20, EDF always has a lower task reject ratio than FIFO." },
  { number = "S2-58", where = "4.6 b)", kind = "comparison",
    says = "EDF always performs better than FIFO, in all 20 simulations (Section 4.5.3). EDF performs better than FIFO most of the time (Section "
      .. "4.6)." },
  { number = "S2-59", where = "4.5.3, 4.6 d)", kind = "comparison",
    says = "Of EDF, FIFO and MWF the last always has the worst system utilization." },
  { number = "S2-60", where = "4.5.3", kind = "comparison",
    says = "Even where MWF has the best task reject ratio of EDF, FIFO and MWF, its system utilization is the worst." },
  { number = "S2-61", where = "4.5.3", kind = "formula",
    says = "The larger a task is, the larger its workload derivative tends to be." },
  { number = "S2-62", where = "4.5.3, 4.6 d)", kind = "explanation",
    says = "MWF has the worst system utilization because it is likely to reject large tasks. They go first and break the deadlines of small "
      .. "tasks." },
  { number = "S2-63", where = "4.6 a), c)", kind = "conclusion",
    says = "The best order of tasks depends on system and workload. MWF has no advantage where tau is small, and becomes better than EDF and "
      .. "FIFO as tau grows." },
  { number = "S2-64", where = "4.5.3", kind = "explanation",
    says = "MWF performs well where the parallel overhead of tasks is significant compared to their computing time." },
  { number = "S2-65", where = "Figs 4.6-4.12", kind = "number",
    missing = "values in images, which cannot be read; the load of Figure 4.9 and the DCRatio of Figures 4.9a to 4.12 are not given",
    says = "Curves of the algorithms with set-up costs: 80 values in Figure 4.6, 120 each in Figures 4.7 and 4.8, two curves in Figure 4.9, and "
      .. "180 values in Figures 4.10 to 4.12." },
  { number = "S2-66", where = "5.2, Algs 1-4, Figs 5.1-5.4", kind = "feature",
    says = "A reservation is rejected if too few nodes are free, if its transmission overlaps that of another, or if an admitted task would be "
      .. "late. Tasks are cut into stages around the transmissions of reservations. Nothing is preempted." },
  { number = "S2-67", where = "Alg. 3, lines 13-14", kind = "error",
    says = "Algorithm 3 subtracts the time that reservations take from the time before the deadline of a task. What it admits can be done in "
      .. "time." },
  { number = "S2-68", where = "Algs 3, 4", kind = "error",
    says = "Algorithms 3 and 4, as printed, count the time for which nodes are available and the starts of the next stage." },
  { number = "S2-69", where = "Lemmas 5.3.1-5.3.3", kind = "formula",
    says = "Within a stage the load that can be dispatched is no less than the load that the admission test estimates, for nodes that become "
      .. "free at once or at different times. So the task meets its deadline." },
  { number = "S2-70", where = "Lemma 5.3.4, Theorem 5.3.5, Eq. 5.38", kind = "formula",
    says = "Over several stages the load that is dispatched is no less than the load that the admission test estimates. So the algorithm with "
      .. "reservations is correct." },
  { number = "S2-71", where = "5.2.1", kind = "explanation",
    says = "The admission test of tasks with reservations assumes the worst case of blocking." },
  { number = "S2-72", where = "5.4.1", kind = "feature",
    says = "Some tasks of a workload are selected and become reservations, which are asked for Delta before their start. Their share and the "
      .. "advance factor Delta vary from run to run. N, tau and chi stay the same." },
  { number = "S2-73", where = "Alg. 5", kind = "formula",
    says = "Algorithm 5 turns a task into a reservation of n_min = ceil(ln gamma / ln beta) nodes for the execution time E on them. Its share "
      .. "for transmission is size tau / E, and it is asked for Delta before its start." },
  { number = "S2-74", where = "5.4.1", kind = "error",
    says = "A workload in which some tasks have become reservations has the same SystemLoad as the original one." },
  { number = "S2-75", where = "Fig. 5.12", kind = "example",
    says = "Of ten tasks the ninth becomes a reservation that arrives before task 4. Tasks 1, 2 and 3 and the reservation are scheduled first, "
      .. "and then tasks 4 to 8 and 10." },
  { number = "S2-76", where = "5.4.1", kind = "comparison",
    says = "The earlier a reservation is asked for, the greater its chance of being accepted." },
  { number = "S2-77", where = "5.4.2, 5.5 1)", kind = "number",
    says = "In all simulations with reservations each accepted task is done by its deadline, and each accepted reservation starts and ends at "
      .. "the specified times." },
  { number = "S2-78", where = "Fig. 5.13", kind = "comparison",
    says = "Where reservations are asked for at their start (Delta = 0), the task reject ratio increases as their share grows from 0 to 100 %." },
  { number = "S2-79", where = "Fig. 5.14", kind = "comparison",
    says = "Where reservations are asked for at their start (Delta = 0), system utilization decreases as their share grows from 0 to 100 %, and "
      .. "is highest without any." },
  { number = "S2-80", where = "5.4.2", kind = "explanation",
    says = "With a larger share of reservations more is rejected, because they leave the scheduler little flexibility. Divisible tasks can start "
      .. "at any time and on any number of nodes." },
  { number = "S2-81", where = "Fig. 5.15", kind = "comparison",
    says = "Where reservations are asked for a mean time between arrivals in advance (Delta = 1/lambda), task reject ratios are similar with 0, "
      .. "10, 30 and 50 % of them." },
  { number = "S2-82", where = "Fig. 5.15", kind = "comparison",
    says = "Where reservations are asked for a mean time between arrivals in advance (Delta = 1/lambda), the task reject ratio is significantly "
      .. "higher with 80 and 100 % of them." },
  { number = "S2-83", where = "5.4.2", kind = "comparison",
    says = "Where reservations are asked for a mean time between arrivals in advance (Delta = 1/lambda), performance degrades drastically as "
      .. "their share grows beyond 50 %." },
  { number = "S2-84", where = "5.4.2", kind = "conclusion",
    says = "With up to 50 % of reservations that are asked for in advance, performance is similar to that without. This contradicts the belief "
      .. "that reservations decrease performance." },
  { number = "S2-85", where = "Fig. 5.16", kind = "comparison",
    says = "Where reservations are asked for a mean time between arrivals in advance (Delta = 1/lambda), system utilization without reservations "
      .. "is higher than with any share of them." },
  { number = "S2-86", where = "Fig. 5.16", kind = "comparison",
    says = "Where reservations are asked for a mean time between arrivals in advance (Delta = 1/lambda), system utilization differs by quite "
      .. "little between 0, 10, 30 and 50 % of them." },
  { number = "S2-87", where = "5.4.2", kind = "explanation",
    says = "Reservations that are asked for in advance are accepted more often, so that more tasks are rejected. Thanks to their flexibility "
      .. "many tasks are still accepted. This explains why performance does not get worse as the share of reservations grows from 0 to 50 %." },
  { number = "S2-88", where = "Figs 5.17, 5.18", kind = "comparison",
    says = "With 30 % and with 50 % of reservations the task reject ratio decreases as reservations are asked for longer in advance (Delta)." },
  { number = "S2-89", where = "Figs 5.17, 5.18", kind = "comparison",
    says = "With 30 % and with 50 % of reservations the task reject ratio improves significantly until reservations are asked for two mean times "
      .. "between arrivals in advance (Delta = 2/lambda)." },
  { number = "S2-90", where = "Figs 5.17, 5.18", kind = "comparison",
    says = "With 30 % and with 50 % of reservations the task reject ratios at Delta = 2/lambda and at Delta = 10/lambda are similar." },
  { number = "S2-91", where = "5.4.2", kind = "comparison",
    says = "With 30 % and with 50 % of reservations system utilization shows the same trend by Delta as the task reject ratio." },
  { number = "S2-92", where = "Fig. 5.19", kind = "example",
    says = "On one node a reservation is rejected if it is asked for after a task has come. If it is asked for before, both may be accepted." },
  { number = "S2-93", where = "5.4.2", kind = "explanation",
    says = "Where reservations are asked for at least a mean deadline in advance, they hardly compete with tasks. One that is rejected most "
      .. "likely conflicts with other reservations." },
  { number = "S2-94", where = "5.4.2", kind = "error",
    says = "SystemLoad is the execution time of the mean size on N nodes times the arrival rate lambda. So the mean deadline, DCRatio SystemLoad "
      .. "/ lambda, is at most 2/lambda." },
  { number = "S2-95", where = "5.4.2", kind = "explanation",
    says = "A reservation affects the acceptance of a task less than a task affects that of a reservation." },
  { number = "S2-96", where = "Figs 5.13-5.18", kind = "number", missing = "values in images, which cannot be read",
    says = "Curves of workloads with reservations: 240 values in Figures 5.13 to 5.16, and 80 in Figures 5.17 and 5.18." },
  { number = "S2-97", where = "5.5 2), 5.1, 1, 8 (2)", kind = "conclusion",
    says = "With advance reservations that are made properly, performance does not degrade, and the cluster is not underutilized." },
  { number = "S2-98", where = "6.2", kind = "explanation",
    says = "Earlier algorithms have a large scheduling overhead for two reasons. For each decision they schedule all waiting tasks anew, and "
      .. "compute the minimum number of nodes of each." },
  { number = "S2-99", where = "6.2, 2.3", kind = "formula",
    says = "The dispatcher of FAST-EDF-IIT sends a part as soon as a node and the head become available. So there are no inserted idle times "
      .. "(IITs)." },
  { number = "S2-100", where = "6.2.1", kind = "explanation",
    says = "FAST-EDF-IIT can reject a task without making a schedule. This significantly reduces the scheduling overhead of heavily loaded "
      .. "systems." },
  { number = "S2-101", where = "6.2.1, Eqs 6.1-6.4, Algs 6, 7", kind = "formula",
    says = "FAST-EDF-IIT admits a task if the head can send it before its deadline, if its execution time on all nodes is no more than the least "
      .. "slack of the tasks behind it, and if, behind the tasks before it, it ends by its own deadline. The slack of a task is its deadline "
      .. "less its start and its execution time on all nodes." },
  { number = "S2-102", where = "6.2.1, 6.1, 1, 8 (3)", kind = "formula",
    says = "A decision of FAST-EDF-IIT takes O(max(N, n)) with N nodes and n waiting tasks. It takes O(log n) to find the place of the new task, "
      .. "O(n) to update the slacks, and O(N) for the adjustment, which is made only when no task waits." },
  { number = "S2-103", where = "6.2.2", kind = "formula",
    says = "All parts of a task that FAST-EDF-IIT sends end at the deadline of the task, but the last one, which may end earlier. None ends "
      .. "later." },
  { number = "S2-104", where = "6.2.2", kind = "formula",
    says = "The dispatcher of FAST-EDF-IIT gives each task the minimum number of nodes, as it lets the task keep each node until the deadline." },
  { number = "S2-105", where = "Fig. 6.3", kind = "example",
    says = "The admission controller of FAST-EDF-IIT takes two waiting tasks to run one after the other on all nodes. In fact they run on as few "
      .. "nodes as their deadlines need, side by side." },
  { number = "S2-106", where = "Fig. 6.4, 6.2.3", kind = "example",
    says = "On 4 nodes FAST-EDF-IIT estimates that a first task ends at 7, and one node works at it until 20. A second task comes at 6 and is "
      .. "due at 14. Without the adjustment for idle nodes it is admitted, and not done before 15." },
  { number = "S2-107", where = "6.2.3, Alg. 8", kind = "explanation",
    says = "Without the adjustment for idle nodes FAST-EDF-IIT admits tasks that the cluster cannot do in time. With the adjustment it admits no "
      .. "more than the cluster can do." },
  { number = "S2-108", where = "Lemma 6.2.1", kind = "formula",
    says = "The execution time on all nodes of several tasks that are merged into one is the sum of their execution times on all nodes." },
  { number = "S2-109", where = "6.2.4, Eqs 6.13-6.46", kind = "formula",
    says = "The load that FAST-EDF-IIT dispatches on the minimum number of nodes is never less than the load that it admits in the view of all "
      .. "nodes. This is so too where nodes have no priorities." },
  { number = "S2-110", where = "6.2.4, 6.5", kind = "formula",
    says = "FAST-EDF-IIT is correct: no task that it has admitted misses its deadline (proof)." },
  { number = "S2-111", where = "Alg. 6, 6.2.4", kind = "error",
    says = "Algorithm 6 has a task with an earlier deadline than all that wait start when the last dispatched task is done, or else when it "
      .. "arrives. The proof has admitted tasks execute in the order of deadlines. None of them is late." },
  { number = "S2-112", where = "6.3", kind = "comparison",
    says = "The admission controller of FAST-EDF-IIT, which assumes all nodes, is a little pessimistic in comparison to the exact one, which "
      .. "assumes the minimum of nodes." },
  { number = "S2-113", where = "6.3, Algs 9-11", kind = "feature",
    says = "HYBRID tests exactly while fewer tasks wait than a threshold, and as FAST-EDF-IIT from the threshold on. It computes completions and "
      .. "schedules anew only when it changes from one test to the other." },
  { number = "S2-114", where = "6.3", kind = "explanation",
    says = "HYBRID needs no adjustment for idle nodes, as it uses the test of FAST-EDF-IIT only while the cluster is busy." },
  { number = "S2-115", where = "Alg. 11", kind = "error",
    says = "When HYBRID goes over to the test of FAST-EDF-IIT, it computes completion and slack of all waiting tasks (Algorithm 11). Nothing "
      .. "else is done at the change." },
  { number = "S2-116", where = "Algs 10, 11", kind = "error",
    says = "When HYBRID goes over to the test of FAST-EDF-IIT, running tasks count as the load that nodes compute in the time r until they are "
      .. "free, without transmission: r / chi (Algorithm 10)." },
  { number = "S2-117", where = "all", kind = "error", missing = "references and letters in the text: there is nothing to compute",
    says = "Section 4.5 refers to Section 5.2, and Section 6.2 to Equation 7.1 and Figure 6.2a. Equations 5.21 to 5.24 and 6.28 and Algorithm 5 "
      .. "write Cms and Cps for tau and chi." },
  { number = "S2-118", where = "6.2", kind = "comparison", missing = "a test for such an order is not given",
    says = "The idea of FAST-EDF-IIT is applicable to other orders of divisible loads, such as MWF." },
  { number = "S2-119", where = "6.4.1", kind = "number",
    says = "In the simulations of FAST-EDF-IIT, EDF-IIT-1 and EDF-IIT-2 all admitted tasks end by their deadlines." },
  { number = "S2-120", where = "Fig. 6.10a", kind = "comparison",
    says = "Of FAST-EDF-IIT, EDF-IIT-1 and EDF-IIT-2 the last has the least task reject ratio." },
  { number = "S2-121", where = "Fig. 6.10b", kind = "comparison",
    says = "Of FAST-EDF-IIT, EDF-IIT-1 and EDF-IIT-2 the last has the highest system utilization." },
  { number = "S2-122", where = "Fig. 6.10", kind = "comparison",
    says = "FAST-EDF-IIT performs better than EDF-IIT-1: it has a lower task reject ratio and a higher system utilization." },
  { number = "S2-123", where = "6.4.1", kind = "explanation",
    says = "FAST-EDF-IIT does not have the best real-time performance because its admission controller estimates the blocking by data "
      .. "transmissions slightly too high." },
  { number = "S2-124", where = "6.4.2", kind = "feature",
    says = "Behind a huge task and with long deadlines thousands of tasks queue up, and FAST-EDF-IIT, EDF-IIT-1 and EDF-IIT-2 reject none of "
      .. "them." },
  { number = "S2-125", where = "6.4.2", kind = "feature",
    says = "The simulator measures how long a decision takes: the mean of the first n tasks, and the mean of 100 tasks after n wait." },
  { number = "S2-126", where = "Table 6.2, Fig. 6.12", kind = "number",
    missing = "times of the authors' Java programs on a machine that is not named",
    says = "Mean time in ms of the first 300, 1000, 2000 and 3000 decisions on 512 nodes. FAST-EDF-IIT: 0.96, 4.84, 20.46, 48.87. EDF-IIT-1: "
      .. "410.44, 1321.08, 3119.76, 6206.91; EDF-IIT-2: 151.32, 494.07, 988.95, 1494.91." },
  { number = "S2-127", where = "6.4.2", kind = "comparison",
    says = "The decisions on the first 3000 tasks take EDF-IIT-1 127 times and EDF-IIT-2 30 times as long as FAST-EDF-IIT." },
  { number = "S2-128", where = "Table 6.3, Fig. 6.13", kind = "number",
    missing = "times of the authors' Java programs on a machine that is not named",
    says = "Mean time in ms of 100 decisions on 512 nodes after 300, 1000, 2000 and 3000 tasks wait. FAST-EDF-IIT: 1.71, 16.25, 67.24, 157. "
      .. "EDF-IIT-1: 850.01, 3006.01, 7536.32, 31173.86; EDF-IIT-2: 349.22, 1034.21, 2030.48, 3050.86." },
  { number = "S2-129", where = "6.4.2", kind = "comparison",
    missing = "times of the authors' Java programs on a machine that is not named, of which no ratio is said; for a ratio see S2-127",
    says = "With 3000 waiting tasks FAST-EDF-IIT takes 157 ms for a decision, EDF-IIT-2 about 3 s and EDF-IIT-1 about 31 s." },
  { number = "S2-130", where = "6.4.2", kind = "comparison",
    says = "The scheduling overhead of FAST-EDF-IIT, EDF-IIT-1 and EDF-IIT-2 increases with the number of tasks that wait." },
  { number = "S2-131", where = "Table 6.4, Fig. 6.14", kind = "number",
    missing = "times of the authors' Java programs on a machine that is not named",
    says = "Mean time in ms of the first 300, 1000, 2000 and 3000 decisions on 1024 nodes. FAST-EDF-IIT: 1.01, 4.90, 21.1, 50. EDF-IIT-2: "
      .. "363.29, 1545.51, 3089.6, 4923.91." },
  { number = "S2-132", where = "6.4.2", kind = "comparison",
    says = "From 512 to 1024 nodes the scheduling overhead of FAST-EDF-IIT increases only slightly. That of EDF-IIT-2 is much larger on 1024 "
      .. "nodes." },
  { number = "S2-133", where = "2.3, 6.4.2, 6.5", kind = "formula",
    says = "With N nodes and n waiting tasks a decision takes O(max(N, n)) with FAST-EDF-IIT, O(n N^3) with EDF-IIT-1, and O(n N log N) with "
      .. "EDF-IIT-2." },
  { number = "S2-134", where = "6.5, Table 6.3", kind = "error",
    says = "The time of a decision of FAST-EDF-IIT is linear in the number of tasks that wait. Table 6.3 has its times for 300 to 3000 of them." },
  { number = "S2-135", where = "6.4.2, 6.1, 1, 8 (3)", kind = "number",
    missing = "14,000 times the last row of Table 6.3, times of the authors' Java programs; the product is right, for what it leaves out see S2-136",
    says = "To decide on 14,000 tasks while more than 3000 wait takes EDF-IIT-1 over 7000 minutes and EDF-IIT-2 over 700, so that the last user "
      .. "waits for at least 640 minutes. It takes FAST-EDF-IIT 37 minutes." },
  { number = "S2-136", where = "6.4.2", kind = "error",
    says = "A queue that grows from 3000 to 17,000 tasks in an hour means 300 to 1700 whole tasks, of 10 parts each. To decide on the tasks of "
      .. "that hour takes EDF-IIT-2 over 11 hours and FAST-EDF-IIT 37 minutes." },
  { number = "S2-137", where = "6.4.2", kind = "comparison",
    says = "For a queue that grows from 15,000 to 25,000 tasks the difference in scheduling time between FAST-EDF-IIT and earlier algorithms is "
      .. "even more striking than for one that grows from 3000 to 17,000." },
  { number = "S2-138", where = "6.4.2", kind = "number",
    says = "A simulation of EDF-IIT-1 on a busy cluster of a thousand nodes would take weeks, as its complexity is cubic in the number of nodes." },
  { number = "S2-139", where = "6.4.2", kind = "number",
    data = "a log of the RED cluster of the University of Nebraska-Lincoln, which is not published",
    says = "In a log of 16 months a user submits 7 tasks in a row on average." },
  { number = "S2-140", where = "Fig. 6.15", kind = "comparison",
    says = "On 1024 nodes the mean time of a decision of EDF-IIT-2 grows with the number of tasks, and that of FAST-EDF-IIT stays small. That of "
      .. "HYBRID grows until 500 tasks wait, and then slowly converges to that of FAST-EDF-IIT." },
  { number = "S2-141", where = "Fig. 6.16", kind = "comparison",
    says = "The time of a decision of HYBRID decreases immediately after HYBRID has gone over to the test of FAST-EDF-IIT." },
  { number = "S2-142", where = "Fig. 6.17", kind = "comparison",
    says = "With a workload that makes short queues only, HYBRID performs the same as EDF-IIT-2, in task reject ratio and system utilization." },
  { number = "S2-143", where = "Fig. 6.18a", kind = "comparison",
    says = "With longer deadlines and five times the load, which make long queues, HYBRID and EDF-IIT-2 have lower task reject ratios than "
      .. "FAST-EDF-IIT." },
  { number = "S2-144", where = "Fig. 6.18a", kind = "comparison",
    says = "With longer deadlines and five times the load, which make long queues, the task reject ratios of HYBRID and EDF-IIT-2 are similar." },
  { number = "S2-145", where = "6.4.3", kind = "explanation",
    says = "HYBRID performs similarly to EDF-IIT-2 and better than FAST-EDF-IIT because it is EDF-IIT-2 while few tasks wait. It goes over to "
      .. "the test of FAST-EDF-IIT only when the queue reaches the switch point." },
  { number = "S2-146", where = "Fig. 6.18b", kind = "comparison",
    says = "With FAST-EDF-IIT, EDF-IIT-2 and HYBRID system utilization stays below 100 %, and begins to saturate as the load goes beyond 1." },
  { number = "S2-147", where = "6.4.3", kind = "explanation",
    says = "Under heavy load system utilization stays below 100 % although tasks always wait. The reason is that nodes do not count as utilized "
      .. "while they wait for data or for the transmissions of other nodes." },
  { number = "S2-148", where = "Figs 6.10-6.18", kind = "number",
    missing = "values in images, which cannot be read; settings of Figures 6.10, 6.17 and 6.18 are not given",
    says = "Curves of the evaluation of FAST-EDF-IIT and HYBRID: Figures 6.10 and 6.17 have 60 values each, Figures 6.12 to 6.16 have 13 curves "
      .. "by the number of tasks, and Figure 6.18 has three curves of each of two measures." },
  { number = "S2-149", where = "6.3, 6.4.3, 6.5", kind = "conclusion",
    says = "HYBRID combines the advantages of FAST-EDF-IIT and EDF-IIT-2, less overhead and better real-time performance. An administrator can "
      .. "set the switch point by the overhead that users tolerate." },
  { number = "S2-150", where = "6.5", kind = "conclusion",
    says = "FAST-EDF-IIT scales well and schedules large numbers of tasks efficiently. It is expected to be even more advantageous as clusters "
      .. "and numbers of tasks grow." },
  { number = "S2-151", where = "2.4, 7.2", kind = "explanation",
    says = "To allow a low deadline miss ratio that is not zero buys a high system utilization, as a set point above 0 lets the scheduler "
      .. "slightly overload the system." },
  { number = "S2-152", where = "7.2, Fig. 7.1, Alg. 12", kind = "feature",
    says = "The feedback scheduler has a monitor, a PI controller on the deadline miss ratio with a set point of, for instance, 5 %, a bound on "
      .. "utilization, an admission test in the order of deadlines, and a dispatcher. The control loop runs once in every sampling period." },
  { number = "S2-153", where = "7.2", kind = "explanation",
    says = "The set point of the deadline miss ratio cannot be 0 %. To reach 0 % the controller could reject all tasks and make the system "
      .. "completely idle." },
  { number = "S2-154", where = "7.2.2", kind = "formula",
    says = "A part that the feedback scheduler dispatches ends no later than the deadline of its task, if it takes no more than m times as long "
      .. "as estimated." },
  { number = "S2-155", where = "7.2.2", kind = "comparison",
    says = "With the feedback scheduler a node may receive several rounds of parts of the same task, if true times are shorter than estimated." },
  { number = "S2-156", where = "7.2.2", kind = "comparison",
    says = "The feedback scheduler gives fewer nodes to a task with a longer deadline, and spreads one with a shorter deadline over more." },
  { number = "S2-157", where = "7.2.3, Eq. 7.3", kind = "formula",
    says = "The controlled cluster can be modeled by a difference equation: the miss ratio of a period is a linear function of earlier miss "
      .. "ratios and earlier bounds. Least squares give its parameters." },
  { number = "S2-158", where = "7.2.3", kind = "formula",
    says = "A cluster with the PI controller that the root locus method designs is stable: the miss ratio converges to its set point despite "
      .. "significant variations of workload and system." },
  { number = "S2-159", where = "7.3", kind = "feature",
    says = "The true costs of a task are its estimated costs times factors that are drawn from [0.1, 2]. Each task has one factor for "
      .. "transmission and one for computation." },
  { number = "S2-160", where = "Fig. 7.2", kind = "comparison",
    says = "Without feedback the deadline miss ratio increases with the workload." },
  { number = "S2-161", where = "Fig. 7.2, 7.3.1", kind = "number",
    says = "Without feedback 25 % of the accepted tasks miss their deadlines when the workload is heavy." },
  { number = "S2-162", where = "Fig. 7.2", kind = "comparison",
    says = "With feedback the deadline miss ratio is maintained at the target of 5 % as the workload grows." },
  { number = "S2-163", where = "7.3.1", kind = "explanation",
    says = "Feedback keeps the deadline miss ratio at its target because it adjusts the bound on utilization, so that fewer tasks are accepted "
      .. "when the system is overloaded." },
  { number = "S2-164", where = "Figs 7.3, 7.4", kind = "comparison",
    says = "A scheduler that knows execution times exactly performs best. It rejects a small number of tasks, has no deadline misses, and uses "
      .. "the system well." },
  { number = "S2-165", where = "7.3.1", kind = "comparison",
    says = "Under light load the feedback scheduler performs similarly to one that knows execution times exactly, in task reject ratio and "
      .. "system utilization." },
  { number = "S2-166", where = "7.3.1", kind = "comparison",
    says = "Under light load the feedback scheduler has an even lower task reject ratio than one that knows execution times exactly." },
  { number = "S2-167", where = "7.3.1", kind = "comparison",
    says = "Under light load the feedback scheduler performs much better than one that assumes the worst case, in task reject ratio and system "
      .. "utilization." },
  { number = "S2-168", where = "7.3.1", kind = "comparison",
    says = "Under heavy load the feedback scheduler has a lower system utilization than one that knows execution times exactly." },
  { number = "S2-169", where = "7.3.1", kind = "number",
    says = "Under heavy load the feedback scheduler keeps the deadline miss ratio around 5 % and the system utilization around 75 %." },
  { number = "S2-170", where = "7.3.1, Figs 7.3, 7.4", kind = "comparison",
    says = "A scheduler that assumes the worst case performs much worse than the feedback scheduler, in task reject ratio and system "
      .. "utilization." },
  { number = "S2-171", where = "7.3.1", kind = "error",
    says = "The execution cost that the worst-case scheduler assumes is no more than twice the actual cost." },
  { number = "S2-172", where = "7.3.1", kind = "comparison",
    says = "With estimates worse than in the simulation, the task reject ratio and the system utilization of a worst-case scheduler are worse "
      .. "too." },
  { number = "S2-173", where = "7.3.2", kind = "feature",
    says = "Nodes can be turned off in the middle of a simulation, and the scheduler cannot detect it." },
  { number = "S2-174", where = "Fig. 7.5", kind = "comparison",
    says = "When 40 % of the nodes fail, the deadline miss ratio without feedback increases and stays there." },
  { number = "S2-175", where = "Fig. 7.5", kind = "number",
    says = "When 40 % of the nodes fail, the deadline miss ratio without feedback rises to 60 % and stays there." },
  { number = "S2-176", where = "Fig. 7.5", kind = "comparison",
    says = "When 40 % of the nodes fail, the deadline miss ratio with feedback rises slightly and is quickly back at its set point of 5 %." },
  { number = "S2-177", where = "7.3.2", kind = "explanation",
    says = "With feedback the deadline miss ratio rises slightly after nodes fail because some waiting tasks miss their deadlines by the "
      .. "failure. Then feedback reduces system utilization, as the capacity has decreased." },
  { number = "S2-178", where = "7.3, Fig. 7.5", kind = "number",
    says = "The nodes fail around the 90th sampling period, in the middle of the simulation. Its workload is generated as in Section 4.5, and a "
      .. "sampling period has 100,000 time units." },
  { number = "S2-179", where = "Figs 7.2-7.5", kind = "number",
    missing = "values in images, which cannot be read; the growth of the load, DCRatio, m and the gains are not given",
    says = "Curves of the feedback scheduler and those it is compared with, over about 180 sampling periods: two in Figure 7.2, three each in "
      .. "Figures 7.3 and 7.4, and two in Figure 7.5." },
  { number = "S2-180", where = "7.4, 8 (4)", kind = "conclusion",
    says = "The feedback scheduler keeps a low deadline miss ratio and a high system utilization. Its performance is stable despite "
      .. "unpredictable workload and node failures." },
}
