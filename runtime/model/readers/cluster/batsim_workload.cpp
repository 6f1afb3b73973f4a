#include "runtime/model/readers/cluster/batsim_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "runtime/kernel/error.h"
#include "runtime/model/readers/irmasim/fields.h"
#include "runtime/model/readers/lines.h"

namespace perigee::readers {
namespace {

enum class BatsimType : std::uint8_t { delay, homogeneous, total, parallel, sequence };

struct BatsimTypeName {
  std::string_view name;
  BatsimType type;
};
constexpr BatsimTypeName kBatsimTypes[] = {
    {"delay", BatsimType::delay},
    {"DelayProfile", BatsimType::delay},
    {"parallel_homogeneous", BatsimType::homogeneous},
    {"ParallelTaskHomogeneousProfile", BatsimType::homogeneous},
    {"parallel_homogeneous_total", BatsimType::total},
    {"parallel", BatsimType::parallel},
    {"ParallelTaskProfile", BatsimType::parallel},
    {"composed", BatsimType::sequence},
    {"SequentialCompositionProfile", BatsimType::sequence},
};
constexpr std::string_view kBatsimEach = "DefinedAmountsUsedForEachValue",
                           kBatsimSpread = "DefinedAmountsSpreadUniformly";

constexpr std::array<std::string_view, 4> kBatsimRootFields{"description", "nb_res", "jobs", "profiles"};
constexpr std::array<std::string_view, 5> kBatsimJobFields{"id", "subtime", "res", "profile", "walltime"};

// The fields of a profile of that type, its type included.
std::span<const std::string_view> batsim_fields(BatsimType type) {
  static constexpr std::array<std::string_view, 4> kTask{"type", "cpu", "com", "generation_strategy"};
  static constexpr std::array<std::string_view, 3> kSequence{"type", "repeat", "seq"};
  static constexpr std::array<std::string_view, 2> kDelay{"type", "delay"};
  switch (type) {
    case BatsimType::delay:
      return kDelay;
    case BatsimType::homogeneous:
      return kTask;
    case BatsimType::total:
    case BatsimType::parallel:
      return std::span(kTask).first(3);
    case BatsimType::sequence:
      return kSequence;
  }
  return {};
}

constexpr std::size_t kDeepestSequence = 100;  // sequences within sequences
constexpr double kMostRepeats = 1e9;
constexpr std::size_t kBatsimNamesKept = 5;  // of profiles, in messages

class BatsimReader {
 public:
  explicit BatsimReader(const JsonText& text) : text_(text), root_(text.root()) {}

  BatsimWorkload read() {
    text_.object(root_);
    ignored_.others(text_, root_, kBatsimRootFields);
    if (const Cursor machines = root_.member("nb_res"))
      out_.machines = static_cast<std::int32_t>(whole_number(text_, machines, 1, kLargestCount));
    const Cursor jobs = required(text_, root_, "jobs");
    profiles_ = required(text_, root_, "profiles");
    text_.object(profiles_);
    const std::size_t count = text_.array(jobs).size();
    out_.jobs.reserve(count);
    std::unordered_map<std::string, std::size_t> ids;  // looked up only
    ids.reserve(count);
    for (std::size_t j = 0; j < count; ++j) {
      const Cursor job = jobs.item(j);
      read_job(job);
      const auto [entry, added] = ids.emplace(out_.jobs.back().id, j);
      if (!added)
        text_.fail(job.member("id"), "duplicate_id", "E_ID", "'{}' is already the id of $.jobs[{}]",
                   shown(std::string_view(entry->first)), entry->second);
    }
    for (const IrmasimIgnored& each : ignored_.take()) out_.ignored.push_back(each.text());
    return std::move(out_);
  }

 private:
  // The amount that one core takes: `each` + `shared` / res, in seconds of delays or in operations.
  struct Amount {
    bool is_open = true;  // its sequence is being read
    bool is_delay = false;
    bool talks = false, is_uneven = false;
    double each = 0, shared = 0;
    std::size_t hosts = 0;  // `res` must be that; 0 = any
  };

