#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "runtime/kernel/quantity.h"
#include "runtime/model/readers/irmasim/fields.h"
#include "runtime/model/readers/lines.h"
#include "runtime/model/readers/table.h"

namespace perigee::readers {
namespace {

constexpr std::array<std::string_view, 14> kJobFields{"id",    "subtime",  "submit_time", "ntasks", "res",
                                                      "nodes", "req_time", "req_ops",     "ipc",    "opc",
                                                      "mem",   "mem_vol",  "req_energy",  "profile"};

// The numbers of a job as they are, in this order.
enum Field : std::uint8_t {
  submit_time,
  ntasks,
  nodes,
  req_time,
  req_ops,
  opc,
  mem,
  mem_vol,
  req_energy,
  kFieldCount
};
struct FieldNames {
  std::string_view name, other;
};
constexpr std::array<FieldNames, kFieldCount> kFieldNames{{{"submit_time", "subtime"},
                                                           {"ntasks", "res"},
                                                           {"nodes", "nodes"},
                                                           {"req_time", "req_time"},
                                                           {"req_ops", "req_ops"},
                                                           {"opc", "ipc"},
                                                           {"mem", "mem"},
                                                           {"mem_vol", "mem_vol"},
                                                           {"req_energy", "req_energy"}}};
using Numbers = std::array<std::optional<double>, kFieldCount>;

// `fault(field, code, alias, message)` throws; without a field the job is at fault.
template <class Fault>
IrmasimJob make_job(const Numbers& given, const Fault& fault) {
  for (const Field field : {submit_time, ntasks, req_time})
    if (!given[field]) {
      const auto [name, other] = kFieldNames[field];
      fault(std::optional<Field>(), "missing_field", "E_FIELD",
            name == other ? fmt::format("'{}' is missing", name)
                          : fmt::format("'{}' (or '{}') is missing", name, other));
    }
  const auto check = [&](Field field, bool good, std::string_view rule) {
    if (!good)
      fault(std::optional(field), "out_of_range", "E_RANGE",
            fmt::format("must be {}, got {}", rule, format_number(*given[field])));
  };
  for (std::size_t f = 0; f < kFieldCount; ++f)
    if (given[f]) check(static_cast<Field>(f), std::isfinite(*given[f]), "finite");
  check(submit_time, *given[submit_time] >= 0, ">= 0 s");
  check(
      ntasks,
      *given[ntasks] >= 1 && *given[ntasks] <= kLargestCount && *given[ntasks] == std::floor(*given[ntasks]),
      "a whole number, 1 to 2147483647");
  check(req_time, *given[req_time] > 0, "> 0 s");
  if (given[req_ops]) check(req_ops, *given[req_ops] >= 0, ">= 0 operations");
  for (const Field field : {mem, mem_vol})
    if (given[field]) check(field, *given[field] >= 0, ">= 0 bytes");
  if (given[opc]) check(opc, *given[opc] > 0, "> 0 operations per cycle");
  if (given[nodes] && *given[nodes] != 1)
    fault(std::optional(nodes), "bad_nodes", "E_NODES",
          fmt::format("must be 1: all tasks of a job run on one node, got {}", format_number(*given[nodes])));
  IrmasimJob job;
  job.submit_time = *given[submit_time] + 0.0;  // no -0
  job.ntasks = static_cast<std::int32_t>(*given[ntasks]);
  job.req_time = *given[req_time];
  job.req_ops = given[req_ops];
  job.opc = given[opc].value_or(1);
  job.mem = given[mem];
  job.mem_vol = given[mem_vol];
  job.req_energy = given[req_energy];
  return job;
}

class JobReader {
 public:
  explicit JobReader(const JsonText& text) : text_(text) {}

