// A walk from a case to a neighbour, from there to another one, and so on: annealing and PISA.
#pragma once

#include "runtime/schedulers/search/try_of.h"

namespace perigee::search {

// Each chain begins with a draw, which is drawn again until one counts, or with the best case so far. Then it makes steps:
// a neighbour takes the place of the case or does not. One that does not count never takes it. All chance of an evaluation
// comes from the stream that its number names: the draw or move first, then the number that decides. Derived has
//   bool over(std::uint64_t step) const               the chain ends before this step, counted from 0
//   double temperature(std::uint64_t step) const
//   Datum move(const Datum&, Stream&) const           the neighbour
//   bool from_best(std::uint64_t chain) const         this chain begins with the best case; the first one, 0, has none
//   static bool takes(double score, double other, double temperature, double unit)  unit: uniform in (0, 1)
template <class Derived>
class ChainOf : public TryOf<Derived> {
 public:
  std::vector<Datum> propose(std::size_t) {
    Stream stream = this->self().stream.sub(this->told());
    asked_ = now_ ? derived().move(now_->value, stream) : draw(this->space(), stream);
    unit_ = stream.unit();
    return std::vector<Datum>(1, asked_);
  }

  void judge(std::span<const double> scores) {
    Scored other{std::move(asked_), scores.front()};
    if (other.counts() && (!best_ || other.above(*best_))) best_ = other;
    if (!now_) {
      if (other.counts()) now_ = std::move(other);
      return;
    }
    if (other.counts() && Derived::takes(now_->score, other.score, derived().temperature(step_), unit_))
      now_ = std::move(other);
    if (!derived().over(++step_)) return;
    step_ = 0;
    now_ = derived().from_best(++chain_) ? best_ : std::nullopt;
  }

  void write(Writer& out) const {
    out.count(chain_);
    out.count(step_);
    out.maybe(now_);
    out.maybe(best_);
  }
  bool read(Reader& in) {
    chain_ = in.count(this->told());
    step_ = in.count(this->told());
    now_ = in.maybe();
    best_ = in.maybe();
    return (!now_ || now_->counts()) && (!best_ || best_->counts());
  }

 private:
  const Derived& derived() const { return static_cast<const Derived&>(*this); }

  std::uint64_t chain_ = 0, step_ = 0;
  std::optional<Scored> now_, best_;  // both count
  Datum asked_;
  double unit_ = 0;
};

}  // namespace perigee::search
