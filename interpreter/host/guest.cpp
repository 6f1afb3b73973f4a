#include "interpreter/host/guest.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <utility>

#include "interpreter/host/stack.h"
#include "runtime/kernel/quantity.h"
#include "runtime/kernel/room.h"

namespace perigee::host {

namespace {

constexpr std::size_t kLongText = 1024;  // bytes: shorter ones cost next to nothing

// Set aside for saying that the machine has no more memory. It is as much as there is, up to a size whose
// block malloc does not give back to the system when it is freed.
std::atomic<void*> reserve = nullptr;
void set_reserve() {
  void* block = nullptr;
  for (std::size_t size = 64 << 10; reserve == nullptr && block == nullptr && size >= 1024; size /= 2)
    block = std::malloc(size);
  void* none = nullptr;
  if (block != nullptr && !reserve.compare_exchange_strong(none, block)) std::free(block);
}
void use_reserve() { std::free(reserve.exchange(nullptr)); }

std::string shown_bytes(double bytes) { return format_quantity(bytes, Dimension::bytes); }

// Stops the script where so many bytes are more than its limit leaves once what it has dropped is collected, or more
// than the machine has.
void keep_room(Guest& guest, double bytes, const std::string& subject, const std::string& instead) {
  const auto most = static_cast<double>(guest.limits().memory);
  if (most > 0 && bytes <= most) guest.make_room(static_cast<std::size_t>(bytes));
  const MemoryAccount& account = memory_account;
  const double machine =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  const double left = static_cast<double>(account.limit - account.used);
  std::string than;
  if (account.limit != MemoryAccount::kUnlimited && bytes > left)
    than = bytes > most
               ? fmt::format("more than the limit of {} (--memory)", shown_bytes(most))
               : fmt::format("more than the {} that are left of the limit of {} (--memory)",
                             shown_bytes(std::max(std::floor(left / 1e3) * 1e3, 0.0)), shown_bytes(most));
  else if (machine > 0 && bytes > machine)
    than = "more memory than this machine has";
  if (!than.empty())
    guest.stop("memory_limit", fmt::format("{} needs {}, {}{}{}", subject, shown_bytes(bytes), than,
                                           instead.empty() ? "" : "; ", instead));
}

void note_where_memory_ended(lua_State* L) {
  lua_Debug frame;
  if (find_script_line(L, frame))
    std::snprintf(memory_ended_at, sizeof memory_ended_at, "%s:%d: ", frame.source + 1, frame.currentline);
}

// By a block of so many bytes: malloc rounds up and keeps a word beside it. Small blocks are most of what a
// script makes. Said by a formula, for a limit is to be met at the same place in every build.
std::int64_t taken_by(std::size_t bytes) {
  constexpr std::size_t kWord = 8, kGrain = 16, kLeast = 32;
  return bytes == 0
             ? 0
             : static_cast<std::int64_t>(std::max(kLeast, (bytes + kWord + kGrain - 1) & ~(kGrain - 1)));
}

}  // namespace

Guest::Guest(const Limits& limits, const Wording& wording)
    : handle_(std::make_shared<Handle>()), limits_(limits), wording_(wording) {
  memory_base_ = memory_account.used;
  set_reserve();
  state_ = lua_newstate(&allocate, this);
  if (state_ == nullptr) fail_to_start();
  handle_->state = state_;
  running_ = state_;
  *static_cast<Guest**>(lua_getextraspace(state_)) = this;
  // All that Lua warns of: a finalizer that it could not call. The block of that object will be another's.
  const auto forget = [](void* self, const char*, int) {
    for (MethodsOfType* type : static_cast<Guest*>(self)->types_) type->last = type->object = nullptr;
  };
  lua_setwarnf(state_, forget, this);
}

void Guest::begin() {
  open_ = true;
  resume();
  plan_collection();
}

void Guest::close() {
  open_ = false;
  lua_sethook(state_, nullptr, 0, 0);
  lua_setwarnf(state_, nullptr, nullptr);
  lua_close(state_);
  handle_->state = nullptr;
  natives_.clear();
}

void Guest::fail_to_start() const {
  fail("memory_limit", "--memory: {} is too little for perigee itself; give it some megabytes, as in 100MB",
       format_quantity(static_cast<double>(limits_.memory), Dimension::bytes));
}

void* Guest::allocate(void* self, void* block, std::size_t old_size, std::size_t new_size) {
  auto& me = *static_cast<Guest*>(self);
  if (block == nullptr) {
    if (old_size == LUA_TSTRING && new_size >= kLongText) me.note_bytes(new_size);
    old_size = 0;  // for a new block Lua passes its purpose here, not a size
  }
  const std::int64_t growth = taken_by(new_size) - taken_by(old_size);
  const auto count = [&] {
    me.memory_used_ += static_cast<std::uint64_t>(growth);
    memory_account.used += growth;
  };
  if (new_size == 0) {
    std::free(block);
    count();
    return nullptr;
  }
  if (new_size > old_size && me.limited() &&
      memory_account.used - me.memory_base_ + growth > static_cast<std::int64_t>(me.limits_.memory)) {
    me.refuse(Starved::by_limit, new_size);
    return nullptr;
  }
  void* moved = std::realloc(block, new_size);
  if (moved == nullptr) {
    me.refuse(Starved::by_system, new_size);
    return nullptr;
  }
  if (new_size > old_size) me.starved_ = Starved::no;
  count();
  return moved;
}

// Lua tries again when it has collected. The place is noted now: no handler of messages is called for want of
// memory.
void Guest::refuse(Starved why, std::size_t bytes) {
  starved_ = why;
  refused_by_system_ = why == Starved::by_system;
  memory_account.refused = bytes;
  if (!open_) return;
  if (why == Starved::by_system) {
    note_where_memory_ended(running_);
    use_reserve();
  }
  const std::int64_t limit = std::exchange(memory_account.limit, MemoryAccount::kUnlimited);
  try {
    starved_at_ = caller(running_);
  } catch (const std::bad_alloc&) {
    starved_at_ = {};
  }
  memory_account.limit = limit;
  if (why == Starved::by_system) set_reserve();  // the script goes on where Lua finds room
}

void Guest::stop_for_memory() { stop_for_memory(!refused_by_system_, std::exchange(starved_at_, {}), {}); }

void Guest::stop_for_memory(const std::bad_alloc& error, const std::string& note) {
  stop_for_memory(dynamic_cast<const MemoryLimit*>(&error) != nullptr, {}, note);
}

void Guest::stop_for_memory(bool by_limit, SourceLocation where, const std::string& note) {
  memory_account.limit = MemoryAccount::kUnlimited;  // the script ends
  if (!by_limit) {
    note_where_memory_ended(running_);
    use_reserve();
  }
  std::string message = "this machine has not enough memory for the script";
  if (by_limit) {
    const auto shown = [](std::uint64_t bytes) { return shown_bytes(static_cast<double>(bytes)); };
    message = fmt::format("the script needs more memory than {} (--memory)", shown(limits_.memory));
    if (memory_account.refused > limits_.memory / 4)
      message += fmt::format(": {} at once", shown(memory_account.refused));
  }
  if (!where.known()) where = caller(running_);
  stop("memory_limit", message, std::move(where), note);
}

void Guest::bound() {
  memory_account.limit = bounded_ > 0 && limited() ? memory_base_ + static_cast<std::int64_t>(limits_.memory)
                                                   : MemoryAccount::kUnlimited;
}

Guest::Bounded::Bounded(Guest& guest) : guest_(guest), limit_(memory_account.limit), meter_(work_meter) {
  if (guest_.bounded_++ > 0) return;
  guest_.bound();
  work_meter = {0, &guest_, [](void* who, std::uint64_t steps) { static_cast<Guest*>(who)->count(steps); }};
  room_keeper = [](void* who, double bytes, const std::string& subject, const char* instead) {
    keep_room(*static_cast<Guest*>(who), bytes, subject, instead);
  };
  if (guest_.limits_.steps > 0) ticks_.emplace(&Guest::on_tick, &guest_);
}

Guest::Bounded::~Bounded() {
  if (--guest_.bounded_ > 0) return;
  ticks_.reset();
  memory_account.limit = limit_;
  work_meter = meter_;
}

void Guest::collect() {
  collect_at_ = MemoryAccount::kUnlimited;  // functions called from here must not collect again
  lua_gc(state_, LUA_GCCOLLECT);
  plan_collection();
}

void Guest::make_room(std::size_t bytes) {
  const std::int64_t used = memory_account.used - memory_base_;
  if (limited() && used + static_cast<std::int64_t>(bytes) > static_cast<std::int64_t>(limits_.memory))
    collect();
}

void Guest::plan_collection() {
  constexpr std::int64_t kLeast = std::int64_t{32} << 20;  // between two collections
  const std::int64_t all = native_memory() + static_cast<std::int64_t>(memory_used_);
  std::int64_t more = std::max(kLeast, all / 2);
  if (limits_.memory > 0) more = std::min(more, static_cast<std::int64_t>(limits_.memory / 8));
  collect_at_ = native_memory() + more;
}

void Guest::note_steps(std::uint64_t steps) noexcept {
  counted_ += steps;
  if (counted_ < kLookEvery || looks_soon_ || !open_ || watcher_ != nullptr || stopped_ ||
      lua_gethook(running_) != &on_count)
    return;
  looks_soon_ = true;
  lua_sethook(running_, &on_count, LUA_MASKCOUNT, 1);
}

void Guest::on_tick(void* who) noexcept {
  auto& me = *static_cast<Guest*>(who);
  me.ticks_ = me.ticks_ + 1;
  constexpr int kPatience = 3;  // a hook that is set anew loses the instructions that it has counted
  if (me.ticks_ >= kPatience && !me.stopped_ && me.watcher_ == nullptr)
    lua_sethook(me.running_, &on_count, LUA_MASKCOUNT, 1);
}

// Some of what Lua does takes longer than its steps say, such as a search among keys of one hash. Such a
// script is stopped by the clock.
void Guest::check_time() {
  ticks_ = 0;
  constexpr double kFree = 5, kPerStep = 2e-6;  // seconds
  if (uncounted_ > 0) return;
  const double spent = processor_time() - steps_began_;
  if (spent <= kFree + kPerStep * static_cast<double>(steps_used_)) return;
  stop("step_limit",
       fmt::format("{} steps of the script take {:.1f} s of processor time: more than 2 us each (--steps)",
                   steps_used_, spent));
}

void Guest::interrupt() noexcept {
  interrupts_.fetch_add(1, std::memory_order_relaxed);
  // No hook slows down a script that nobody interrupts.
  if (limits_.interruptible && !stopped_)
    lua_sethook(running_, &on_count, LUA_MASKCOUNT | LUA_MASKCALL | LUA_MASKRET, 1);
}

void Guest::on_count(lua_State* L, lua_Debug* activation) {
  guard(L, [&] {
    Guest& me = of(L);
    if (me.stopped()) {
      lua_sethook(L, &on_count, LUA_MASKCOUNT, 1);
      throw Stopped(me.stop_reason());
    }
    if (me.watcher_ == nullptr) {
      const auto steps = static_cast<std::uint64_t>(lua_gethookcount(L));
      if (std::exchange(me.looks_soon_, false) || me.ticks_ != 0) me.set_hook(L);
      me.look(steps + std::exchange(me.counted_, 0));
    } else {
      me.watcher_->see(L, activation);
      if (activation->event == LUA_HOOKCOUNT) me.count(1);
    }
    return 0;
  });
}

bool Guest::asked_to_stop(bool between) {
  ++looks_;
  if (stop_at_ > 0) {
    if (looks_ == stop_at_) interrupt();
    return looks_ == stop_at_;
  }
  if (!interrupted()) return false;
  if (between || advancing_ == 0 || interrupts_ > 1 || hung_up()) return true;
  // The script of a simulation under way is left in peace for a while: between two instants is better.
  constexpr double kPatience = 0.5;  // seconds of processor time
  const double now = processor_time();
  if (waiting_since_ < 0) waiting_since_ = now;
  return now - waiting_since_ > kPatience;
}

void Guest::look(std::uint64_t steps) {
  if (asked_to_stop(false)) stop_interrupted();
  spend(steps);
  if (ticks_ != 0 && limits_.steps > 0) check_time();
}

Guest::Uncounted::Uncounted(Guest& guest)
    : guest_(guest),
      steps_(guest.steps_used_),
      counted_(guest.counted_),
      work_(work_meter.done),
      began_(guest.time_spent()) {
  ++guest_.uncounted_;
}

Guest::Uncounted::~Uncounted() {
  --guest_.uncounted_;
  guest_.steps_used_ = steps_;
  guest_.counted_ = counted_;
  guest_.steps_began_ += guest_.time_spent() - began_;
  work_meter.done = work_;
}

Guest::OwnSteps::OwnSteps(Guest& guest)
    : guest_(guest),
      steps_(std::exchange(guest.steps_used_, 0)),
      counted_(std::exchange(guest.counted_, 0)),
      work_(std::exchange(work_meter.done, 0)),
      began_(guest.time_spent() - guest.steps_began_),
      uncounted_(std::exchange(guest.uncounted_, 0)) {
  guest_.steps_began_ = guest_.time_spent();
  guest_.set_hook(guest_.running_);  // counts from here on
}

Guest::OwnSteps::~OwnSteps() {
  guest_.steps_used_ = steps_;
  guest_.steps_began_ = guest_.time_spent() - began_;
  guest_.counted_ = counted_;
  guest_.uncounted_ = uncounted_;
  if (guest_.stopped_ && (guest_.stopped_->code == "step_limit" || guest_.stopped_->code == "memory_limit")) {
    guest_.stopped_.reset();
    guest_.starved_ = Starved::no;
    guest_.collect();
    guest_.bound();
    guest_.set_hook(guest_.state_);
  }
  if (!guest_.stopped_) guest_.set_hook(guest_.running_);
  work_meter.done = work_;
  if (std::uncaught_exceptions() == 0) guest_.collect_when_due();  // the results
}

void Guest::stop_interrupted(const std::string& where) { stop("interrupted", "interrupted" + where); }

void Guest::resume() {
  const bool was_starved = stopped_ && stopped_->code == "memory_limit";
  stopped_.reset();
  starved_ = Starved::no;
  looks_soon_ = false;
  if (was_starved) collect();
  bound();
  interrupts_ = 0;
  waiting_since_ = -1;
  looks_ = 0;
  steps_used_ = 0;
  steps_began_ = time_spent();
  counted_ = 0;
  set_hook(state_);
}

void Guest::set_hook(lua_State* L) {
  if (watcher_ != nullptr) {
    lua_sethook(L, &on_count, LUA_MASKCOUNT | LUA_MASKCALL, 1);
    return;
  }
  if (limits_.steps > 0)
    lua_sethook(L, &on_count, LUA_MASKCOUNT,
                static_cast<int>(std::min<std::uint64_t>(kLookEvery, limits_.steps)));
  else
    lua_sethook(L, limits_.interactive || interrupted() ? &on_count : nullptr, LUA_MASKCOUNT, kLookEvery);
}

Guest::Watched::Watched(Guest& guest, lua_State* L, Watcher& watcher) : guest_(guest), L_(L) {
  guest.watcher_ = &watcher;
  guest.set_hook(L);
}

Guest::Watched::~Watched() {
  guest_.watcher_ = nullptr;
  if (!guest_.stopped_) guest_.set_hook(L_);
}

void Guest::spend(std::uint64_t steps) {
  if (stopped()) throw Stopped(*stopped_);
  if (limits_.steps == 0 || uncounted_ > 0) return;
  steps_used_ += steps;
  if (steps_used_ < limits_.steps) return;
  stop("step_limit", fmt::format("the script takes more than {} steps (--steps)", limits_.steps));
}

std::uint64_t Guest::settle_steps() {
  spend(std::exchange(counted_, 0) + std::exchange(work_meter.done, 0));
  count_anew();
  return steps_used_;
}

void Guest::stop_as(std::string message, SourceLocation where) {
  *stopped_ = {stopped_->code, std::move(message), std::move(where), {}};
  throw Stopped(*stopped_);
}

void Guest::stop(const std::string& code, const std::string& message) {
  stop(code, message, caller(running_), {});
}

void Guest::stop(const std::string& code, const std::string& message, SourceLocation where,
                 const std::string& note) {
  if (!stopped_) {
    Diagnostic reason{code, message, std::move(where), {}};
    if (!note.empty()) reason.notes.push_back(note);
    stopped_ = std::make_unique<Diagnostic>(std::move(reason));
    bound();  // the remaining work has the memory that it needs
    // From now on every instruction of the script raises it again.
    lua_sethook(running_, &on_count, LUA_MASKCOUNT, 1);
    looks_soon_ = false;
    if (running_ != state_) lua_sethook(state_, &on_count, LUA_MASKCOUNT, 1);
  }
  throw Stopped(*stopped_);
}

}  // namespace perigee::host
