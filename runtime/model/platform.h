#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/kernel/error.h"
#include "runtime/kernel/ids.h"
#include "runtime/kernel/profile.h"
#include "runtime/model/consumables.h"
#include "runtime/model/power.h"

namespace perigee::model {

// How transfers that use a link at the same time share it.
enum class Sharing : std::uint8_t {
  exclusive,  // one transfer at a time, the others wait
  fair,       // n transfers in their data phase get bandwidth / n each
  unlimited,  // every transfer gets the whole bandwidth
};
std::string_view name_of(Sharing sharing);

// The consumables of a host, in whole numbers.
struct Supply {
  double memory = kNeverShort;                                 // B
  std::vector<std::pair<std::string, double>> resources = {};  // by name
};

struct Host {
  std::string name;
  ClusterId cluster;
  std::int32_t cores = 1;  // >= 1
  std::int32_t slots = 0;  // runs of a sweep that it computes at once; 0 = as many as cores
  double speed = 1;        // op/s of one core, > 0
  std::int32_t architecture = 0;
  Seconds setup = 0;                          // fixed phase of every computation, >= 0
  bool exclusive = false;                     // serves one activity at a time, whatever its cores
  bool overtake = false;                      // its queue lets a posted activity pass one that cannot start
  Profile availability{1.0};                  // fraction of `speed` that is ours, over time
  std::shared_ptr<const Supply> supply = {};  // null: memory never runs short, and there is nothing else
  std::shared_ptr<const PowerModel> power = {};  // null: nothing is known of it
  SourceLocation declared_at = {};
};

// So many works, or shares of one work, may use it at the same time, on whatever hosts.
struct Licence {
  std::string name;
  double count = 0;  // a whole number
  SourceLocation declared_at = {};
};

struct Link {
  std::string name;
  std::uint32_t from = 0, to = 0;  // nodes of the network
  Profile bandwidth{0.0};          // B/s over time; +inf = transfers cost only latency
  Profile latency{0.0};            // s, sampled when a transfer starts
  Sharing sharing = Sharing::exclusive;
  bool overtake = false;                // of an unlimited one always: nothing on it waits for anything else
  bool implied = false;                 // stands for "no link was declared": free and instantaneous
  std::optional<LinkPower> power = {};  // none: nothing is known of it
  SourceLocation declared_at = {};
};

// Hosts that share one storage behind one link.
struct Cluster {
  std::string name;
  LinkId link;         // its gateway
  std::uint32_t node;  // of the network
  std::vector<HostId> hosts = {};
  double store = kNeverShort;  // B that its store has room for, a whole number; kNeverShort: no limit
  SourceLocation declared_at = {};
};

// A network in which every two clusters are joined by a link of their own, which all transfers between the two use at the
// same time without sharing it. Nothing goes over the origin, and files from there and home move in no time.
// Topcuoglu et al., IEEE TPDS 13(3), 2002, section 2.
struct CompleteNetwork {
  std::vector<double> bandwidth{
      kNever};  // B/s, > 0, +inf allowed: one number, or by cluster from which and then to which
  std::vector<Seconds> latency{0};  // s, >= 0: one number, one for each cluster that sends, or as `bandwidth`
  SourceLocation declared_at = {};