  void read_job(const Cursor& at) {
    text_.object(at);
    ignored_.others(text_, at, kBatsimJobFields);
    BatsimJob& job = out_.jobs.emplace_back();
    job.id = name_at(text_, required(text_, at, "id"));
    const Cursor submit = required(text_, at, "subtime");
    job.submit = not_negative(submit, "s") + 0.0;  // no -0
    const Cursor hosts = required(text_, at, "res");
    job.hosts = static_cast<std::int32_t>(whole_number(text_, hosts, 1, kLargestCount));
    if (const Cursor walltime = at.member("walltime"); walltime && text_.number(walltime) != -1)
      job.walltime = positive_number(text_, walltime, "s, or -1: none");
    const Cursor reference = required(text_, at, "profile");
    const Amount& amount = find(reference, 0);
    if (amount.hosts != 0 && amount.hosts != static_cast<std::size_t>(job.hosts))
      text_.fail(hosts, "bad_json", "E_JSON", "is {}, but 'cpu' of profile '{}' has {} entries", job.hosts,
                 shown(std::string_view(text_.string(reference))), amount.hosts);
    job.is_delay = amount.is_delay;
    job.amount = amount.each + amount.shared / job.hosts;
    if (!std::isfinite(job.amount))
      text_.fail(reference, "out_of_range", "E_RANGE", "what the job takes is too large for a number");
    if (amount.talks) ++out_.talking.jobs;
    if (amount.is_uneven) ++out_.uneven.jobs;
    if (!(job.walltime < kNever)) ++out_.without_walltime;
    if (out_.machines > 0 && job.hosts > out_.machines) ++out_.too_wide;
  }

  double not_negative(const Cursor& at, std::string_view unit) const {
    const double value = text_.number(at);
    if (!(value >= 0))
      text_.fail(at, "out_of_range", "E_RANGE", "must be >= 0 {}, got {}", unit, json_shown(*at.value));
    return value;
  }

  // The amount of the profile that is named at `reference`, inside of so many sequences.
  const Amount& find(const Cursor& reference, std::size_t depth) {
    const std::string& name = text_.string(reference);
    const Cursor profile = profiles_.member(name);
    if (!profile) {
      std::vector<std::string> names;
      for (const auto& [known, value] : text_.object(profiles_)) names.push_back(known);
      text_.fail(reference, "unknown_reference", "E_REF", "there is no profile '{}'{}",
                 shown(std::string_view(name)), did_you_mean(name, names));
    }
    const auto [entry, added] = known_.try_emplace(profile.value, amounts_.size());
    if (!added) {
      const Amount& known = amounts_[entry->second];
      if (known.is_open)
        text_.fail(reference, "bad_json", "E_JSON", "the sequence '{}' has itself as a part",
                   shown(std::string_view(name)));
      return known;
    }
    Amount& amount = amounts_.emplace_back();  // stays where it is
    read_profile(profile, amount, depth);
    amount.is_open = false;
    return amount;
  }

