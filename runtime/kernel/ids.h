// Small distinct index types, and the type of times.
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

#include "runtime/kernel/error.h"

namespace perigee::kernel {

using Time = double;     // seconds since the start of the run
using Seconds = double;  // a span of time
inline constexpr Time kNever = std::numeric_limits<double>::infinity();

// An index into an array of declared things. Default constructed: none.
template <class Tag>
struct Id {
  static constexpr std::uint32_t none = 0xffffffff;
  std::uint32_t index = none;

  constexpr Id() = default;
  // InternalError unless 0 <= value <= none.
  template <std::integral I>
  explicit constexpr Id(I value) : index(static_cast<std::uint32_t>(value)) {
    if constexpr (std::signed_integral<I>) PERIGEE_ASSERT(value >= 0, "negative id");
    if constexpr (sizeof(I) > sizeof(index))
      PERIGEE_ASSERT(static_cast<std::uint64_t>(value) <= none, "id out of range");
  }

  constexpr bool valid() const noexcept { return index != none; }
  // For indexing arrays.
  constexpr std::size_t at() const noexcept { return index; }

  friend constexpr auto operator<=>(const Id&, const Id&) = default;
};

using HostId = Id<struct HostTag>;
using LinkId = Id<struct LinkTag>;
using ClusterId = Id<struct ClusterTag>;
using WorkId = Id<struct WorkTag>;
using FileId = Id<struct FileTag>;
using UserId = Id<struct UserTag>;

// Names one occupant of a slot that is reused: `serial` grows with every occupant.
template <class Tag>
struct SlotId {
  std::uint32_t serial = 0;  // 0 = none
  std::uint32_t slot = 0;

  constexpr bool valid() const noexcept { return serial != 0; }
  constexpr std::uint64_t packed() const noexcept { return std::uint64_t{serial} << 32 | slot; }
  static constexpr SlotId from_packed(std::uint64_t bits) noexcept {
    return {static_cast<std::uint32_t>(bits >> 32), static_cast<std::uint32_t>(bits)};
  }

  friend constexpr auto operator<=>(const SlotId&, const SlotId&) = default;
};

using ActivityId = SlotId<struct ActivityTag>;
using TimerId = SlotId<struct TimerTag>;

enum class ResourceKind : std::uint8_t { none, host, link, store, scheduler };

// Any resource, in 32 bits: kind in the top 3, index in the low 29. Default constructed: none.
class ResourceId {
 public:
  static constexpr std::uint32_t kMaxIndex = (std::uint32_t{1} << 29) - 1;

  constexpr ResourceId() = default;
  [[gnu::always_inline]] constexpr ResourceId(ResourceKind kind, std::uint32_t index)
      : bits_(static_cast<std::uint32_t>(kind) << 29 | (index & kMaxIndex)) {
    PERIGEE_ASSERT(index <= kMaxIndex, "resource index out of range");
  }
  // An invalid id gives none.
  static constexpr ResourceId of(HostId id) { return make(ResourceKind::host, id); }
  static constexpr ResourceId of(LinkId id) { return make(ResourceKind::link, id); }
  // The store of a cluster.
  static constexpr ResourceId of(ClusterId id) { return make(ResourceKind::store, id); }
  static constexpr ResourceId scheduler(std::uint32_t index = 0) { return {ResourceKind::scheduler, index}; }

  constexpr ResourceKind kind() const noexcept { return static_cast<ResourceKind>(bits_ >> 29); }
  constexpr std::uint32_t index() const noexcept { return bits_ & kMaxIndex; }
  constexpr std::size_t at() const noexcept { return index(); }
  constexpr bool valid() const noexcept { return kind() != ResourceKind::none; }

  // Invalid when this is a resource of another kind.
  constexpr HostId host() const { return as<HostId>(ResourceKind::host); }
  constexpr LinkId link() const { return as<LinkId>(ResourceKind::link); }
  constexpr ClusterId store() const { return as<ClusterId>(ResourceKind::store); }

  constexpr std::uint32_t packed() const noexcept { return bits_; }
  static constexpr ResourceId from_packed(std::uint32_t bits) noexcept {
    ResourceId id;
    id.bits_ = bits;
    return id;
  }

  friend constexpr auto operator<=>(const ResourceId&, const ResourceId&) = default;

 private:
  template <class AnyId>
  static constexpr ResourceId make(ResourceKind kind, AnyId id) {
    return id.valid() ? ResourceId(kind, id.index) : ResourceId();
  }
  template <class AnyId>
  constexpr AnyId as(ResourceKind wanted) const {
    return kind() == wanted ? AnyId(index()) : AnyId();
  }

  std::uint32_t bits_ = 0;
};

// "host", "link", ...
constexpr const char* name_of(ResourceKind kind) {
  switch (kind) {
    case ResourceKind::none:
      return "none";
    case ResourceKind::host:
      return "host";
    case ResourceKind::link:
      return "link";
    case ResourceKind::store:
      return "store";
    case ResourceKind::scheduler:
      return "scheduler";
  }
  return "none";
}

}  // namespace perigee::kernel

template <class Tag>
struct std::hash<perigee::kernel::Id<Tag>> {
  std::size_t operator()(perigee::kernel::Id<Tag> id) const noexcept {
    return std::hash<std::uint32_t>{}(id.index);
  }
};
template <class Tag>
struct std::hash<perigee::kernel::SlotId<Tag>> {
  std::size_t operator()(perigee::kernel::SlotId<Tag> id) const noexcept {
    return std::hash<std::uint64_t>{}(id.packed());
  }
};
