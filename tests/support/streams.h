// A declared workload as a stream of the same works.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/model/work_stream.h"
#include "tests/support/layers.h"

namespace perigee::test {

// Gives the works of a workload, some at a time.
class ListedStream final : public model::WorkStream {
 public:
  ListedStream(std::shared_ptr<const Workload> all, std::size_t hosts)
      : all_(std::move(all)), hosts_(hosts) {}
  std::unique_ptr<WorkStream> clone() const override { return std::make_unique<ListedStream>(*this); }
  void next(Workload& out) override {
    out = {};
    out.works.restart_at(next_);
    const std::size_t end = std::min(next_ + 1 + next_ % 5, all_->size());
    for (; next_ < end; ++next_) {
      Work work = (*all_)[WorkId(next_)];
      if (work.extra != model::kNone) {
        out.extras.push_back(all_->extras[work.extra]);
        work.extra = static_cast<std::uint32_t>(out.extras.size() - 1);
      }
      for (std::uint32_t* row : {&work.times, &work.estimates}) {
        if (*row == model::kNone) continue;
        const auto from = all_->times.begin() + *row;
        *row = static_cast<std::uint32_t>(out.times.size());
        out.times.insert(out.times.end(), from, from + static_cast<std::ptrdiff_t>(hosts_));
      }
      out.works.push_back(work);
    }
  }
  std::span<const std::string> users() const override { return all_->users; }
  std::size_t architectures() const override { return 1; }

 private:
  std::shared_ptr<const Workload> all_;
  std::size_t hosts_;
  std::size_t next_ = 0;
};

// The same scenario whose works, which are in order of arrival and have no files, come as a stream.
inline std::shared_ptr<Scenario> streamed(const Scenario& declared) {
  auto scenario = std::make_shared<Scenario>(declared);
  scenario->stream = std::make_shared<ListedStream>(declared.workload, declared.platform->hosts().size());
  scenario->workload = std::make_shared<const Workload>();
  return scenario;
}

}  // namespace perigee::test
