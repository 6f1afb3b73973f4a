// How the laws of distributions draw.
#pragma once

#include <memory>
#include <utility>

#include "runtime/statistics/distribution.h"

namespace perigee::statistics {

using Law = Distribution::Law;
using LawPtr = std::shared_ptr<const Law>;

// A law whose draws are those of `Draw`, a function of the law and any generator.
template <class Base, class Draw>
class Drawn final : public Base {
 public:
  template <class... Args>
  explicit Drawn(Draw draw, Args&&... args) : Base(std::forward<Args>(args)...), draw_(std::move(draw)) {}
  double draw(Stream& rng) const override { return draw_(*this, rng); }
  double draw(SplitMix64& rng) const override { return draw_(*this, rng); }

 private:
  Draw draw_;
};

template <class Base, class Draw, class... Args>
std::shared_ptr<const Drawn<Base, Draw>> make(Draw draw, Args&&... args) {
  return std::make_shared<const Drawn<Base, Draw>>(std::move(draw), std::forward<Args>(args)...);
}

inline constexpr auto kInverseTransform = [](const Law& law, auto& rng) {
  return sampling::inverse_transform(rng, [&](double u) { return law.quantile(u); });
};

}  // namespace perigee::statistics
