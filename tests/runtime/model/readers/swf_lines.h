// Logs in the Standard Workload Format, line by line, and what is read from them.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "runtime/model/readers/swf.h"
#include "tests/support/layers.h"

namespace perigee::test {

// A line of a log; fields not given are -1.
struct SwfLine {
  std::string number = "1", submit = "0", run = "10", allocated = "1";
  std::string wait = "-1", requested = "-1", requested_time = "-1", status = "1", user = "-1", cpu = "-1",
              memory = "-1", preceding = "-1";
  operator std::string() const {
    return number + " " + submit + " " + wait + " " + run + " " + allocated + " " + cpu + " " + memory + " " +
           requested + " " + requested_time + " -1 " + status + " " + user + " -1 -1 -1 -1 " + preceding +
           " -1\n";
  }
};

inline std::string log_of(const std::vector<SwfLine>& lines) {
  std::string text;
  for (const SwfLine& line : lines) text += line;
  return text;
}

// The anomalies as "name count@line", in order.
inline std::vector<std::string> found(const std::vector<SwfFinding>& report) {
  std::vector<std::string> all;
  for (const SwfFinding& each : report)
    all.push_back(std::string(name_of(each.anomaly)) + " " + std::to_string(each.count) + "@" +
                  std::to_string(each.first_line));
  return all;
}

inline bool has(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

inline bool mentions(const std::vector<std::string>& all, const std::string& words) {
  return std::any_of(all.begin(), all.end(),
                     [&](const std::string& text) { return text.find(words) != std::string::npos; });
}

inline std::vector<double> arrivals(const Workload& workload) {
  std::vector<double> all;
  for (const Work& work : workload.works) all.push_back(work.arrival);
  return all;
}

inline Platform hosts(const std::vector<int>& cores, double speed = 1e9) {
  PlatformSpec spec;
  spec.clusters.push_back({.name = "c", .hosts = {}});
  for (std::size_t h = 0; h < cores.size(); ++h) {
    Host host;
    host.name = "c." + std::to_string(h + 1);
    host.cores = cores[h];
    host.speed = speed;
    spec.clusters[0].hosts.push_back(host);
  }
  return Platform(spec);
}

}  // namespace perigee::test
