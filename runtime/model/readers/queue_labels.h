#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>

#include "runtime/model/queues.h"

namespace perigee::readers {

// The queues, qualities of service and accounts that the jobs of a log name, numbered as they are met.
class QueueLabels {
 public:
  std::uint32_t queue(const std::string& name) { return number_of(queues_, all_.queues, name); }
  std::uint32_t qos(const std::string& name) { return number_of(qos_, all_.qos, name); }
  std::uint32_t account(const std::string& name) {
    const auto [known, is_new] = accounts_.emplace(name, static_cast<std::uint32_t>(all_.accounts.size()));
    if (is_new) all_.accounts.push_back(name);
    return known->second;
  }
  // Null if no job named any.
  std::shared_ptr<const model::Queues> take() {
    if (all_.queues.empty() && all_.qos.empty() && all_.accounts.empty()) return nullptr;
    return std::make_shared<const model::Queues>(std::move(all_));
  }

 private:
  using Numbers = std::unordered_map<std::string, std::uint32_t>;  // looked up only
  template <class All>
  static std::uint32_t number_of(Numbers& numbers, All& all, const std::string& name) {
    const auto [known, is_new] = numbers.emplace(name, static_cast<std::uint32_t>(all.size()));
    if (is_new) all.emplace_back().name = name;
    return known->second;
  }

  model::Queues all_;
  Numbers queues_, qos_, accounts_;
};

}  // namespace perigee::readers