  IrmasimWorkloadFile read() {
    const Cursor root = text_.root();
    ignored_.others(text_, root, std::array<std::string_view, 2>{"jobs", "profiles"});
    const Cursor jobs = required(text_, root, "jobs");
    const Cursor profiles = root.member("profiles");
    if (profiles) text_.object(profiles);
    IrmasimWorkloadFile out;
    const std::size_t count = text_.array(jobs).size();
    out.jobs.reserve(count);
    std::unordered_map<std::string, std::size_t> ids;  // looked up only
    for (std::size_t j = 0; j < count; ++j) {
      const Cursor job = jobs.item(j);
      out.jobs.push_back(read_job(job, j, profiles));
      const auto [entry, added] = ids.emplace(out.jobs.back().id, j);
      if (!added) {
        const Cursor id = job.member("id");
        text_.fail(id ? id : job, "duplicate_id", "E_ID", "'{}' is already the id of $.jobs[{}]",
                   shown(std::string_view(entry->first)), entry->second);
      }
    }
    out.ignored = ignored_.take();
    return out;
  }

 private:
  IrmasimJob read_job(const Cursor& job, std::size_t index, const Cursor& profiles) {
    ignored_.others(text_, job, kJobFields);
    Numbers given;
    std::array<bool, kFieldCount> from_profile{};
    take(job, given);
    const Cursor reference = job.member("profile");
    const Cursor profile = reference ? find_profile(reference, profiles) : Cursor{};
    if (profile) {
      Numbers filled;
      ignored_.others(text_, profile, kJobFields);
      take(profile, filled);
      for (std::size_t f = 0; f < kFieldCount; ++f) {
        if (given[f] || !filled[f]) continue;
        given[f] = filled[f];
        from_profile[f] = true;
      }
    }
    IrmasimJob out = make_job(given, [&](std::optional<Field> field, std::string_view code,
                                         std::string_view alias, const std::string& message) {
      if (!field) text_.fail(job, code, alias, "{}", message);
      const auto [name, other] = kFieldNames[*field];
      const Cursor& owner = from_profile[*field] ? profile : job;
      const Cursor at = owner.member(name), at_other = owner.member(other);
      text_.fail(at ? at : at_other, code, alias, "{}", message);
    });
    const Cursor id = job.member("id");
    out.id = id ? name_at(text_, id) : fmt::format("job{}", index);
    if (profile) out.profile = text_.string(reference);
    return out;
  }

  void take(const Cursor& object, Numbers& into) const {
    for (std::size_t f = 0; f < kFieldCount; ++f) {
      const auto [name, other] = kFieldNames[f];
      const Cursor found = name == other ? object.member(name) : either(text_, object, name, other);
      if (found) into[f] = text_.number(found);
    }
  }

  Cursor find_profile(const Cursor& reference, const Cursor& profiles) const {
    const std::string& name = text_.string(reference);
    std::vector<std::string> names;
    if (profiles) {
      const Cursor found = profiles.member(name);
      if (found) {
        text_.object(found);
        return found;
      }
      for (const auto& [known, value] : text_.object(profiles)) names.push_back(known);
    }
    text_.fail(reference, "unknown_reference", "E_REF", "there is no profile '{}'{}",
               shown(std::string_view(name)), did_you_mean(name, names));
  }

