#pragma once

#include <concepts>
#include <memory>
#include <utility>

#include "runtime/layers.h"

namespace perigee::kernel {

// Owns an object of a class with clone(); copying it clones the object.
template <class T>
class ClonePtr {
 public:
  ClonePtr() = default;
  template <std::derived_from<T> U>
  ClonePtr(std::unique_ptr<U> object) : object_(std::move(object)) {}
  ClonePtr(const ClonePtr& other) : object_(other.object_ ? other.object_->clone() : nullptr) {}
  ClonePtr(ClonePtr&&) noexcept = default;
  ClonePtr& operator=(const ClonePtr& other) {
    object_ = other.object_ ? other.object_->clone() : nullptr;
    return *this;
  }
  ClonePtr& operator=(ClonePtr&&) noexcept = default;
  ~ClonePtr() = default;

  T& operator*() const { return *object_; }
  T* operator->() const { return object_.get(); }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  std::unique_ptr<T> object_;
};

}  // namespace perigee::kernel
