#include "runtime/plots/series_looks.h"

#include <vector>

#include "runtime/plots/plot.h"

namespace perigee::plots {

void SeriesLooks::note(Names& names, const std::string& name, int look) {
  names.looks.emplace(name, look);
  names.taken.insert(look);
  first_.emplace(name, look);
}

void SeriesLooks::give(Figure& figure) {
  if (figure.kind == FigureKind::gantt || figure.kind == FigureKind::heatmap || !has_key(figure)) return;
  Names& names = by_meaning_[figure.by];
  const auto each = [&](auto&& f) {
    for (const Series& series : key_series(figure))
      if (series.colour < 0 && !series.is_sum && !names.looks.contains(series.name)) f(series.name);
  };
  each([&](const std::string& name) {  // those that are known from other figures come first
    const auto found = first_.find(name);
    if (found != first_.end() && !names.taken.contains(found->second)) note(names, name, found->second);
  });
  each([&](const std::string& name) {
    int free = 0;
    while (names.taken.contains(free)) ++free;
    note(names, name, free);
  });
  const auto put = [&](std::vector<Series>& all) {
    for (Series& series : all)
      if (series.colour < 0 && !series.is_sum) series.colour = names.looks.at(series.name);
  };
  put(figure.series);
  for (Panel& panel : figure.panels) put(panel.series);
}

}  // namespace perigee::plots