  const JsonText& text_;
  Ignored ignored_;
};

IrmasimWorkloadFile read_csv(const std::function<TableHeader(const std::vector<TableColumn>&,
                                                             const TableRows&, const TableOptions&)>& read) {
  // Both spellings are columns of their own: the same value in both is allowed.
  std::vector<TableColumn> columns{{.name = "id", .required = false}, {.name = "profile", .required = false}};
  std::array<std::array<std::size_t, 2>, kFieldCount> places{};
  for (std::size_t f = 0; f < kFieldCount; ++f) {
    places[f][0] = columns.size();
    columns.push_back(
        {.name = std::string(kFieldNames[f].name), .kind = TableColumn::Kind::number, .required = false});
    places[f][1] = places[f][0];
    if (kFieldNames[f].name == kFieldNames[f].other) continue;
    places[f][1] = columns.size();
    columns.push_back(
        {.name = std::string(kFieldNames[f].other), .kind = TableColumn::Kind::number, .required = false});
  }
  IrmasimWorkloadFile out;
  std::unordered_map<std::string, int> ids;  // looked up only
  const auto add = [&](const TableRow& row) {
    if (row.has(1))
      row.fail(1, "unknown_reference", "there is no profile '{}': a CSV file has none (E_REF)",
               shown(row.text(1)));
    Numbers given;
    for (std::size_t f = 0; f < kFieldCount; ++f) {
      const auto [first, second] = places[f];
      if (row.has(first) && row.has(second) && row.number(first) != row.number(second))
        row.fail(second, "conflicting_fields",
                 "{} is another spelling of {}, but they are {} and {} (E_FIELD)", kFieldNames[f].other,
                 kFieldNames[f].name, row.text(second), row.text(first));
      if (row.has(first) || row.has(second)) given[f] = row.number(row.has(first) ? first : second);
    }
    IrmasimJob job = make_job(given, [&](std::optional<Field> field, std::string_view code,
                                         std::string_view alias, const std::string& message) {
      if (!field) row.fail(0, code, "{} ({})", message, alias);
      const auto [first, second] = places[*field];
      const std::size_t column = row.has(first) ? first : second;
      row.fail(column, code, "{}: {} ({})", row.heading(column), message, alias);
    });
    job.id = row.has(0) ? std::string(row.text(0)) : fmt::format("job{}", out.jobs.size());
    if (!readers::is_utf8(job.id))
      row.fail(0, "bad_table", "id: '{}' is not UTF-8", shown(std::string_view(job.id)));
    const auto [entry, added] = ids.emplace(job.id, row.line());
    if (!added)
      row.fail(0, "duplicate_id", "'{}' is already the id of line {} (E_ID)", shown(std::string_view(job.id)),
               entry->second);
    out.jobs.push_back(std::move(job));
  };
  const TableHeader header = read(columns, add, {.other_columns = true});
  Ignored ignored;
  for (const std::string& name : header.ignored)
    ignored.add(name, [&] { return "column " + shown(std::string_view(name)); });
  out.ignored = ignored.take();
  return out;
}

bool names_csv(std::string_view name) {
  const std::string lower = lower_case(name);
  return lower.ends_with(".csv") || lower.ends_with(".csv.gz");
}

double slowest_rate(const Platform& platform) {
  if (platform.hosts().empty()) fail("empty_platform", "the platform has no node (E_EMPTY)");
  double slowest = kNever;
  for (const Host& host : platform.hosts()) slowest = std::min(slowest, host.speed);
  return slowest;
}

// An x with x * factor == product, if the quotient or a neighbour of it is one; else the quotient.
double quotient(double product, double factor) {
  const double near = product / factor;
  for (const double x : {near, std::nextafter(near, 0.0), std::nextafter(near, kNever)})
    if (x * factor == product) return x;
  return near;
}

// The fields of a job in the order in which they are written; an empty `text` = left out.
template <class Put>
void for_each_field(const IrmasimJob& job, const Put& put) {
  const auto number = [](const std::optional<double>& value) {
    return value ? format_number(*value) : std::string();
  };
  put("subtime", format_number(job.submit_time));
  put("nodes", "1");
  put("ntasks", std::to_string(job.ntasks));
  put("req_time", format_number(job.req_time));
  put("req_ops", number(job.req_ops));
  put("ipc", format_number(job.opc));
  put("mem", number(job.mem));
  put("mem_vol", number(job.mem_vol));
  put("req_energy", number(job.req_energy));
}

}  // namespace

IrmasimWorkloadFile parse_irmasim_workload(std::string_view text, std::string_view name) {
  if (names_csv(name))
    return read_csv([&](const auto& columns, const auto& row, const auto& options) {
      return parse_table(text, name, columns, row, options);
    });
  const JsonText json(text, name);
  return JobReader(json).read();
}

IrmasimWorkloadFile read_irmasim_workload(const std::filesystem::path& path) {
  if (names_csv(path.string()))
    return read_csv([&](const auto& columns, const auto& row, const auto& options) {
      return read_table(path, columns, row, options);
    });
  return parse_irmasim_workload(Lines::whole(path, kLargestIrmasimFile), path.string());
}

namespace {

// Fields of a job that a workload only keeps.
constexpr const char *kEnergy = "irmasim.req_energy", *kOperations = "irmasim.req_ops",
                     *kPerCycle = "irmasim.ipc", *kProfile = "irmasim.profile";

}  // namespace

Workload irmasim_workload(const std::vector<IrmasimJob>& jobs, const Platform& platform,
                          const IrmasimTrajectory& trajectory) {
  const double slowest = slowest_rate(platform);
  Workload out;
  if (trajectory.origin > 0 && trajectory.origin >= jobs.size())
    fail("out_of_range", "trajectory_origin must be below the number of jobs, {}, got {} (E_RANGE)",
         jobs.size(), trajectory.origin);
  const auto first = static_cast<std::size_t>(trajectory.origin);
  const std::size_t rest = jobs.size() - first;
  if (trajectory.length > rest)
    fail("out_of_range", "trajectory_length must be at most {} (jobs from number {} on), got {} (E_RANGE)",
         rest, first, trajectory.length);
  const std::size_t count = trajectory.length == 0 ? rest : static_cast<std::size_t>(trajectory.length);
  const double zero = first > 0 ? jobs[first].submit_time : 0;
  KeptField &energy = out.kept[kEnergy], &operations = out.kept[kOperations],
            &per_cycle = out.kept[kPerCycle], &profile = out.kept[kProfile];
  for (std::size_t j = first; j < first + count; ++j) {
    const IrmasimJob& job = jobs[j];
    Work work;
    work.kind = WorkKind::job;
    work.form = TimeForm::operations;
    work.cores = job.ntasks;
    work.arrival = std::max(0.0, job.submit_time - zero);
    work.estimate = job.req_time * slowest;
    work.amount = job.req_ops ? std::ceil(*job.req_ops / job.opc) : work.estimate;
    if (trajectory.enforce_req_time) work.amount = std::min(work.amount, work.estimate);
    if (!std::isfinite(work.estimate) || !std::isfinite(work.amount))
      fail("out_of_range", "{}: its operations are too many, {} as requested and {} in truth (E_RANGE)",
           shown(std::string_view(job.id)), work.estimate, work.amount);
    out.works.push_back(work);
    out.names.push_back(job.id);
    out.needs.push_back({job.mem.value_or(Needs::kUndeclared), job.mem_vol.value_or(Needs::kUndeclared)});
    energy.numbers.push_back(job.req_energy.value_or(Needs::kUndeclared));
    operations.numbers.push_back(job.req_ops.value_or(Needs::kUndeclared));
    per_cycle.numbers.push_back(job.opc);
    profile.texts.push_back(job.profile);
  }
  return out;
}

namespace {

// The works of a workload as IRMaSim's jobs, and what they lose.
class JobsOf {
 public:
  JobsOf(const Workload& workload, const Platform& platform)
      : workload_(workload),
        slowest_(slowest_rate(platform)),
        equal_(
            std::ranges::all_of(platform.hosts(), [&](const Host& host) { return host.speed == slowest_; })) {
    for (std::size_t w = 0; w < workload.size(); ++w) add(WorkId(w));
  }

