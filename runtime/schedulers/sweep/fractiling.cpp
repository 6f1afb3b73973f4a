// Fractiling: each host owns a tile of the runs and takes half of what is left of it. If its tile is empty,
// it takes half of what is left of the fullest one.
//
// Source: Hummel, Banicescu, Wang and Wein, Load balancing and data locality via fractiling, LCR 1995. Tiles
// are consecutive runs in proportion to the cores; runs listed along a Morton curve make them compact. The
// share of borrowed runs is the note `borrowed`. Cost: O(H) a package. Ties: the first tile.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "runtime/engine/why.h"
#include "runtime/schedulers/sweep/batches.h"

namespace perigee::sweep {
namespace {

class Fractiling final : public CoordinatorOf<Fractiling, OnDemand> {
 protected:
  void open(Sim& sim) override {
    OnDemand::open(sim);
    borrowed_ = 0;
    last_note_ = -1;
    cut(sim);
  }
  // Other hosts borrow from the tiles of hosts that come or go, as from all tiles.
  void host_came(Sim& sim, HostId host) override {
    OnDemand::host_came(sim, host);
    if (first_.empty()) cut(sim);
  }

  void deal(Sim& sim) override {
    const double left = undealt(sim);
    if (left == 0 || first_.empty()) return note_borrowed(sim);
    if (std::accumulate(left_.begin(), left_.end(), 0.0) != left) count(sim);  // something was lost
    OnDemand::deal(sim);
    note_borrowed(sim);
  }
  Piece next(Sim& sim, HostId host) override {
    const auto own = std::ranges::find(owner_, host);
    auto tile = static_cast<std::size_t>(own - owner_.begin());
    is_own_ = own != owner_.end() && left_[tile] > 0;
    if (!is_own_) tile = static_cast<std::size_t>(std::ranges::max_element(left_) - left_.begin());
    before_ = left_[tile];
    Piece piece = sim.next_piece(work(), std::ceil(before_ / 2), first_[tile]);
    piece.size = std::min(piece.size, first_[tile + 1] - piece.first);
    left_[tile] -= piece.size;
    if (!is_own_) borrowed_ += piece.size;
    return piece;
  }
  std::string how() const override {
    return fmt::format("{} has {} runs left, of which it takes half, rounded up",
                       is_own_ ? "its own tile" : "its own tile is empty; the fullest, of another host,",
                       before_);
  }
  std::string rule() const override {
    return "an idle host takes half of what is left of its own tile, or of the fullest";
  }

 private:
  void cut(Sim& sim) {
    first_.clear();
    owner_.clear();
    std::vector<double> cores;
    for (std::size_t h = 0; h < present().size(); ++h)
      if (present(HostId(h))) {
        owner_.emplace_back(h);
        cores.push_back(sim.view().platform()[HostId(h)].cores);
      }
    if (owner_.empty()) return;
    const double all = std::accumulate(cores.begin(), cores.end(), 0.0);
    for (double& share : cores) share *= runs(sim) / all;
    double end = 0;
    for (const double tile : largest_remainder(cores)) {
      first_.push_back(end);
      end += tile;
    }
    first_.push_back(end);
    count(sim);
  }

  // Counts the runs left in each tile.
  void count(const Sim& sim) {
    left_.assign(owner_.size(), 0);
    std::size_t tile = 0;
    for (Piece gap = sim.next_piece(work(), runs(sim)); gap.size > 0;
         gap = sim.next_piece(work(), runs(sim), gap.first + gap.size))
      for (double at = gap.first; at < gap.first + gap.size;) {
        while (first_[tile + 1] <= at) ++tile;
        const double end = std::min(first_[tile + 1], gap.first + gap.size);
        left_[tile] += end - at;
        at = end;
      }
  }

  void note_borrowed(Sim& sim) {
    if (undealt(sim) > 0 || borrowed_ == last_note_) return;
    const double values[] = {borrowed_ / runs(sim)};
    sim.note("borrowed", values);
    last_note_ = borrowed_;
  }

  std::vector<double> first_;  // run of each tile, and where the last one ends
  std::vector<double> left_;   // runs of each tile
  std::vector<HostId> owner_;  // of each tile
  double borrowed_ = 0, last_note_ = -1;
  bool is_own_ = false;
  double before_ = 0;  // runs of the tile that was chosen last
};

}  // namespace

Entry fractiling() {
  Entry entry = sweep_entry("fractiling");
  entry.summary = "an idle host takes half of what is left of its own tile of the runs, then of the fullest";
  entry.source = "Hummel, Banicescu, Wang and Wein, LCR 1995";
  entry.complexity = "O(H) a package";
  entry.ties = "the first tile; more cores, more runs/s in the last package, order of hosts";
  entry.make_policy = [](const Arguments&) { return std::make_unique<Fractiling>(); };
  return entry;
}

}  // namespace perigee::sweep
