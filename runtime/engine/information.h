// Quality of information: how much policies know of times, chosen for each run.
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
  // The run times of works and the sizes of files.
  enum class Amounts : std::uint8_t {
    truth,
    declared,
    // Declared, times a learnt ratio of what finished works took to what they declared. Computations on a
    // host use (the sum of their ratios there + m) / (their number + 1). m is the same over all hosts, with 1
    // in place of m. With nominal `rates`, what a computation took is the time from its start to its end;
    // otherwise it is the availability that it had in this time, which is measured. Bytes use m alone,
    // inwards and outwards apart.
    learnt,
  };
  // The availability of hosts, and the latency and bandwidth of links, each for itself.
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
  // Every profile is measured when it is installed and then every `sample_period` > 0 seconds. Measurements
  // younger than `age` >= 0 seconds are not known, except the first. Availability counts as at least 0.01,
  // bandwidth as at least 1 B/s.
  Seconds sample_period = 5, age = 0;
  // Each estimated duration of a computation or transfer is multiplied by 1 + error (2u - 1), 0 <= error < 1.
  // u in [0, 1) depends on error_seed, or else on the run's seed, and on the work and host, or the file and
  // cluster.
  double error = 0;
  std::optional<std::uint64_t> error_seed = {};
  // The estimated end of a running activity is its start plus the duration that is now estimated for that
  // start. With `progress`, it is now plus the duration estimated for the rest, because progress can be
  // measured. If the estimated end is over, the estimate is `overdue` >= 0 seconds from now; the default is
  // 10, for nominal rates 0. When everything is known exactly, the estimate is the true end.
  bool progress = false;
  std::optional<Seconds> overdue = {};

  bool is_perfect() const { return amounts == Amounts::truth && rates == Rates::perfect && error == 0; }
  // Error "bad_information" if a value is out of range or settings contradict each other.
  void check() const;
  // The text from which information_of() reads it: "perfect", "declared", "learnt last error(0.25) age(30)".
  std::string text() const;
  friend bool operator==(const Information&, const Information&) = default;
};

// Reads terms separated by blanks, each at most once. Amounts: `declared` or `learnt`. Rates: `perfect`,
// `nominal`, `current`, `mean` or a forecast. Others: error(0.25), error_seed(7), age(30), sample_period(5),
// overdue(10), progress. Without a term for rates, they are perfect if amounts are the true ones, else
// nominal. The result is checked.
Information information_of(std::string_view text);
// Reads the term for rates alone.
void read_rates(std::string_view text, Information& information);

std::unique_ptr<Estimator> estimator(const Information& information);

// The mean over a loop of the profile; without a loop, the last value, which lasts for ever.
double long_run_mean(const Profile& profile);

// u in [0, 1). s = seed; for each key k, s = mix(s + 0x9E3779B97F4A7C15 (k + 1)), with the mix of SplitMix64.
// u is the upper 53 bits of s.
double hash_unit(std::uint64_t seed, std::initializer_list<std::uint64_t> keys);

}  // namespace perigee::engine