  std::vector<IrmasimJob> jobs;

  void list_lost(std::vector<std::string>& lost) const {
    if (files_) lost.emplace_back("files");
    if (deadlines_) lost.emplace_back("deadlines");
    if (priorities_) lost.emplace_back("priorities");
    if (users_) lost.emplace_back("users");
    if (fractions_) lost.emplace_back("fractions of operations");
  }

 private:
  void add(WorkId id) {
    const Work& work = workload_[id];
    const std::string name = workload_.name_of(id);
    if (work.kind != WorkKind::job && work.kind != WorkKind::task)
      fail("not_irmasim", "{}: the format has jobs only, got a {}", name, name_of(work.kind));
    if (work.form != TimeForm::operations && !(work.form == TimeForm::seconds && equal_))
      fail("not_irmasim", "{}: the format has operations only, got {}", name,
           work.form == TimeForm::seconds ? "seconds on hosts of several speeds"
                                          : "a time for each host or architecture");
    files_ = files_ || work.input_count > 0 || work.output_count > 0;
    deadlines_ = deadlines_ || work.deadline != kNever;
    priorities_ = priorities_ || work.priority != 0;
    users_ = users_ || work.user.valid();
    IrmasimJob job;
    job.id = id.index < workload_.names.size() && !workload_.names[id.index].empty()
                 ? workload_.names[id.index]
                 : fmt::format("job{}", id.index);
    if (!ids_.insert(job.id).second) fail("duplicate_id", "there are two jobs '{}' (E_ID)", job.id);
    job.submit_time = work.arrival;
    job.ntasks = work.cores;
    job.req_time = quotient(work.estimate * factor_of(work), slowest_);
    if (!(job.req_time > 0))
      fail("out_of_range", "{}: its estimate must be > 0 for req_time, got {} (E_RANGE)", name,
           work.estimate);
    set_needs(id, job);
    jobs.push_back(std::move(job));
  }

