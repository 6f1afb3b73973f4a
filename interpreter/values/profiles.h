// The interface through which profile() examines a mapper that a script has written.
#pragma once

#include <memory>

#include "interpreter/layers.h"
#include "runtime/cost/mapping.h"

namespace perigee::values {

class KeyedMapper {
 public:
  virtual ~KeyedMapper() = default;
  virtual bool has_key() const = 0;  // a greedy loop asks it for keys
  virtual bool pure() const = 0;     // the script declares its keys pure
  // The same mapper, declared pure.
  virtual std::unique_ptr<Mapper> as_pure() const = 0;
};

}  // namespace perigee::values
