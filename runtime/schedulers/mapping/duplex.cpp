// Duplex: run min-min and max-min and keep the mapping with the smaller makespan.
//
// Source: Braun et al., JPDC 61(6), 2001, pp. 810-837.
// Cost: that of both. Ties: min-min when the makespans are equal.
#include <utility>

#include "runtime/schedulers/catalogue.h"

namespace perigee {
namespace {

class Duplex final : public Mapper {
 public:
  Duplex(std::unique_ptr<Mapper> min_min, std::unique_ptr<Mapper> max_min)
      : min_min_(std::move(min_min)), max_min_(std::move(max_min)) {}

  std::unique_ptr<Mapper> clone() const override {
    return std::make_unique<Duplex>(min_min_->clone(), max_min_->clone());
  }

  void map(const MatrixProblem& problem, Mapping& out) override {
    min_min_->map(problem, out);
    Mapping other;
    max_min_->map(problem, other);
    if (other.makespan < out.makespan) out = std::move(other);
  }

 private:
  std::unique_ptr<Mapper> min_min_, max_min_;
};

std::unique_ptr<Mapper> make(Entry entry) {
  return Config{std::make_shared<const Entry>(std::move(entry)), {}}.make_mapper();
}

}  // namespace

Entry mapping::duplex() {
  return {.name = "duplex",
          .family = Family::mapping,
          .role = Role::mapper,
          .summary = "the better of min_min and max_min by makespan",
          .source = "Braun et al. 2001",
          .complexity = "that of min_min and max_min together",
          .ties = "min_min when the makespans are equal",
          .make_mapper = [](const Arguments&) {
            return std::make_unique<Duplex>(make(mapping::min_min()), make(mapping::max_min()));
          }};
}

}  // namespace perigee