  // Operations of one unit of a work's times.
  double factor_of(const Work& work) const { return work.form == TimeForm::seconds ? slowest_ : 1; }

  void set_needs(WorkId id, IrmasimJob& job) {
    const Work& work = workload_[id];
    const Needs needs = workload_.needs_of(id);
    const auto declared = [](double value) {
      return std::isnan(value) ? std::nullopt : std::optional(value);
    };
    job.mem = declared(needs.memory);
    job.mem_vol = declared(needs.memory_traffic);
    job.req_energy = declared(energy_.number_of(id));
    job.profile = profile_.text_of(id);
    const double operations = operations_.number_of(id),
                 per_cycle = declared(per_cycle_.number_of(id)).value_or(1);
    if (work.form == TimeForm::operations && std::ceil(operations / per_cycle) == work.amount) {
      job.req_ops = operations;
      job.opc = per_cycle;
    } else if (work.amount * factor_of(work) != job.req_time * slowest_) {
      job.req_ops = work.amount * factor_of(work);
      fractions_ = fractions_ || *job.req_ops != std::ceil(*job.req_ops);
    } else if (std::isnan(operations)) {
      job.opc = per_cycle;
    }
  }

  const Workload& workload_;
  const KeptField &energy_ = workload_.kept_field(kEnergy), &operations_ = workload_.kept_field(kOperations),
                  &per_cycle_ = workload_.kept_field(kPerCycle), &profile_ = workload_.kept_field(kProfile);
  const double slowest_;  // op/s
  const bool equal_;      // all hosts have that speed
  std::unordered_set<std::string> ids_;
  bool files_ = false, deadlines_ = false, users_ = false, priorities_ = false, fractions_ = false;
};

}  // namespace

std::vector<IrmasimJob> irmasim_jobs(const Workload& workload, const Platform& platform,
                                     std::vector<std::string>* lost) {
  JobsOf made(workload, platform);
  if (lost != nullptr) made.list_lost(*lost);
  return std::move(made.jobs);
}

std::string write_irmasim(std::span<const IrmasimJob> jobs) {
  std::string out = "{\n  \"jobs\": [";
  std::set<std::string> profiles;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    out += fmt::format("{}\n    {{ \"id\": {}", j == 0 ? "" : ",", json_string(jobs[j].id));
    for_each_field(jobs[j], [&](std::string_view name, const std::string& text) {
      if (!text.empty()) out += fmt::format(", \"{}\": {}", name, text);
    });
    if (!jobs[j].profile.empty()) {
      out += fmt::format(", \"profile\": {}", json_string(jobs[j].profile));
      profiles.insert(jobs[j].profile);
    }
    out += " }";
  }
  out += "\n  ]";
  const char* before = ",\n  \"profiles\": { ";
  for (const std::string& profile : profiles) {  // the jobs have all their fields
    out += fmt::format("{}{}: {{}}", before, json_string(profile));
    before = ", ";
  }
  return out + (profiles.empty() ? "\n}\n" : " }\n}\n");
}

}  // namespace perigee::readers
