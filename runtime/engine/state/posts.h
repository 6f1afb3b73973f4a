// The queues in which posted activities wait.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
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
  // Places of the posts, in order of service: from begin() to end(). Taking out the first moves begin() on by
  // one; taking out another closes the gap behind it.
  std::size_t begin() const { return head_; }
  std::size_t end() const { return entries_.size(); }
  const Post& operator[](std::size_t place) const { return entries_[place]; }
  bool overtakes() const { return overtakes_; }  // a post may pass one that cannot start
  // The post in that slot, which is in the queue, need not wait for another one.
  bool may_go(std::uint32_t slot) const { return overtakes_ || entries_[head_].slot == slot; }

  // The link takes whatever comes: posts wait for it only while it is down or held, and never for each other.
  bool is_open() const { return open_; }

  void let_overtake() { overtakes_ = true; }
  void let_all_in() { overtakes_ = open_ = true; }
  void insert(const Post& post);
  void erase(const Post& post);  // InternalError when it is not there

 private:
  std::vector<Post> entries_;  // those before `head_` are gone
  std::size_t head_ = 0;
  bool overtakes_ = false, open_ = false;
};

// One queue for each host and each link, which `On` names: HostId or LinkId. A queue is touched when something changes
// that its posts may wait for. It is then to be served. An open queue may be touched for some posts alone: others that
// can start are in the queue of a host, which is served before. An empty queue is never touched.
class Posts {
 public:
  Posts(std::size_t hosts, std::size_t links)
      : hosts_{std::vector<Line>(hosts)}, links_{std::vector<Line>(links)} {}
  template <class On>
  void let_overtake(On on) {
    lines_of(on).lines[on.index].queue.let_overtake();
  }
  void let_all_in(LinkId link) { links_.lines[link.index].queue.let_all_in(); }

  const PostQueue& operator[](HostId host) const { return hosts_.lines[host.index].queue; }
  const PostQueue& operator[](LinkId link) const { return links_.lines[link.index].queue; }

  // Both touch the queue where that lets a post start.
  template <class On>
  [[gnu::always_inline]] inline void insert(On on, const Post& post);
  template <class On>
  [[gnu::always_inline]] inline void erase(On on, const Post& post);

  template <class On>
  [[gnu::always_inline]] inline void touch(On on) {
    Lines& all = lines_of(on);
    Line& line = all.lines[on.index];
    if (line.queue.empty()) return;
    line.whole = true;
    mark(all, on);
  }
  // Something has changed for that post, which is in the queue.
  template <class On>
  [[gnu::always_inline]] inline void touch(On on, const Post& post) {
    Lines& all = lines_of(on);
    Line& line = all.lines[on.index];
    if (!line.queue.is_open()) {
      touch(on);
    } else if (!line.whole) {
      line.some.push_back(post);
      mark(all, on);
    }
  }
  bool any_touched() const { return !hosts_.touched.empty() || !links_.touched.empty(); }
  // Calls f with each host, or link, whose queue has been touched, in order of index, and calls it served. The
  // posts that are to be looked at come with it, in order of service; some may have left. None: the whole queue.
  // Queues that f itself touches are left for the next call, but one that is being served is not touched
  // again.
  template <class F>
  void serve_hosts(F f) {
    serve<HostId>(hosts_, f);
  }
  template <class F>
  void serve_links(F f) {
    serve<LinkId>(links_, f);
  }
  // All links whose queues have been touched, in order of index, valid until the next call. They count as
  // served.
  std::span<const LinkId> take_links() {
    taken_.clear();
    serve_links([this](LinkId link, std::span<const Post>) { taken_.push_back(link); });
    return taken_;
  }

 private:
  struct Line {
    PostQueue queue;
    bool touched = false, whole = false;
    std::vector<Post> some = {};  // those touched alone
  };
  struct Lines {
    std::vector<Line> lines;
    std::vector<std::uint32_t> touched = {};
  };
  Lines& lines_of(HostId) { return hosts_; }
  Lines& lines_of(LinkId) { return links_; }
  template <class On>
  static void mark(Lines& all, On on) {
    if (std::exchange(all.lines[on.index].touched, true)) return;
    all.touched.push_back(on.index);
  }
  template <class On, class F>
  void serve(Lines& all, F f) {
    const std::size_t count = all.touched.size();
    if (count > 1) std::sort(all.touched.begin(), all.touched.end());
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t index = all.touched[i];
      Line& line = all.lines[index];
      looked_at_.clear();
      if (!line.whole) std::swap(looked_at_, line.some);
      std::sort(looked_at_.begin(), looked_at_.end());
      f(On(index), std::span<const Post>(looked_at_));
      line.touched = line.whole = false;
      line.some.clear();
    }
    all.touched.erase(all.touched.begin(), all.touched.begin() + static_cast<std::ptrdiff_t>(count));
  }

  Lines hosts_, links_;
  std::vector<Post> looked_at_;  // both are kept for their capacity
  std::vector<LinkId> taken_;
};

template <class On>
inline void Posts::insert(On on, const Post& post) {
  PostQueue& queue = lines_of(on).lines[on.index].queue;
  queue.insert(post);
  if (queue.may_go(post.slot)) touch(on, post);  // else the first one still waits
}

template <class On>
inline void Posts::erase(On on, const Post& post) {
  PostQueue& queue = lines_of(on).lines[on.index].queue;
  queue.erase(post);
  if (!queue.is_open()) touch(on);
}

}  // namespace perigee::engine
