// A Lua state whose script is a guest: its steps and its memory are limited, and it can be stopped. The host
// knows nothing of perigee's words. In come limits, texts of files and a Wording; out come Stopped and errors
// with the line of the script.
#pragma once

#include <atomic>
#include <csignal>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/host/lua.h"
#include "interpreter/host/memory.h"
#include "interpreter/host/natives.h"
#include "interpreter/host/processor_time.h"
#include "interpreter/host/sources.h"
#include "interpreter/host/wording.h"
#include "runtime/kernel/error.h"
#include "runtime/kernel/work.h"

namespace perigee::host {

struct MethodsOfType;
class Running;
struct Limits {
  std::uint64_t steps = 0;     // Lua instructions and work counted as such; 0 = no limit
  std::uint64_t memory = 0;    // bytes of all values; 0 = no limit
  bool interactive = false;    // interrupt() stops a run, and the run can be examined afterwards
  bool interruptible = false;  // interrupt() stops a run; it is called in the thread of the run
  bool check = false;          // declarations only, nothing runs
};

// Is shown every instruction and call of a script.
class Watcher {
 public:
  virtual ~Watcher() = default;
  virtual void see(lua_State* L, lua_Debug* activation) = 0;
};

class Guest {
 public:
  Guest(const Guest&) = delete;
  Guest& operator=(const Guest&) = delete;

  static Guest& of(lua_State* L) { return **static_cast<Guest**>(lua_getextraspace(L)); }
  lua_State* main() const { return state_; }
  lua_State* running() const { return running_; }  // the thread that called into C++ last
  Sources& sources() { return sources_; }
  const Sources& sources() const { return sources_; }
  const Wording& wording() const { return wording_; }

  bool checking() const { return limits_.check; }
  bool has_unknown() const { return has_unknown_; }  // a result was asked for in check mode
  void note_unknown() { has_unknown_ = true; }

  // Counts steps against --steps.
  void spend(std::uint64_t steps);
  // The same for work of C++ that a script calls and that may take long. It looks for an interrupt now and
  // then.
  void count(std::uint64_t steps) {
    counted_ += steps;
    if (counted_ >= kLookEvery) look(std::exchange(counted_, 0));
  }
  // The same for so many bytes of text that are read or written.
  void count_bytes(std::size_t bytes) { count(bytes / kBytesPerStep); }
  // The same where nothing may be raised: the script's next instruction looks.
  void note_steps(std::uint64_t steps) noexcept;
  void note_bytes(std::size_t bytes) noexcept { note_steps(bytes / kBytesPerStep); }
  [[noreturn]] void stop(const std::string& code, const std::string& message);
  bool stopped() const { return stopped_ != nullptr; }

  // While an object of this class lives, only steps of cells are counted. It is for work that is not the same
  // in every run of the script.
  class Uncounted {
   public:
    explicit Uncounted(Guest& guest);
    ~Uncounted();
    Uncounted(const Uncounted&) = delete;
    Uncounted& operator=(const Uncounted&) = delete;

   private:
    Guest& guest_;
    std::uint64_t steps_, counted_, work_;
    double began_;
  };

  // While an object of this class lives, steps are counted from 0 on. When a limit is met meanwhile, only
  // what runs meanwhile is stopped. Such work is the cell of an experiment.
  class OwnSteps {
   public:
    explicit OwnSteps(Guest& guest);
    ~OwnSteps();
    OwnSteps(const OwnSteps&) = delete;
    OwnSteps& operator=(const OwnSteps&) = delete;

   private:
    Guest& guest_;
    std::uint64_t steps_, counted_, work_;
    double began_;
    int uncounted_;
  };

  void count_anew() {  // the next look comes after a full count of instructions
    looks_soon_ = false;
    set_hook(running_);
  }

  // Counts the work so far and returns the steps used. An object that is made once and kept for others takes
  // the steps between two calls. A cell that finds it made spends as many, so that it does not matter which
  // cell came first.
  std::uint64_t settle_steps();

  // Called from a signal handler. A run stops as soon as it looks.
  void interrupt() noexcept;
  bool interrupted() const noexcept { return interrupts_.load(std::memory_order_relaxed) > 0 || hung_up(); }
  // The same from any thread, for good. Nobody is left who could examine the stopped run.
  void hang_up() noexcept { hung_up_.store(true, std::memory_order_relaxed); }
  bool hung_up() const noexcept { return hung_up_.load(std::memory_order_relaxed); }
  // Whether the run is to stop here. This is asked at points that depend on the script alone, so that a
  // replay can stop at the same point. `between`: this point is between two instants of a native run.
  bool asked_to_stop(bool between);
  std::uint64_t looks() const { return looks_; }         // looks since resume()
  void stop_at(std::uint64_t look) { stop_at_ = look; }  // stops like interrupt(), at that look; 0 = at none
  [[noreturn]] void stop_interrupted(const std::string& where = {});
  // Forgets the cause that stopped the last text, and the steps that it took.
  void resume();

