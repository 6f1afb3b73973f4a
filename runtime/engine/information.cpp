#include "runtime/engine/information.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "runtime/kernel/error.h"
#include "runtime/kernel/quantity.h"
#include "runtime/kernel/random.h"
#include "runtime/kernel/term.h"

namespace perigee::engine {

namespace {

constexpr const char* kCode = "bad_information";

template <class... Args>
[[noreturn]] void bad(fmt::format_string<Args...> format, Args&&... args) {
  fail(kCode, "information: {}", fmt::format(format, std::forward<Args>(args)...));
}

using Amounts = Information::Amounts;
using Rates = Information::Rates;

constexpr std::string_view kRates[] = {"perfect", "nominal", "current", "mean"};
constexpr std::string_view kOthers[] = {"declared", "learnt",        "error",   "error_seed",
                                        "age",      "sample_period", "overdue", "progress"};

std::string rates_text(const Information& information) {
  return information.rates == Rates::forecast
             ? information.forecast.text()
             : std::string(kRates[static_cast<std::size_t>(information.rates)]);
}

bool is_forecast(std::string_view name) { return std::ranges::count(forecast_names(), name) > 0; }

}  // namespace

void read_rates(std::string_view text, Information& information) {
  const Term term = term_of(text);
  const auto* const found = std::ranges::find(kRates, term.text);
  if (found != std::end(kRates)) {
    information.rates = static_cast<Rates>(found - kRates);
    return;
  }
  if (!is_forecast(term.name)) {
    std::vector<std::string_view> names(std::begin(kRates), std::end(kRates));
    names.insert(names.end(), forecast_names().begin(), forecast_names().end());
    bad("'{}' is no way to foretell rates: perfect, nominal, current, mean or a forecast "
        "(last, run_avg, sw_avg(w), median(w), exp(g), quantile(q), adapt_mse, adapt_mae){}",
        text, did_you_mean(term.name, names));
  }
  information.rates = Rates::forecast;
  information.forecast = forecast_method(term.text);
}

void Information::check() const {
  if (!(error >= 0 && error < 1)) bad("error must be from 0 to below 1, got {}", format_number(error));
  const auto seconds = [](const char* name, double value, bool zero) {
    if (!(std::isfinite(value) && value >= 0 && (zero || value > 0)))
      bad("{} must be finite and {} 0 s, got {}", name, zero ? ">=" : ">", format_number(value));
  };
  seconds("age", age, true);
  seconds("sample_period", sample_period, false);
  if (overdue) seconds("overdue", *overdue, true);
  if (age > 0 && rates != Rates::current && rates != Rates::forecast)
    bad("age is that of measurements, and {} rates look at none", rates_text(*this));
  if (sample_period != Information().sample_period && rates != Rates::forecast)
    bad("sample_period is that of measurements, and {} rates look at none", rates_text(*this));
  if (error_seed && error == 0) bad("error_seed has no meaning without an error");
  if ((progress || overdue) && is_perfect())
    bad("{} has no meaning where all is known exactly, and thus the end of what runs",
        progress ? "progress" : "overdue");
}

std::string Information::text() const {
  std::string text;
  const auto add = [&](const std::string& term) { text += (text.empty() ? "" : " ") + term; };
  const auto number = [&](const char* name, double value) {
    add(fmt::format("{}({})", name, format_number(value)));
  };
  if (amounts != Amounts::truth) add(amounts == Amounts::declared ? "declared" : "learnt");
  const Rates usual = amounts == Amounts::truth ? Rates::perfect : Rates::nominal;
  if (rates != usual) add(rates_text(*this));
  if (error > 0) number("error", error);
  if (error_seed) add(fmt::format("error_seed({})", *error_seed));
  if (age > 0) number("age", age);
  if (sample_period != Information().sample_period) number("sample_period", sample_period);
  if (progress) add("progress");
  if (overdue) number("overdue", *overdue);
  return text.empty() ? "perfect" : text;
}

Information information_of(std::string_view text) {
  Information information;
  bool has_amounts = false, has_rates = false;
  std::vector<std::string> given;
  for (const Term& term : terms_of(text)) {
    if (std::ranges::count(given, term.name) > 0) bad("'{}' says {} twice", text, term.name);
    given.push_back(term.name);
    const auto no_argument = [&] {
      if (term.argument) bad("'{}': {} takes no number", term.text, term.name);
    };
    if (term.name == "declared" || term.name == "learnt") {
      no_argument();
      if (has_amounts) bad("'{}': amounts are either declared or learnt", text);
      has_amounts = true;
      information.amounts = term.name == "declared" ? Amounts::declared : Amounts::learnt;
    } else if (std::ranges::count(kRates, term.name) > 0 || is_forecast(term.name)) {
      if (has_rates) bad("'{}' says twice how rates are foretold", text);
      has_rates = true;
      if (!is_forecast(term.name)) no_argument();
      read_rates(term.text, information);
    } else if (term.name == "error") {
      information.error = term.number(kCode, Dimension::fraction);
    } else if (term.name == "error_seed") {
      const double seed = term.number(kCode, Dimension::count);
      if (!(seed >= 0 && seed < 0x1p53 && seed == std::floor(seed)))
        bad("'{}': the seed must be a whole number from 0 to 2^53", term.text);
      information.error_seed = static_cast<std::uint64_t>(seed);
    } else if (term.name == "age") {
      information.age = term.number(kCode, Dimension::seconds);
    } else if (term.name == "sample_period") {
      information.sample_period = term.number(kCode, Dimension::seconds);
    } else if (term.name == "overdue") {
      information.overdue = term.number(kCode, Dimension::seconds);
    } else if (term.name == "progress") {
      no_argument();
      information.progress = true;
    } else {
      std::vector<std::string_view> names(std::begin(kRates), std::end(kRates));
      names.insert(names.end(), std::begin(kOthers), std::end(kOthers));
      names.insert(names.end(), forecast_names().begin(), forecast_names().end());
      bad("there is no '{}'; there are {}{}", term.text, fmt::format("{}", fmt::join(names, ", ")),
          did_you_mean(term.name, names));
    }
  }
  if (given.empty()) bad("the text is empty; \"perfect\" is usual");
  if (!has_rates && information.amounts != Amounts::truth) information.rates = Rates::nominal;
  information.check();
  return information;
}

double hash_unit(std::uint64_t seed, std::initializer_list<std::uint64_t> keys) {
  for (const std::uint64_t key : keys) seed = SplitMix64::mix(seed + 0x9E3779B97F4A7C15u * (key + 1));
  return static_cast<double>(seed >> 11) * 0x1p-53;
}

}  // namespace perigee::engine
