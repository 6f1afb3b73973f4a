#include "interpreter/values/work_records.h"

#include <cmath>

namespace perigee::values {

bool WorkRecords::is_plain(const ShapeRecord& record) {
  Shape rest = record.shape;
  rest.nodes = 1;
  return rest.is_plain() && rest.per_node == Shape::kMost && rest.same == Together::anywhere &&
         record.only.empty() && record.reservation.empty() && record.grace == 0 && record.link.empty() &&
         record.load == 1;
}

bool WorkRecords::is_plain(const WorkRecord& record) {
  const bool with_estimate = record.estimate.has_value();
  return (record.kind == WorkKind::task || record.kind == WorkKind::job) && record.name.empty() &&
         (!record.shape || is_plain(*record.shape)) && !record.demand &&
         record.submission == SubmissionRecord{} && record.time.is_number() && record.inputs.empty() &&
         record.outputs.empty() && record.after.empty() && std::isnan(record.needs.memory) &&
         std::isnan(record.needs.memory_traffic) &&
         (!with_estimate || (record.estimate->is_number() && record.estimate->form == record.time.form &&
                             !std::isnan(record.estimate->amount)));
}

std::uint32_t WorkRecords::user_index(const std::string& user) {
  if (user.empty()) return kNone;
  const auto [found, is_new] = user_index_.emplace(user, static_cast<std::uint32_t>(users_.size()));
  if (is_new) users_.push_back(user);
  return found->second;
}

void WorkRecords::add(WorkRecord record) {
  const bool plain = is_plain(record);
  const std::size_t index = plain ? plain_.size() : others_.size();
  places_.push_back({plain ? 1U : 0U, static_cast<std::uint32_t>(index) & 0x7fffffffU});
  if (!plain) {
    others_.push_back(std::move(record));
    return;
  }
  plain_.push_back({.amount = record.time.amount,
                    .estimate = record.estimate ? record.estimate->amount : std::nan(""),
                    .arrival = record.arrival,
                    .deadline = record.deadline,
                    .priority = record.priority,
                    .user = user_index(record.user),
                    .cores = record.cores,
                    .nodes = record.shape ? record.shape->shape.nodes : kNoShape,
                    .limit = record.shape ? record.shape->limit : kNever,
                    .kind = record.kind,
                    .form = record.time.form});
}

WorkRecord WorkRecords::operator[](std::size_t i) const {
  const Place place = places_[i];
  if (place.is_plain == 0) return others_[place.index];
  const Plain& plain = plain_[place.index];
  WorkRecord record;
  record.kind = plain.kind;
  record.time = {.form = plain.form, .amount = plain.amount};
  if (!std::isnan(plain.estimate)) record.estimate = {.form = plain.form, .amount = plain.estimate};
  record.arrival = plain.arrival;
  record.deadline = plain.deadline;
  record.priority = plain.priority;
  if (plain.user != kNone) record.user = users_[plain.user];
  record.cores = plain.cores;
  if (plain.nodes != kNoShape) record.shape = {.shape = {.nodes = plain.nodes}, .limit = plain.limit};
  return record;
}

}  // namespace perigee::values
