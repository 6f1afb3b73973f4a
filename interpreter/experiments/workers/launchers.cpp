#include "interpreter/experiments/workers/launchers.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include "runtime/kernel/error.h"

namespace perigee::experiments {

namespace {

using LaunchClock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr int kMostInVain = 3;
constexpr milliseconds kForWorkers{3000}, kAfterTerm{2000};  // to end, before signals

}  // namespace

Launchers::~Launchers() { end(); }

void Launchers::start(const std::string& access_file) {
  for (const WorkersSpec& spec : specs_) add(spec, access_file);
  for (Slot& slot : slots_) start(slot);
}

void Launchers::add(const WorkersSpec& spec, const std::string& access_file) {
  switch (spec.by) {
    case WorkersSpec::By::ssh:
      for (const SshHost& host : read_hosts(spec.hosts))
        for (std::size_t i = 0; i < host.count; ++i) slots_.push_back({ssh_command(spec, host)});
      return;
    case WorkersSpec::By::slurm:
      slots_.push_back({slurm_command(spec, access_file), false});
      return;
    case WorkersSpec::By::mpi:
      slots_.push_back({mpi_command(spec, access_file), false});
      return;
    case WorkersSpec::By::local:
    case WorkersSpec::By::listen:
      return;
  }
}

void Launchers::start_local(std::size_t cells) {
  std::size_t wanted = 0;
  for (const WorkersSpec& spec : specs_)
    if (spec.by == WorkersSpec::By::local) wanted += spec.count;
  for (; local_ < std::min(wanted, cells); ++local_) {
    slots_.push_back({local_command()});
    start(slots_.back());
  }
}

void Launchers::start(Slot& slot) {
  int ends[2] = {-1, -1};
  try {
    if (slot.by_pipe && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      fail("no_program", "{} cannot be started: {}", slot.command.shown, std::strerror(errno));
    slot.was_ready = slot.got_cells = false;
    slot.child.emplace(slot.command, ends[1]);
  } catch (const Error& error) {
    if (ends[0] >= 0) close(ends[0]), close(ends[1]);
    return give_up(slot, error.diagnostic().message);
  }
  if (!slot.by_pipe) return;
  close(ends[1]);
  slot.connected = true;
  told_.brought(ends[0], slot);
}

void Launchers::give_up(Slot& slot, const std::string& why) {
  slot.over = true;
  last_reason_ = why;
  told_.lost("no more workers come by " + slot.command.shown + ": " + why);
}

bool Launchers::any() const {
  return std::ranges::any_of(slots_, [](const Slot& slot) { return !slot.over || slot.child; }) ||
         std::ranges::any_of(specs_, [](const auto& each) { return each.by == WorkersSpec::By::listen; });
}

void Launchers::look() {
  for (Slot& slot : slots_) look_at(slot);
}

void Launchers::look_at(Slot& slot) {
  if (slot.child) {
    const auto ended = slot.child->ended();
    if (!ended || slot.connected) return;
    slot.child.reset();
    if (slot.over) return;
    slot.in_vain = slot.got_cells ? 0 : slot.in_vain + 1;
    if (slot.in_vain >= kMostInVain || (!slot.by_pipe && !slot.was_ready))
      return give_up(
          slot, slot.command.shown + " " + *ended + (slot.was_ready ? "" : " before a worker was ready"));
    if (!slot.by_pipe)
      told_.lost(fmt::format("{} {}, and is started again; to end this run, end it here", slot.command.shown,
                             *ended));
    slot.again_at = LaunchClock::now() + seconds(slot.in_vain);
  }
  if (!slot.over && LaunchClock::now() >= slot.again_at) start(slot);
}

std::string Launchers::end_of(Slot& slot, const std::string& why) {
  if (!slot.child) return why;
  constexpr int kLooks = 20;
  for (int i = 0; i < kLooks; ++i) {
    if (auto ended = slot.child->ended()) return *ended;
    std::this_thread::sleep_for(milliseconds(1));
  }
  slot.child->signal(SIGKILL);
  return why;
}

void Launchers::end() {
  const auto wait = [&](milliseconds time) {
    const auto until = LaunchClock::now() + time;
    for (;;) {
      const bool running =
          std::ranges::any_of(slots_, [](Slot& slot) { return slot.child && !slot.child->ended(); });
      if (!running || LaunchClock::now() > until) return !running;
      std::this_thread::sleep_for(milliseconds(2));
    }
  };
  const auto signal = [&](int number) {
    for (Slot& slot : slots_)
      if (slot.child) slot.child->signal(number);
  };
  if (wait(kForWorkers)) return;
  signal(SIGTERM);
  if (wait(kAfterTerm)) return;
  signal(SIGKILL);
  wait(kAfterTerm);
}

}  // namespace perigee::experiments
