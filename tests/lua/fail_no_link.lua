-- expect: policy 'edf_iit_2' does not accept cluster 'c' without a 'link', over which its head sends loads
-- Loads come from the head of a cluster over its link.
scenario { platform = platform { cluster "c" { nodes = 4 } },
  workload = workload.loads { { size = 5, bytes = 1, time = 3, deadline = 40 } } }:run { policy = "edf_iit_2" }
