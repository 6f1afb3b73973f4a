// Signals that ask perigee to end.
#pragma once

#include <signal.h>

#include <array>
#include <csignal>
#include <cstddef>

#include "interpreter/session/interpreter.h"

namespace perigee::command {

// Ctrl-C stops the script, which says where it was; the next one ends the process. So do the signals with
// which a batch system says that the time is nearly over, in any order and number. One object lives at a time.
class Interrupts {
 public:
  Interrupts();
  explicit Interrupts(session::Interpreter& interpreter) : Interrupts() { follow(interpreter); }
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  // Signals stop this script from now on, also one that has come already. It does nothing where no object lives.
  static void follow(session::Interpreter& interpreter);
  static void forget_the_script() { stopped_ = nullptr; }
  static bool any() { return signal_ != 0; }
  static int last() { return signal_ != 0 ? signal_ : SIGINT; }

 private:
  static constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
  static inline session::Interpreter* volatile stopped_ = nullptr;
  static inline volatile std::sig_atomic_t signal_ = 0;
  static inline bool lives_ = false;
  std::array<struct sigaction, kSignals.size()> before_ = {};
};

// Whoever called us learns that a signal ended the process.
int end_by_signal(int number);

}  // namespace perigee::command
