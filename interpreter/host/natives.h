// The native values of one interpreter. The collector destroys each when it finds it garbage. The others are
// destroyed with the interpreter. There are such, because a finalizer needs one more call: when recursion has
// used up the stack, Lua drops the finalizer and frees the block.
#pragma once

#include <utility>

#include "interpreter/layers.h"

namespace perigee::host {

class Natives;

class Native {
 public:
  explicit Native(Natives& all);
  virtual ~Native();
  Native(const Native&) = delete;
  Native& operator=(const Native&) = delete;

 private:
  friend class Natives;
  Native() : before_(this), behind_(this) {}  // an empty ring

  Native* before_;
  Native* behind_;
};

template <class T>
struct NativeOf final : Native {
  NativeOf(Natives& all, T given) : Native(all), value(std::move(given)) {}
  T value;
};

class Natives {
 public:
  Natives() = default;
  ~Natives() { clear(); }
  Natives(const Natives&) = delete;
  Natives& operator=(const Natives&) = delete;

  void clear() {
    while (ring_.behind_ != &ring_) delete ring_.behind_;
  }

 private:
  friend class Native;
  Native ring_;
};

inline Native::Native(Natives& all) : before_(all.ring_.before_), behind_(&all.ring_) {
  before_->behind_ = behind_->before_ = this;
}
inline Native::~Native() {
  before_->behind_ = behind_;
  behind_->before_ = before_;
}

}  // namespace perigee::host