  void read_profile(const Cursor& at, Amount& amount, std::size_t depth) {
    const Cursor type_at = required(text_, at, "type");
    const std::string& word = text_.string(type_at);
    const auto known = std::ranges::find(kBatsimTypes, word, &BatsimTypeName::name);
    if (known == std::end(kBatsimTypes)) {
      std::vector<std::string_view> names;
      for (const BatsimTypeName& each : kBatsimTypes) names.push_back(each.name);
      text_.fail(type_at, "unsupported_profile", "E_PROFILE",
                 "jobs of type '{}' are not taken, those of {} are{}", shown(std::string_view(word)),
                 fmt::join(names, ", "), did_you_mean(word, std::span<const std::string_view>(names)));
    }
    ignored_.others(text_, at, batsim_fields(known->type));
    switch (known->type) {
      case BatsimType::delay:
        amount.is_delay = true;
        amount.each = not_negative(required(text_, at, "delay"), "s");
        return;
      case BatsimType::sequence:
        return read_sequence(at, amount, depth);
      case BatsimType::homogeneous:
      case BatsimType::total: {
        const double cpu = not_negative(required(text_, at, "cpu"), "operations");
        (known->type == BatsimType::total || is_spread(at) ? amount.shared : amount.each) = cpu;
        break;
      }
      case BatsimType::parallel: {
        const Cursor list = required(text_, at, "cpu");
        amount.hosts = text_.array(list).size();
        if (amount.hosts == 0) text_.fail(list, "bad_json", "E_JSON", "must have an entry for each host");
        double least = kNever;
        for (std::size_t i = 0; i < amount.hosts; ++i) {
          const double cpu = not_negative(list.item(i), "operations");
          least = std::min(least, cpu);
          amount.each = std::max(amount.each, cpu);
        }
        if (least < amount.each) note(out_.uneven, amount.is_uneven, at);
      }
    }
    if (const Cursor com = at.member("com"); com && sends(com)) note(out_.talking, amount.talks, at);
  }

  bool is_spread(const Cursor& at) const {
    const Cursor strategy = at.member("generation_strategy");
    if (!strategy) return false;
    const std::string& word = text_.string(strategy);
    if (word == kBatsimSpread) return true;
    if (word != kBatsimEach)
      text_.fail(strategy, "unsupported_profile", "E_PROFILE", "must be {} or {}, got {}", kBatsimEach,
                 kBatsimSpread, json_shown(*strategy.value));
    return false;
  }

  // Whether any of the bytes, a number or a list, is not 0.
  bool sends(const Cursor& com) const {
    if (!com.value->is_array()) return not_negative(com, "bytes") > 0;
    bool any = false;
    for (std::size_t i = 0; i < text_.array(com).size(); ++i)
      any = not_negative(com.item(i), "bytes") > 0 || any;
    return any;
  }

  void read_sequence(const Cursor& at, Amount& amount, std::size_t depth) {
    if (depth == kDeepestSequence)
      text_.fail(at, "bad_json", "E_JSON", "it is a sequence in more than {} sequences", kDeepestSequence);
    const Cursor repeat = at.member("repeat");
    const double times = repeat ? whole_number(text_, repeat, 1, kMostRepeats) : 1;
    const Cursor list = required(text_, at, "seq");
    const std::size_t count = text_.array(list).size();
    if (count == 0) text_.fail(list, "bad_json", "E_JSON", "must name a profile");
    for (std::size_t i = 0; i < count; ++i) {
      const Cursor item = list.item(i);
      const Amount& part = find(item, depth + 1);
      if (i == 0) amount.is_delay = part.is_delay;
      if (part.is_delay != amount.is_delay)
        text_.fail(item, "mixed_sequence", "E_SEQUENCE",
                   "'{}' {} and '{}' {}: a sequence is all delays, or computes all the time",
                   shown(std::string_view(text_.string(item))), part.is_delay ? "is a delay" : "computes",
                   shown(std::string_view(text_.string(list.item(0)))),
                   part.is_delay ? "computes" : "is a delay");
      if (part.hosts != 0 && amount.hosts != 0 && part.hosts != amount.hosts)
        text_.fail(item, "bad_json", "E_JSON", "'{}' is for {} hosts, a part before it for {}",
                   shown(std::string_view(text_.string(item))), part.hosts, amount.hosts);
      if (part.hosts != 0) amount.hosts = part.hosts;
      amount.each += part.each;
      amount.shared += part.shared;
      amount.talks = amount.talks || part.talks;
      amount.is_uneven = amount.is_uneven || part.is_uneven;
    }
    amount.each *= times;
    amount.shared *= times;
  }

  void note(BatsimOddity& oddity, bool& has_it, const Cursor& profile) const {
    has_it = true;
    ++oddity.profiles;
    if (oddity.names.size() < kBatsimNamesKept) oddity.names.push_back(shown(profile.key));
  }

