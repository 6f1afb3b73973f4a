// The queues in which posted activities wait.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/kernel/ids.h"

namespace perigee::engine {

// An activity that waits: the lowest (rank, serial) is served first.
struct Post {
  double rank = 0;
  std::uint32_t serial = 0, slot = 0;
  bool operator<(const Post& other) const {
    return rank != other.rank ? rank < other.rank : serial < other.serial;
  }
};

class PostQueue {
 public:
  bool empty() const { return head_ == entries_.size(); }
  std::size_t size() const { return entries_.size() - head_; }
  // Places of the posts, in order of service: from begin() to end(). Taking out the first moves begin() on by one;
  // taking out another closes the gap behind it.
  std::size_t begin() const { return head_; }
  std::size_t end() const { return entries_.size(); }
  const Post& operator[](std::size_t place) const { return entries_[place]; }
  bool is_first(std::uint32_t slot) const { return entries_[head_].slot == slot; }  // the queue is not empty
  bool overtakes() const { return overtakes_; }  // a post may pass one that cannot start

  void let_overtake() { overtakes_ = true; }
  void insert(const Post& post);
  void erase(const Post& post);  // InternalError when it is not there

 private:
  std::vector<Post> entries_;  // those before `head_` are gone
  std::size_t head_ = 0;
  bool overtakes_ = false;
};

// One queue for each host and each link. Queues are touched when something changes that their posts may wait for, and
// are then to be served. An empty queue is never touched.
class Posts {
 public:
  Posts(std::size_t hosts, std::size_t links) : hosts_(hosts), links_(links) {}
  void let_overtake(ResourceId on) { of(on).queue.let_overtake(); }

  const PostQueue& operator[](HostId host) const { return hosts_[host.index].queue; }
  const PostQueue& operator[](LinkId link) const { return links_[link.index].queue; }
  const PostQueue& operator[](ResourceId on) const {
    return on.kind() == ResourceKind::host ? hosts_[on.at()].queue : links_[on.at()].queue;
  }
  // The post in that slot need not wait for another one in the queue, in which it is.
  bool may_go(ResourceId on, std::uint32_t slot) const {
    const PostQueue& queue = (*this)[on];
    return queue.overtakes() || queue.is_first(slot);
  }

  // Both touch the queue where that lets a post start.
  [[gnu::always_inline]] inline void insert(ResourceId on, const Post& post);
  [[gnu::always_inline]] inline void erase(ResourceId on, const Post& post);

  [[gnu::always_inline]] inline void touch(HostId host) {
    Line& line = hosts_[host.index];
    if (line.touched || line.queue.empty()) return;
    line.touched = true;
    touched_hosts_.push_back(host.index);
  }
  inline void touch(LinkId link);
  inline void touch(ResourceId on);
  bool any_touched() const { return !touched_hosts_.empty() || !touched_links_.empty(); }
  // The hosts, or the links, of the queues that were touched since the last call, in order of index; valid until the
  // next call of either. Each counts as touched until it is served.
  std::span<const std::uint32_t> take_touched_hosts() { return take_sorted(touched_hosts_); }
  std::span<const std::uint32_t> take_touched_links() { return take_sorted(touched_links_); }
  void served(HostId host) { hosts_[host.index].touched = false; }
  void served(LinkId link) { links_[link.index].touched = false; }

 private:
  struct Line {
    PostQueue queue;
    bool touched = false;
  };
  Line& of(ResourceId on) { return on.kind() == ResourceKind::host ? hosts_[on.at()] : links_[on.at()]; }
  std::span<const std::uint32_t> take_sorted(std::vector<std::uint32_t>& touched);

  std::vector<Line> hosts_, links_;
  std::vector<std::uint32_t> touched_hosts_, touched_links_;
  std::vector<std::uint32_t> taken_;  // kept for its capacity
};

inline void Posts::insert(ResourceId on, const Post& post) {
  of(on).queue.insert(post);
  if (may_go(on, post.slot)) touch(on);  // else the first one still waits
}

inline void Posts::erase(ResourceId on, const Post& post) {
  of(on).queue.erase(post);
  touch(on);
}

inline void Posts::touch(ResourceId on) {
  if (on.kind() == ResourceKind::host)
    touch(on.host());
  else
    touch(on.link());
}

inline void Posts::touch(LinkId link) {
  Line& line = links_[link.index];
  if (line.touched || line.queue.empty()) return;
  line.touched = true;
  touched_links_.push_back(link.index);
}

}  // namespace perigee::engine