  std::uint64_t memory_used() const { return memory_used_; }  // bytes of Lua values
  bool starved() const { return starved_ != Starved::no; }    // the last allocation of Lua was refused
  // Stops for want of memory in Lua, or in C++; there the error is a MemoryLimit when the limit is met.
  [[noreturn]] void stop_for_memory();
  [[noreturn]] void stop_for_memory(const std::bad_alloc& error, const std::string& note = {});
  // Lua's collector does not see the memory of native objects. When enough of it may be garbage, everything
  // is collected. A script cannot notice that.
  void collect_when_due() {
    if (native_memory() > collect_at_) collect();
  }
  // Collects everything when so many more bytes would go beyond the limit. For functions that fill a buffer,
  // which Lua makes without collecting before it gives up.
  void make_room(std::size_t bytes);
  const Limits& limits() const { return limits_; }
  // While an object of this class lives, the script runs. Its limit of memory holds, and long computations
  // report their work.
  class Bounded {
   public:
    explicit Bounded(Guest& guest);
    ~Bounded();
    Bounded(const Bounded&) = delete;
    Bounded& operator=(const Bounded&) = delete;

   private:
    Guest& guest_;
    std::int64_t limit_;
    WorkMeter meter_;
    std::optional<ProcessorTicks> ticks_;
  };

  const Diagnostic& stop_reason() const { return *stopped_; }
  // Says in other words, for another line, why the script has stopped.
  [[noreturn]] void stop_as(std::string message, SourceLocation where);
  // Notes the place where the script stopped; the innermost place counts.
  void note_stop(std::string where) {
    if (stopped_ && stopped_->notes.empty()) stopped_->notes.push_back(std::move(where));
  }

  Natives& natives() { return natives_; }
  void note_type(MethodsOfType& type) { types_.push_back(&type); }

  // While an object of this class lives, `watcher` is shown every instruction and call of the script.
  class Watched {
   public:
    Watched(Guest& guest, lua_State* L, Watcher& watcher);
    ~Watched();
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;

   private:
    Guest& guest_;
    lua_State* L_;
  };

  struct Handle {
    lua_State* state;
  };
  const std::shared_ptr<Handle>& handle() const { return handle_; }

 protected:
  // Bytes of memory that perigee itself needs are within the limit; else an Error.
  Guest(const Limits& limits, const Wording& wording);
  ~Guest() = default;
  // From here on the limits hold.
  void begin();
  // Ends the state and destroys all native values. To be called before anything that they use is gone.
  void close();
  [[noreturn]] void fail_to_start() const;  // because memory is short

  friend class Running;
  static void* allocate(void* self, void* block, std::size_t old_size, std::size_t new_size);
  static void on_count(lua_State* L, lua_Debug* activation);
  static void on_tick(void* who) noexcept;
  // Instructions between two looks at --steps and interrupts.
  static constexpr std::uint64_t kLookEvery = 1000;
  static constexpr std::size_t kBytesPerStep = 16;
  void look(std::uint64_t steps);
  // The processor time of this thread, where it counts against --steps, 0 elsewhere.
  double time_spent() const noexcept { return limits_.steps > 0 ? processor_time() : 0; }
  void check_time();
  enum class Starved : std::uint8_t { no, by_limit, by_system };
  void refuse(Starved why, std::size_t bytes);
  [[noreturn]] void stop(const std::string& code, const std::string& message, SourceLocation where,
                         const std::string& note);
  std::int64_t native_memory() const {
    return memory_account.used - memory_base_ - static_cast<std::int64_t>(memory_used_);
  }
  bool limited() const { return limits_.memory > 0 && !stopped_; }
  void bound();
  void collect();
  void plan_collection();
  [[noreturn]] void stop_for_memory(bool by_limit, SourceLocation where, const std::string& note);
  void set_hook(lua_State* L);

  lua_State* state_ = nullptr;
  lua_State* running_ = nullptr;
  std::shared_ptr<Handle> handle_;
  Natives natives_;
  std::vector<MethodsOfType*> types_;
  std::uint64_t memory_used_ = 0;
  Starved starved_ = Starved::no;
  bool refused_by_system_ = false;  // the last time that memory was refused to Lua
  SourceLocation starved_at_;
  std::int64_t memory_base_ = 0;                         // use of the thread before there was an interpreter
  std::int64_t collect_at_ = MemoryAccount::kUnlimited;  // bytes of native objects
  int bounded_ = 0;
  bool open_ = false;
  bool looks_soon_ = false;  // the hook is set to the next instruction
  std::uint64_t steps_used_ = 0;
  std::uint64_t counted_ = 0;             // steps of C++ that are not in steps_used_ yet
  double steps_began_ = 0;                // processor time of this thread when steps_used_ was 0
  volatile std::sig_atomic_t ticks_ = 0;  // seconds of processor time since the last look
  int uncounted_ = 0;
  std::unique_ptr<Diagnostic> stopped_;
  std::atomic<int> interrupts_ = 0;
  std::atomic<bool> hung_up_ = false;
  int advancing_ = 0;
  Watcher* watcher_ = nullptr;
  double waiting_since_ =
      -1;  // processor time of the first look after an interrupt, while a run is to reach an instant
  std::uint64_t looks_ = 0, stop_at_ = 0;
  bool has_unknown_ = false;
  Limits limits_;
  const Wording& wording_;
  Sources sources_;
};

}  // namespace perigee::host
