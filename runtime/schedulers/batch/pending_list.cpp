// Pending list: one sorted list of waiting jobs. The first one starts on a host with enough idle cores,
// chosen by a rule. It blocks the rest while there is no such host.
//
// The IRMaSim thesis calls it Heuristic. A job's time is its longest predicted time on any host (req_time
// there). For the choice `random`, each job gets a number when it is submitted. Undeclared memory counts
// as none. Cost: O(log T + H) an assignment. Ties: order of arrival, then of input; lowest host.

#include <array>
#include <utility>

#include "runtime/schedulers/batch/list_policy.h"
#include "runtime/schedulers/batch/option_checks.h"
#include "runtime/schedulers/batch/power_saving.h"

namespace perigee::batch {
namespace {

constexpr std::array<std::pair<std::string_view, JobOrder>, 8> kJobs{{{"first", JobOrder::first},
                                                                      {"shortest", JobOrder::shortest},
                                                                      {"longest", JobOrder::longest},
                                                                      {"smallest", JobOrder::smallest},
                                                                      {"low_mem", JobOrder::low_memory},
                                                                      {"low_mem_bw", JobOrder::low_traffic},
                                                                      {"low_mem_ops", JobOrder::low_traffic},
                                                                      {"random", JobOrder::random}}};
constexpr std::array<std::pair<std::string_view, HostChoice>, 9> kHosts{
    {{"first", HostChoice::first},
     {"high_gflops", HostChoice::fastest},
     {"high_cores", HostChoice::most_idle},
     {"high_core", HostChoice::most_idle},
     {"low_cores", HostChoice::least_idle},
     {"high_mem", HostChoice::high_memory},
     {"low_power", HostChoice::low_power},
     {"least_energy", HostChoice::least_energy},
     {"random", HostChoice::random}}};

}  // namespace

Entry pending_list() {
  Entry entry = pending_entry("pending_list",
                              "the first of a sorted list starts where a rule says, and blocks the rest",
                              JobOrder::first, HostChoice::first);
  entry.parameters = {
      {.name = "job",
       .type = ParameterType::choice,
       .summary = "the order of the list: by arrival, time, cores, declared memory (low_mem) or memory "
                  "traffic (low_mem_bw = low_mem_ops), or chance",
       .fallback = std::string("first"),
       .choices = names_of(kJobs)},
      {.name = "resource",
       .type = ParameterType::choice,
       .summary =
           "which of the hosts with enough idle cores: the first, the fastest, that with the "
           "most (high_cores = high_core) or fewest idle cores, that with most memory, that which draws "
           "least now, or least for an operation more, or any",
       .fallback = std::string("first"),
       .choices = names_of(kHosts),
       .lacking = {{"high_mem_bw", "the memory bandwidth of hosts, which is not modelled"}}},
      mold_parameter()};
  entry.parameters = with_power_parameters(std::move(entry.parameters));
  entry.check = [](const Arguments& given) { check_keep_on(given, "pending_list"); };
  entry.demands = [](const Arguments& given) { return demands_on_hosts_by("resource", given); };
  entry.make_policy = [](const Arguments& given) {
    return list_policy(value_of(kJobs, given.choice("job")), value_of(kHosts, given.choice("resource")),
                       mold_rule(given), power_settings(given));
  };
  return entry;
}

}  // namespace perigee::batch
