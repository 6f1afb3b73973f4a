// The parameters of schedulers that rank tasks: what stands for a task on all machines, and for an edge.
#pragma once

#include <utility>
#include <vector>

#include "runtime/cost/graph_costs.h"
#include "runtime/schedulers/catalogue.h"

namespace perigee::workflow {

inline std::vector<Parameter> with_rank_parameters(std::vector<Parameter> parameters = {}) {
  parameters.push_back({.name = "computation",
                        .type = ParameterType::choice,
                        .summary = "what counts for a task in ranks, of its times on all machines",
                        .fallback = "mean",
                        .choices = {"mean", "median", "best", "worst", "none"}});
  parameters.push_back({.name = "communication",
                        .type = ParameterType::choice,
                        .summary = "what counts for an edge in ranks, of its times between all machines",
                        .fallback = "mean",
                        .choices = {"mean", "median", "best", "worst", "none"}});
  parameters.push_back({.name = "mean_transfer",
                        .type = ParameterType::choice,
                        .summary = "the mean of an edge: of its times, or the time at mean rates",
                        .fallback = "times",
                        .choices = {"times", "rates"}});
  return parameters;
}

inline RankOptions rank_options(const Arguments& given) {
  return {graph_mean_of(given.choice("computation")), graph_mean_of(given.choice("communication")),
          given.choice("mean_transfer") == "rates"};
}

}  // namespace perigee::workflow
