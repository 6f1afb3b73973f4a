// The settings of the planner: its parameters and their meaning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/schedulers/catalogue.h"

namespace perigee::grid {

struct PlannerSettings {
  enum class Links : std::uint8_t { greedy, strict, hybrid };
  enum class Strategy : std::uint8_t { constant, deviation, weighted };
  enum class MarginPolicy : std::uint8_t { constant, interval, adaptive };
  enum class Subset : std::uint8_t { all, random, affinity };
  enum class Order : std::uint8_t { usage, listed, largest, smallest };
  enum class IdleReplan : std::uint8_t { pool, always, never };

  Links links;
  Seconds patience;  // of hybrid links
  bool steal;
  std::size_t keep;  // tasks that each host keeps in its queue
  Seconds planning_time;
  Strategy strategy;
  Seconds interval, min_interval, max_interval;
  double threshold, grow, shrink;                 // share of wrong predictions; factors of the interval
  double weight_gain, weight_shrink, min_weight;  // of a resource, by how it was predicted
  MarginPolicy margin_policy;
  Seconds margin;
  double margin_grow, margin_shrink;  // factors of the margin
  bool to_horizon;
  double count;  // times the hosts: assignments in a plan; 0 = any number
  bool replan_on_add, replan_on_remove;
  IdleReplan idle_replan;
  bool until_home;  // a task is complete when its outputs are at home
  Order order;
  Subset subset;
  std::size_t subset_size;
  Seconds overdue;
  std::optional<double> random;  // 0 to 1: how near to the best a choice is, relative
};

std::vector<Parameter> planner_parameters();
PlannerSettings planner_settings(const Arguments& given);

}  // namespace perigee::grid
