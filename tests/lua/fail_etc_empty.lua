-- A matrix without rows does not say how many machines there are.
-- expect: etc: a matrix has at least one task and one machine; where there is no work, the workload is workload.tasks {}
etc {}
