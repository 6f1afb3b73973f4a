-- expect: fail_two_clusters.lua:4: error: two clusters are called 'a'
platform {
  cluster "a" { nodes = 2 },
  cluster "a" { nodes = 3 },
}
