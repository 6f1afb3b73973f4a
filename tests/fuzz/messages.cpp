// Messages between a coordinator of cells and its workers. The first byte says which.
#include "interpreter/experiments/workers/messages.h"

#include <algorithm>
#include <bit>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/fuzz/targets.h"
#include "tests/support/layers.h"

namespace perigee::fuzz {

namespace {

using namespace perigee::experiments;

std::string_view body_of(const std::string& frame) {
  const auto [kind, size] = read_header(std::string_view(frame).substr(0, kHeader));
  require(size == frame.size() - kHeader, "a header has the length of the body");
  return std::string_view(frame).substr(kHeader);
}

void hello(std::string_view bytes) {
  const auto fields = [](const Hello& of) {
    return std::tuple(of.protocol, of.version, of.sources, of.host, of.process, of.slurm_job);
  };
  const Hello read = Hello::read(bytes);
  const std::string frame = read.frame();
  require(fields(Hello::read(body_of(frame))) == fields(read), "a hello is read as it was written");
}

void job(std::string_view bytes) {
  const auto fields = [](const Job& of) {
    const InterpreterOptions& options = of.options;
    return std::tuple(of.folder, of.script, of.silence, options.seed, options.settings, options.steps,
                      options.memory, options.out, options.data, options.validate);
  };
  const Job read = Job::read(bytes);
  const std::string frame = read.frame();
  require(fields(Job::read(body_of(frame))) == fields(read), "a job is read as it was written");
}

using Outcomes = std::vector<std::pair<std::uint64_t, CellOutcome>>;

Outcomes outcomes_in(std::string_view bytes) {
  OutcomeParser parse;
  Outcomes all;
  for (Parser parser(bytes); !parser.at_end();) all.push_back(parse.next(parser));
  return all;
}

bool same_outcome(const CellOutcome& a, const CellOutcome& b) {
  const auto bits = [](double value) { return std::bit_cast<std::uint64_t>(value); };
  return a.failed() == b.failed() && a.error == b.error && (a.failed() || *a.names == *b.names) &&
         std::ranges::equal(a.values, b.values, {}, bits, bits) && a.reads == b.reads &&
         a.warnings == b.warnings;
}

void outcomes(std::string_view bytes) {
  const Outcomes read = outcomes_in(bytes);
  OutcomeWriter write;
  Writer writer(Says::answers);
  for (const auto& [cell, outcome] : read) {
    require(outcome.failed() || outcome.values.size() == outcome.names->size(), "a name has a value");
    write.put(writer, cell, outcome);
  }
  const std::string frame = std::move(writer).frame();
  require(std::ranges::equal(outcomes_in(body_of(frame)), read,
                             [](const auto& a, const auto& b) {
                               return a.first == b.first && same_outcome(a.second, b.second);
                             }),
          "outcomes are read as they were written");
}

void diagnostic(std::string_view bytes) {
  Parser parser(bytes);
  Writer writer(Says::fails);
  put_diagnostic(writer, read_diagnostic(parser));
  const std::string frame = std::move(writer).frame();
  require(bytes.starts_with(body_of(frame)), "a diagnostic is written as it was read");
}

}  // namespace

void messages(std::string_view bytes) {
  if (bytes.empty()) return;
  const std::string_view rest = bytes.substr(1);
  switch (static_cast<unsigned char>(bytes[0]) % 5) {
    case 0:
      (void)read_header(rest);
      return;
    case 1:
      return hello(rest);
    case 2:
      return job(rest);
    case 3:
      return outcomes(rest);
    default:
      return diagnostic(rest);
  }
}

}  // namespace perigee::fuzz
