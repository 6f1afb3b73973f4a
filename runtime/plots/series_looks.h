// The same look for the same name in all figures of a script.
#pragma once

#include <map>
#include <set>
#include <string>

#include "runtime/layers.h"

namespace perigee::plots {

struct Figure;  // plot.h

// The looks that names have in the figures of a script: numbers in order of first appearance, apart for each meaning of
// series (Figure::by). A name that has a number in figures of another meaning gets the same one where it is free.
class SeriesLooks {
 public:
  // Gives each series of the figure its look, except Gantt charts and heat maps, and series that have one.
  void give(Figure& figure);

 private:
  struct Names {
    std::map<std::string, int> looks;
    std::set<int> taken;
  };
  void note(Names& names, const std::string& name, int look);
  std::map<std::string, Names> by_meaning_;
  std::map<std::string, int> first_;  // of each name
};

}  // namespace perigee::plots
