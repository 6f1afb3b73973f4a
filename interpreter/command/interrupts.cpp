#include "interpreter/command/interrupts.h"

#include <cstdio>

#include "interpreter/command/cli.h"

namespace perigee::command {

Interrupts::Interrupts() {
  stopped_ = nullptr;
  signal_ = 0;
  lives_ = true;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    struct sigaction action = {};
    action.sa_handler = [](int number) {
      signal_ = number;
      if (session::Interpreter* const running = stopped_) running->interrupt();
    };
    action.sa_flags =
        static_cast<int>(SA_RESTART) | (kSignals[i] == SIGINT ? static_cast<int>(SA_RESETHAND) : 0);
    sigemptyset(&action.sa_mask);
    sigaction(kSignals[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &action, nullptr);
  }
}

Interrupts::~Interrupts() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
  stopped_ = nullptr;
  lives_ = false;
}

void Interrupts::follow(session::Interpreter& interpreter) {
  if (!lives_) return;
  stopped_ = &interpreter;
  if (signal_ != 0) interpreter.interrupt();
}

int end_by_signal(int number) {
  std::fflush(stdout);
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  sigaction(number, &action, nullptr);
  std::raise(number);
  return kScriptFailed;
}

}  // namespace perigee::command
