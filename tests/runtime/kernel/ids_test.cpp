#include "runtime/kernel/ids.h"
#include "tests/support/layers.h"

#include <catch2/catch.hpp>
#include <type_traits>
#include <unordered_set>

using namespace perigee;
using namespace perigee::test;

static_assert(!std::is_convertible_v<int, HostId>);
static_assert(!std::is_convertible_v<HostId, LinkId>);
static_assert(HostId(3).at() == 3 && !HostId().valid() && HostId(1) < HostId(2));

TEST_CASE("ids") {
  CHECK(HostId(std::size_t{7}).index == 7);
  CHECK_THROWS_AS(HostId(-1), InternalError);
  CHECK_THROWS_AS(HostId(std::size_t{1} << 32), InternalError);
  CHECK(std::unordered_set<HostId>{HostId(1), HostId(1), HostId(2)}.size() == 2);
}

TEST_CASE("activity ids pack and unpack") {
  CHECK_FALSE(ActivityId{}.valid());
  const ActivityId id{5, 9};
  CHECK(id.valid());
  CHECK(id.packed() == 0x0000000500000009u);
  CHECK(ActivityId::from_packed(id.packed()) == id);
  CHECK(ActivityId::from_packed(0xfffffffffffffffeu) == ActivityId{0xffffffffu, 0xfffffffeu});
  CHECK(id != ActivityId{6, 9});
}

TEST_CASE("resource ids hold a kind and an index") {
  CHECK_FALSE(ResourceId().valid());
  const ResourceId host = ResourceId::of(HostId(12));
  CHECK(host.kind() == ResourceKind::host);
  CHECK(host.index() == 12);
  CHECK(host.host() == HostId(12));
  CHECK_FALSE(host.link().valid());
  CHECK(ResourceId::of(LinkId(12)) != host);
  CHECK(ResourceId::of(ClusterId(2)).store() == ClusterId(2));
  CHECK(ResourceId::scheduler().kind() == ResourceKind::scheduler);
  CHECK_FALSE(ResourceId::of(HostId()).valid());
  CHECK(ResourceId::from_packed(host.packed()) == host);
  CHECK(ResourceId::of(HostId(ResourceId::kMaxIndex)).host() == HostId(ResourceId::kMaxIndex));
  CHECK_THROWS_AS(ResourceId::of(HostId(ResourceId::kMaxIndex + 1)), InternalError);
  CHECK(std::string(name_of(ResourceKind::link)) == "link");
}
