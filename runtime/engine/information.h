// Quality of information: what policies know of times, chosen for each run.
// Source: Berman et al., LIP RR 1999-46, sections 5.2.1 and 5.2.2.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/engine/policy.h"
#include "runtime/kernel/ids.h"
#include "runtime/kernel/profile.h"
#include "runtime/statistics/forecast.h"

namespace perigee::engine {

struct Information {
  // What a piece of work takes, and how large files are.
  enum class Amounts : std::uint8_t {
    truth,
    declared,
    // Declared, times the mean ratio of what finished work took to what was declared. Of computations on a
    // host: (the sum of their ratios there + m) / (their number + 1), where m is the same over all hosts, and
    // of them the one observation more is 1. It takes the seconds from start to end where `rates` is nominal,
    // else the availability that it has had, which is measured meanwhile. Of bytes the same m, inwards and
    // outwards apart.
    learnt,
  };
  // The availability of hosts, and latency and bandwidth of links, apart.
  enum class Rates : std::uint8_t {
    perfect,   // as installed, also in the future; events that will change them are not known
    nominal,   // hosts are there for us alone, at the speed that was announced; links stay as they are now
    current,   // they stay as they are now, or were `age` ago
    mean,      // in the long run: over a loop of the profile; without a loop, its last value
    forecast,  // foretold from what was measured, by `forecast`
  };

  Amounts amounts = Amounts::truth;
  Rates rates = Rates::perfect;
  ForecastMethod forecast = {};
  // Measured is every profile at once when it is installed, then every so many seconds > 0; what is younger
  // than `age` >= 0 is not known but for the first. Availability counts as 0.01 at least, bandwidth as 1 B/s.
  Seconds sample_period = 5, age = 0;
  // Each estimated duration of a computation or transfer is multiplied by 1 + error (2u - 1), 0 <= error < 1,
  // where u in [0, 1) depends on error_seed, or else the run's, and on the work and host, or the file and
  // cluster.
  double error = 0;
  std::optional<std::uint64_t> error_seed = {};
  // When what runs will end: its start plus what is estimated now for that start; or, by `progress`, now plus
  // what is estimated for what it has not done yet, for its progress can be measured. Where that is over, in
  // `overdue` >= 0 seconds; by default 10, nominal 0. When everything is known exactly, at its true end.
  bool progress = false;
  std::optional<Seconds> overdue = {};

  bool is_perfect() const { return amounts == Amounts::truth && rates == Rates::perfect && error == 0; }
  // Error "bad_information" for values out of range and settings that contradict each other.
  void check() const;
  // As information_of() reads it: "perfect", "declared", "learnt last error(0.25) age(30)".
  std::string text() const;
  friend bool operator==(const Information&, const Information&) = default;
};

// Terms with blanks between them, each at most once: of amounts `declared` or `learnt`; of rates `perfect`,
// `nominal`, `current`, `mean` or a forecast; error(0.25), error_seed(7), age(30), sample_period(5),
// overdue(10), progress. Without rates they are perfect, but nominal where amounts are not the true ones.
// Checked.
Information information_of(std::string_view text);
// One of its rates.
void read_rates(std::string_view text, Information& information);

std::unique_ptr<Estimator> estimator(const Information& information);

// Over a loop of the profile; without one its last value, which lasts for ever.
double long_run_mean(const Profile& profile);

// u in [0, 1): s = seed; for each key k, s = mix(s + 0x9E3779B97F4A7C15 (k + 1)), mix that of SplitMix64; the
// upper 53 bits of s.
double hash_unit(std::uint64_t seed, std::initializer_list<std::uint64_t> keys);

}  // namespace perigee::engine
