// Catches what C code writes to standard output, which goes past a script's print.
#pragma once

#include <functional>
#include <string_view>
#include <thread>

#include "interpreter/layers.h"

namespace perigee::notebook {

// While an object of this class lives, file descriptor 1 is a pipe whose text is given to `take`, in a thread of its
// own.
class CaughtOutput {
 public:
  explicit CaughtOutput(std::function<void(std::string_view)> take);
  ~CaughtOutput();
  CaughtOutput(const CaughtOutput&) = delete;
  CaughtOutput& operator=(const CaughtOutput&) = delete;

 private:
  int before_ = -1;  // what file descriptor 1 was
  std::thread reader_;
};

}  // namespace perigee::notebook