  double bandwidth_of(ClusterId from, ClusterId to, std::size_t clusters) const {
    return bandwidth.size() == 1 ? bandwidth.front() : bandwidth[from.index * clusters + to.index];
  }
  Seconds latency_of(ClusterId from, ClusterId to, std::size_t clusters) const {
    return latency.size() == 1          ? latency.front()
           : latency.size() == clusters ? latency[from.index]
                                        : latency[from.index * clusters + to.index];
  }
};

// The platform as a script declares it. Nodes of the network are named; files start at "origin" and outputs
// go there.
struct PlatformSpec {
  struct ClusterSpec {
    std::string name;
    std::vector<Host> hosts;  // `cluster` is filled in
    std::vector<std::string> switches =
        {};  // per host the leaf switch where it hangs, "" = that of the cluster; or empty
    bool has_link = false;
    Link link = {};
    std::string at = "origin";   // the node its link leads to
    double store = kNeverShort;  // B, as in Cluster
    SourceLocation declared_at = {};
  };
  struct LinkSpec {
    Link link;
    std::string from, to;
  };
  std::vector<ClusterSpec> clusters;
  std::vector<std::string> routers;
  std::vector<LinkSpec> links;  // between routers and the origin
  std::vector<Licence> licences;
  std::optional<CompleteNetwork> complete = {};  // then no link is declared
  // The order of the hosts, each by its cluster and its place there. Hosts left out come last. Empty =
  // cluster by cluster.
  struct Place {
    std::uint32_t cluster = 0, host = 0;
  };
  std::vector<Place> host_order;
};

// The immutable description of the machines. It is built and checked once and never changes.
class Platform {
 public:
  Platform() = default;
  explicit Platform(const PlatformSpec& spec);  // Error naming the declaration at fault

  std::span<const Host> hosts() const { return hosts_; }
  std::span<const Link> links() const { return links_; }
  std::span<const Cluster> clusters() const { return clusters_; }
  // Names of the nodes of the network: the origin, the routers, and one for each cluster.
  std::span<const std::string> node_names() const { return nodes_; }
  const Host& operator[](HostId id) const { return hosts_[id.index]; }
  const Link& operator[](LinkId id) const { return links_[id.index]; }
  const Cluster& operator[](ClusterId id) const { return clusters_[id.index]; }

  // Lookups by name; an unknown name is an Error with the nearest known one.
  HostId host(std::string_view name) const;
  LinkId link(std::string_view name) const;
  ClusterId cluster(std::string_view name) const;
  std::string name_of(ResourceId id) const;

  // Links from the origin to the cluster, in order. The route has the least latency at `now`, then the fewest
  // hops, then the lowest node and link in order of declaration. Links that are not `up` are left out; an
  // empty `up` means that all are up. Empty when the cluster cannot be reached.
  std::vector<LinkId> route(ClusterId cluster, std::span<const std::uint8_t> up = {}, Time now = 0) const;
  // The same with the latencies of all links given, in seconds.
  std::vector<LinkId> route(ClusterId cluster, std::span<const std::uint8_t> up,
                            std::span<const Seconds> latencies) const;

  const std::optional<CompleteNetwork>& complete() const {
    return complete_;
  }  // none: files go over links alone

  // Equal for two hosts that hang at the same leaf switch.
  std::uint32_t switch_of(HostId host) const {
    return switches_.empty() ? hosts_[host.index].cluster.index : switches_[host.index];
  }
  // The cores of all hosts together.
  std::int64_t total_cores() const;

  // The consumables that some host declares, memory first. A host has none of the others' resources, and never runs
  // short of memory if it declares none.
  std::span<const std::string> consumables() const { return consumables_; }
  double supply(HostId host, std::uint32_t consumable) const {
    return supplies_[host.index * consumables_.size() + consumable];
  }
  std::span<const double> supplies(HostId host) const {  // by consumable
    return std::span(supplies_).subspan(host.index * consumables_.size(), consumables_.size());
  }
  // B; kNeverShort of a host that declares none.
  double memory(HostId host) const {
    return hosts_[host.index].supply != nullptr ? hosts_[host.index].supply->memory : kNeverShort;
  }
  std::span<const Licence> licences() const { return licences_; }
  bool has_store_limit() const { return has_store_limit_; }  // the store of some cluster has a size
  bool has_power() const { return has_power_; }              // some host declares its power
  bool has_link_power() const { return has_link_power_; }    // some link does

 private:
  class Builder;

  std::vector<Host> hosts_;
  std::vector<Link> links_;
  std::vector<Cluster> clusters_;
  std::vector<std::string> nodes_;
  std::vector<std::uint32_t> switches_;  // per host; empty = each cluster has one
  std::vector<std::string> consumables_;
  std::vector<double> supplies_;  // host by host
  std::vector<Licence> licences_;
  std::optional<CompleteNetwork> complete_;
  bool has_power_ = false, has_link_power_ = false, has_store_limit_ = false;
};

}  // namespace perigee::model