  const JsonText& text_;
  const Cursor root_;
  Cursor profiles_;
  Ignored ignored_;
  BatsimWorkload out_;
  std::unordered_map<const Json*, std::size_t> known_;  // looked up only
  std::deque<Amount> amounts_;
};

constexpr std::string_view kTalking = "communication", kUnevenAmounts = "uneven",
                           kWithoutWalltime = "no_walltime", kWiderThanMachine = "more_than_nb_res";

}  // namespace

std::string BatsimOddity::text() const {
  const std::int64_t more = profiles - static_cast<std::int64_t>(names.size());
  return fmt::format("{}{}", fmt::join(names, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

std::vector<std::string_view> batsim_anomalies() {
  return {kTalking, kUnevenAmounts, kWithoutWalltime, kWiderThanMachine};
}

std::vector<LogFinding> BatsimWorkload::report() const {
  std::vector<LogFinding> all;
  const auto add = [&](std::string_view anomaly, std::int64_t count, std::string what, std::string done) {
    if (count > 0) all.push_back({anomaly, count, 0, std::move(what), {}, std::move(done)});
  };
  add(kTalking, talking.jobs, fmt::format("jobs whose profile sends bytes ({})", talking.text()),
      "the bytes are left out");
  add(kUnevenAmounts, uneven.jobs,
      fmt::format("jobs whose profile has unequal amounts to compute ({})", uneven.text()),
      "each host computes the largest");
  add(kWithoutWalltime, without_walltime, "jobs without a walltime",
      "they have no limit; the run time is taken as estimate");
  add(kWiderThanMachine, too_wide, "jobs of more hosts than nb_res", "the platform decides, not nb_res");
  return all;
}

std::vector<std::string> BatsimWorkload::limitations() const {
  std::vector<std::string> all;
  if (jobs.empty()) return {"there are no jobs"};
  const auto total = static_cast<std::int64_t>(jobs.size());
  if (without_walltime == total)
    all.emplace_back("no walltimes: the estimates are the run times themselves, as if every user knew them");
  if (talking.jobs > 0)
    all.push_back(fmt::format("{} of {} jobs send bytes, which takes no time here", talking.jobs, total));
  if (std::ranges::any_of(jobs, &BatsimJob::is_delay))
    all.emplace_back("hosts idle during a delay, which counts as busy here");
  all.emplace_back("no users");
  for (const std::string& each : ignored) all.push_back(each);
  if (machines == 0) all.emplace_back("it does not tell how many machines there are (nb_res)");
  return all;
}

BatsimWorkload parse_batsim_workload(std::string_view text, std::string_view name) {
  const JsonText json(text, name);
  BatsimWorkload out = BatsimReader(json).read();
  out.name = name;
  out.lines = std::ranges::count(text, '\n') + (text.ends_with('\n') ? 0 : 1);
  return out;
}

BatsimWorkload read_batsim_workload(const std::filesystem::path& path) {
  return parse_batsim_workload(Lines::whole(path, kLargestBatsimFile), path.string());
}

Workload batsim_jobs(const BatsimWorkload& file) {
  Workload out;
  out.works.reserve(file.jobs.size());
  out.names.reserve(file.jobs.size());
  out.extras.reserve(file.jobs.size());
  for (const BatsimJob& job : file.jobs) {
    Work work;
    work.kind = WorkKind::job;
    work.form = job.is_delay ? TimeForm::seconds : TimeForm::operations;
    work.cores = 1;
    work.arrival = job.submit;
    work.amount = work.estimate = job.amount;
    WorkExtra extra;
    extra.shape.nodes = job.hosts;
    extra.shape.exclusive = true;
    extra.limit = job.walltime;
    extra.limit_is_estimate = job.walltime < kNever;
    work.extra = static_cast<std::uint32_t>(out.extras.size());
    out.extras.push_back(std::move(extra));
    out.works.push_back(work);
    out.names.push_back(job.id);
  }
  return out;
}

}  // namespace perigee::readers
