// Readers on logs of 10^6 lines made in memory: SWF plain and gzip-compressed (from a file), its workload,
// IRMaSim jobs, CSV, and a platform of SimGrid of 10^4 hosts. Beside them the floor: one pass over the bytes that counts lines.
#include <benchmark/benchmark.h>
#include <zlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <string>

#include "runtime/model/platform.h"
#include "runtime/model/readers/cluster/batsim_workload.h"
#include "runtime/model/readers/cluster/sacct.h"
#include "runtime/model/readers/irmasim.h"
#include "runtime/model/readers/simgrid.h"
#include "runtime/model/readers/swf.h"
#include "runtime/model/readers/table.h"
#include "tests/bench/growth.h"
#include "tests/support/layers.h"

namespace {

using namespace perigee;
using namespace perigee::test;

constexpr int kLines = 1000000;

std::string swf_of(int lines) {
  std::mt19937_64 rng(1);
  const auto below = [&rng](std::uint64_t n) { return std::to_string(rng() % n); };
  std::string out = "; Version: 2.2\n; MaxProcs: 4096\n";
  std::uint64_t submit = 0;
  for (int j = 1; j <= lines; ++j) {
    submit += rng() % 60;
    out += std::to_string(j) + ' ' + std::to_string(submit) + ' ' + below(20000) + ' ' + below(86400) + ' ' +
           std::to_string(1 << (rng() % 8)) + ' ' + below(1000) + ".25 " + below(1000000) + " " +
           std::to_string(1 << (rng() % 8)) + " 86400 -1 1 " + below(300) + " " + below(20) + " -1 " +
           below(4) + " 1 -1 -1\n";
  }
  return out;
}

const std::string& swf_text() {
  static const std::string text = swf_of(kLines);
  return text;
}

void set_counts(benchmark::State& state, const std::string& text) {
  state.SetItemsProcessed(state.iterations() * kLines);
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

void floor_count_lines(benchmark::State& state) {
  const std::string& text = swf_text();
  for (auto _ : state) benchmark::DoNotOptimize(std::count(text.begin(), text.end(), '\n'));
  set_counts(state, text);
}
BENCHMARK(floor_count_lines)->Unit(benchmark::kMillisecond);

void swf_memory(benchmark::State& state) {
  const std::string& text = swf_text();
  for (auto _ : state) benchmark::DoNotOptimize(parse_swf(text, "bench").jobs.size());
  set_counts(state, text);
}
BENCHMARK(swf_memory)->Unit(benchmark::kMillisecond);

void swf_gzip_file(benchmark::State& state) {
  const std::string& text = swf_text();
  const auto path = std::filesystem::temp_directory_path() / "perigee_bench.swf.gz";
  gzFile file = gzopen(path.c_str(), "wb6");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  for (auto _ : state) benchmark::DoNotOptimize(read_swf(path).jobs.size());
  std::filesystem::remove(path);
  set_counts(state, text);
}
BENCHMARK(swf_gzip_file)->Unit(benchmark::kMillisecond);

void swf_to_workload(benchmark::State& state) {
  const SwfLog log = parse_swf(swf_text(), "bench");
  for (auto _ : state) benchmark::DoNotOptimize(swf_workload(log, {}).workload.size());
  set_counts(state, swf_text());
}
BENCHMARK(swf_to_workload)->Unit(benchmark::kMillisecond);

std::string irmasim_of(int lines) {
  std::vector<IrmasimJob> jobs;
  for (int j = 0; j < lines; ++j)
    jobs.push_back({"job" + std::to_string(j), 1.5 * j, 1 + j % 8, 100, 1e9 + j});
  return write_irmasim(jobs);
}

void irmasim_json(benchmark::State& state) {
  static const std::string text = irmasim_of(kLines);
  for (auto _ : state) benchmark::DoNotOptimize(parse_irmasim_workload(text, "bench.json").jobs.size());
  set_counts(state, text);
}
BENCHMARK(irmasim_json)->Unit(benchmark::kMillisecond);

std::string sacct_of(int lines) {
  std::string out = "JobID|User|Partition|Submit|Start|End|Elapsed|Timelimit|State|NNodes|NCPUS|ReqTRES\n";
  for (int j = 1; j <= lines; ++j) {
    const int day = 1 + j / 40'000 % 28, second = j % 60;
    const auto time = [&](int hour) {
      return "2024-03-" + std::to_string(100 + day).substr(1) + "T" + std::to_string(100 + hour).substr(1) +
             ":30:" + std::to_string(100 + second).substr(1);
    };
    out += std::to_string(j) + "|user" + std::to_string(j % 300) + "|batch|" + time(8) + "|" + time(9) + "|" +
           time(10) + "|01:00:00|1-00:00:00|COMPLETED|" + std::to_string(1 + j % 16) +
           "|64|billing=64,cpu=64,mem=64G,node=2\n";
  }
  return out;
}

void sacct_jobs(benchmark::State& state) {
  static const std::string text = sacct_of(kLines);
  for (auto _ : state) benchmark::DoNotOptimize(sacct_workload(parse_sacct(text, "bench.txt")).size());
  set_counts(state, text);
}
BENCHMARK(sacct_jobs)->Unit(benchmark::kMillisecond);

std::string batsim_of(int lines) {
  std::string out = "{\"nb_res\": 1000, \"jobs\": [\n";
  for (int j = 0; j < lines; ++j)
    out += std::string(j == 0 ? "" : ",\n") + "{\"id\": \"w0!" + std::to_string(j) +
           "\", \"subtime\": " + std::to_string(j) + ", \"res\": " + std::to_string(1 + j % 64) +
           ", \"profile\": \"p" + std::to_string(j % 100) + "\", \"walltime\": 3600}";
  out += "], \"profiles\": {";
  for (int p = 0; p < 100; ++p)
    out += std::string(p == 0 ? "" : ",\n") + "\"p" + std::to_string(p) +
           "\": {\"type\": \"parallel_homogeneous\", \"cpu\": 1e9, \"com\": 0}";
  return out + "}}";
}

void batsim_json(benchmark::State& state) {
  static const std::string text = batsim_of(kLines);
  for (auto _ : state)
    benchmark::DoNotOptimize(batsim_jobs(parse_batsim_workload(text, "bench.json")).size());
  set_counts(state, text);
}
BENCHMARK(batsim_json)->Unit(benchmark::kMillisecond);

std::string csv_of(int lines) {
  std::string out = "host,from,to\n";
  for (int j = 0; j < lines; ++j)
    out += "cluster.host" + std::to_string(j % 1000) + "," + std::to_string(j) + ".5," +
           std::to_string(j + 10) + "\n";
  return out;
}

double sum_of_csv(const std::string& text) {
  const std::vector<TableColumn> columns{{.name = "host"},
                                         {.name = "from", .kind = TableColumn::Kind::number},
                                         {.name = "to", .kind = TableColumn::Kind::number}};
  double sum = 0;
  parse_table(text, "bench.csv", columns, [&](const TableRow& row) { sum += row.number(2) - row.number(1); });
  return sum;
}

void csv_rows(benchmark::State& state) {
  static const std::string text = csv_of(kLines);
  for (auto _ : state) benchmark::DoNotOptimize(sum_of_csv(text));
  set_counts(state, text);
}
BENCHMARK(csv_rows)->Unit(benchmark::kMillisecond);

// Hosts one by one, each with a link and a route from the first one.
std::string simgrid_of(int hosts) {
  std::string out =
      "<platform version=\"4.1\">\n<zone id=\"z\" routing=\"Full\">\n<host id=\"m\" speed=\"1Gf\"/>\n";
  for (int h = 0; h < hosts; ++h) {
    const std::string number = std::to_string(h);
    out += "<host id=\"h" + number + "\" speed=\"98.095Mf\" core=\"4\"/><link id=\"l" + number +
           "\" bandwidth=\"41.279125MBps\" latency=\"59.904us\"/><route src=\"m\" dst=\"h" + number +
           "\"><link_ctn id=\"l" + number + "\"/></route>\n";
  }
  return out + "</zone>\n</platform>\n";
}

constexpr int kSimgridHosts = 10000;

void simgrid_hosts(benchmark::State& state, const SimgridOptions& options) {
  static const std::string text = simgrid_of(kSimgridHosts);
  for (auto _ : state) {
    const Platform platform(parse_simgrid(text, "bench.xml", options).spec);
    benchmark::DoNotOptimize(platform.hosts().size());
  }
  state.SetItemsProcessed(state.iterations() * kSimgridHosts);
}
BENCHMARK_CAPTURE(simgrid_hosts, plain, SimgridOptions{})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(simgrid_hosts, routed, SimgridOptions{.origin = "m"})->Unit(benchmark::kMillisecond);

const int registered = [] {
  const auto add = [](const char* name, const char* measured, std::string (*make)(int),
                      std::size_t (*read)(const std::string&)) {
    add_growth({.name = std::string("reading/") + name,
                .measured = measured,
                .floor = "one pass over the bytes, which counts lines",
                .unit = "lines",
                .sizes = {100'000, 200'000, 400'000},
                .make = [=](double size) -> AtSize {
                  const auto text = std::make_shared<std::string>(make(static_cast<int>(size)));
                  return {[=] { return seconds_taken([&] { benchmark::DoNotOptimize(read(*text)); }); },
                          [=] {
                            return seconds_taken([&] {
                              benchmark::DoNotOptimize(std::count(text->begin(), text->end(), '\n'));
                            });
                          }};
                }});
  };
  add("swf", "a log in the Standard Workload Format is read", &swf_of,
      [](const std::string& text) { return parse_swf(text, "bench").jobs.size(); });
  add("irmasim", "jobs in JSON are read", &irmasim_of,
      [](const std::string& text) { return parse_irmasim_workload(text, "bench.json").jobs.size(); });
  add("csv", "a table in CSV is read", &csv_of,
      [](const std::string& text) { return static_cast<std::size_t>(sum_of_csv(text)); });
  return 0;
}();

}  // namespace
