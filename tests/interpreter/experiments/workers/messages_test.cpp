#include "interpreter/experiments/workers/messages.h"

#include <catch2/catch.hpp>

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "interpreter/host/memory.h"
#include "runtime/kernel/error.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using namespace perigee::experiments;
using Catch::Matchers::Contains;

namespace {

std::string raw(std::initializer_list<int> bytes) {
  std::string text;
  for (const int each : bytes) text.push_back(static_cast<char>(each));
  return text;
}

std::string_view body_of(const std::string& frame) { return std::string_view(frame).substr(kHeader); }

// All values that a byte can have.
std::string every_byte() {
  std::string text;
  for (int byte = 0; byte < 256; ++byte) text.push_back(static_cast<char>(byte));
  return text;
}

CellOutcome::Names names_of(std::vector<std::string> names) {
  return std::make_shared<const std::vector<std::string>>(std::move(names));
}

CellOutcome measured(CellOutcome::Names names, std::vector<double> values) {
  CellOutcome outcome;
  outcome.names = std::move(names);
  outcome.values = std::move(values);
  return outcome;
}

// The code of the Error that the call ends with; empty = none.
template <class F>
std::string code_of(F&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.diagnostic().code;
  }
  return {};
}

void check_same(const CellOutcome& got, const CellOutcome& put) {
  CHECK(got.failed() == put.failed());
  CHECK(got.error == put.error);
  if (!got.failed() && !put.failed()) CHECK(*got.names == *put.names);
  REQUIRE(got.values.size() == put.values.size());
  for (std::size_t i = 0; i < put.values.size(); ++i)
    CHECK(std::bit_cast<std::uint64_t>(got.values[i]) == std::bit_cast<std::uint64_t>(put.values[i]));
  CHECK(got.reads == put.reads);
  CHECK(got.warnings == put.warnings);
}

// Everything that may come from the other side, read as each thing that it may be.
void read_as_all(std::string_view bytes) {
  const auto harmless = [](auto&& call) {
    const std::string code = code_of(call);
    CHECK((code.empty() || code == "bad_message"));
  };
  harmless([&] { read_header(bytes.substr(0, kHeader)); });
  harmless([&] { Hello::read(bytes); });
  harmless([&] { Job::read(bytes); });
  harmless([&] {
    OutcomeParser outcomes;
    Parser parser(bytes);
    while (!parser.at_end()) outcomes.next(parser);
  });
  harmless([&] {
    Parser parser(bytes);
    read_diagnostic(parser);
  });
}

// While an object of this class lives, this thread gets no more memory than that.
class LittleMemory {
 public:
  explicit LittleMemory(std::int64_t bytes) {
    host::memory_account.limit = host::memory_account.used + bytes;
  }
  ~LittleMemory() { host::memory_account.limit = host::MemoryAccount::kUnlimited; }
  LittleMemory(const LittleMemory&) = delete;
  LittleMemory& operator=(const LittleMemory&) = delete;
};

Job a_job() {
  Job job;
  job.folder = "/home/it's \"here\"\n" + every_byte();
  job.script =
      "/st\xfc"
      "dy.lua";
  job.silence = 0.1;
  job.options.seed = std::numeric_limits<std::uint64_t>::max();
  job.options.settings = {{"n", ""}, {every_byte(), every_byte()}, {"", "x"}};
  job.options.steps = std::uint64_t{1} << 63;
  job.options.memory = 123456789;
  job.options.out = "../out\xff";
  job.options.data = {"/a", "", std::string("/b\0c", 4)};
  job.options.validate = true;
  return job;
}

CellOutcome a_rich_outcome() {
  using Kind = CellOutcome::Read::Kind;
  CellOutcome outcome = measured(names_of({"makespan", "x.y"}), {1.5, -0.0});
  outcome.reads = {{Kind::file, "log.swf", "00ff"},
                   {Kind::setting, "n", std::nullopt},
                   {Kind::setting, "empty", ""},
                   {Kind::seed, "7", std::nullopt}};
  outcome.warnings = {{"rejected", 9}, {every_byte(), std::numeric_limits<std::uint64_t>::max()}};
  return outcome;
}

}  // namespace

TEST_CASE("a frame is the length of its body, its kind and the body, in little-endian bytes") {
  Writer writer(Says::answers);
  writer.byte(0xab).number(std::uint32_t{0x01020304}).number(std::uint64_t{0x1112131415161718});
  writer.real(1.5).text("hi").text("");
  const std::string frame = std::move(writer).frame();
  CHECK(frame == raw({31,   0,    0,    0,    4,                                // header
                      0xab,                                                     // byte
                      0x04, 0x03, 0x02, 0x01,                                   // 32 bits
                      0x18, 0x17, 0x16, 0x15, 0x14, 0x13, 0x12, 0x11,           // 64 bits
                      0,    0,    0,    0,    0,    0,    0xf8, 0x3f,           // 1.5
                      2,    0,    0,    0,    'h',  'i',  0,    0,    0, 0}));  // two texts
  const auto [kind, size] = read_header(std::string_view(frame).substr(0, kHeader));
  CHECK(kind == Says::answers);
  CHECK(size == 31);
  Parser parser(body_of(frame));
  CHECK(parser.byte() == 0xab);
  CHECK(parser.number32() == 0x01020304);
  CHECK(parser.number64() == 0x1112131415161718);
  CHECK(parser.real() == 1.5);
  CHECK(parser.text() == "hi");
  CHECK_FALSE(parser.at_end());
  CHECK(parser.text() == "");
  CHECK(parser.at_end());
  CHECK(code_of([&] { parser.byte(); }) == "bad_message");
}

TEST_CASE("kinds of messages have the numbers of the protocol") {
  const auto number = [](Says kind) { return static_cast<int>(kind); };
  CHECK(number(Says::hello) == 1);
  CHECK(number(Says::beat) == 2);
  CHECK(number(Says::entered) == 3);
  CHECK(number(Says::answers) == 4);
  CHECK(number(Says::stop) == 5);
  CHECK(number(Says::lost) == 6);
  CHECK(number(Says::leaves) == 7);
  CHECK(number(Says::ends) == 8);
  CHECK(number(Says::refused) == 9);
  CHECK(number(Says::job) == 10);
  CHECK(number(Says::cells) == 11);
  CHECK(number(Says::over) == 12);
  CHECK(number(Says::results) == 13);
  CHECK(number(Says::differs) == 14);
  CHECK(number(Says::fails) == 15);
  CHECK(Writer(Says::beat).frame() == raw({0, 0, 0, 0, 2}));
}

TEST_CASE("a header of another program, or of too long a body, is refused") {
  const auto header = [](std::initializer_list<int> bytes) {
    return code_of([&] { read_header(raw(bytes)); });
  };
  CHECK(header({0, 0, 0, 0, 1}) == "");
  CHECK(header({0, 0, 0, 4, 15}) == "");  // 4 * 2^24 = 64 MiB
  CHECK(header({1, 0, 0, 4, 15}) == "bad_message");
  CHECK(header({0xff, 0xff, 0xff, 0xff, 1}) == "bad_message");
  CHECK(header({0, 0, 0, 0, 0}) == "bad_message");
  CHECK(header({0, 0, 0, 0, 16}) == "bad_message");
  CHECK(header({0, 0, 0, 0, 0xff}) == "bad_message");
  CHECK(code_of([] { read_header("GET /"); }) == "bad_message");
  CHECK(code_of([] { read_header("SSH-2"); }) == "bad_message");
  for (std::size_t size = 0; size < kHeader; ++size)
    CHECK(code_of([&] { read_header(std::string(size, '\1')); }) == "bad_message");
}

TEST_CASE("outcomes of cells, byte by byte: names are sent when they change") {
  OutcomeWriter outcomes;
  Writer writer(Says::answers);
  const auto names = names_of({"x", "yz"});
  const double infinity = std::numeric_limits<double>::infinity();
  outcomes.put(writer, 7, measured(names, {1.0, -infinity}));
  outcomes.put(writer, 0x0102030405060708, measured(names_of({"x", "yz"}), {0.0, infinity}));
  CellOutcome failed;
  failed.error = "no";
  failed.warnings = {{"w", 3}};
  failed.reads = {{CellOutcome::Read::Kind::setting, "n", "5"},
                  {CellOutcome::Read::Kind::seed, "9", std::nullopt}};
  outcomes.put(writer, 9, failed);
  outcomes.put(writer, 10, measured(names, {2.0, -0.0}));
  outcomes.put(writer, 11, measured(names_of({"x"}), {1.0}));
  const std::string frame = std::move(writer).frame();
  const std::string none = raw({0, 0, 0, 0, 0, 0, 0, 0});  // neither reads nor warnings
  CHECK(body_of(frame) ==
        raw({7, 0, 0, 0, 0, 0, 0, 0, 2, 2, 0, 0, 0, 1, 0, 0, 0, 'x', 2, 0, 0, 0, 'y', 'z'}) +
            raw({0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0, 0, 0, 0, 0, 0, 0xf0, 0xff}) + none +
            raw({8, 7, 6, 5, 4, 3, 2, 1, 1}) + raw({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0x7f}) +
            none + raw({9, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 'n', 'o'}) +
            raw({2, 0, 0, 0, 1, 1, 0, 0, 0, 'n', 1, 1, 0, 0, 0, '5', 2, 1, 0, 0, 0, '9', 0}) +
            raw({1, 0, 0, 0, 1, 0, 0, 0, 'w', 3, 0, 0, 0, 0, 0, 0, 0}) + raw({10, 0, 0, 0, 0, 0, 0, 0, 1}) +
            raw({0, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0, 0x80}) + none +
            raw({11, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 1, 0, 0, 0, 'x'}) +
            raw({0, 0, 0, 0, 0, 0, 0xf0, 0x3f}) + none);
}

TEST_CASE("outcomes are read as they were written, to the bit") {
  const std::vector<double> odd = {std::bit_cast<double>(0x7ff8000000000001u),
                                   std::bit_cast<double>(0xfff8dead0000beefu),
                                   std::numeric_limits<double>::infinity(),
                                   -std::numeric_limits<double>::infinity(),
                                   -0.0,
                                   std::numeric_limits<double>::denorm_min(),
                                   std::numeric_limits<double>::max()};
  std::vector<std::pair<std::uint64_t, CellOutcome>> all;
  const auto names = names_of({"a", "b", "c", "d", "e", every_byte(), ""});
  all.emplace_back(1, measured(names, odd));
  all.emplace_back(2, measured(names, odd));
  all.emplace_back(3, measured(names_of({}), {}));
  all.emplace_back(4, a_rich_outcome());
  CellOutcome failed;
  failed.error = every_byte();
  failed.reads = a_rich_outcome().reads;
  failed.warnings = a_rich_outcome().warnings;
  all.emplace_back(5, failed);
  all.emplace_back(6, a_rich_outcome());
  all.emplace_back(std::numeric_limits<std::uint64_t>::max(), CellOutcome());
  OutcomeWriter outcomes;
  OutcomeParser read;  // one of each for a connection, whatever messages the outcomes come in
  const CellOutcome* before = nullptr;
  CellOutcome last;
  for (const auto& [cell, outcome] : all) {
    Writer writer(Says::results);
    outcomes.put(writer, cell, outcome);
    const std::string frame = std::move(writer).frame();
    CHECK(body_of(frame).size() >= kLeastOutcome);
    Parser parser(body_of(frame));
    auto [number, got] = read.next(parser);
    CHECK(parser.at_end());
    CHECK(number == cell);
    check_same(got, outcome);
    if (cell == 2) CHECK(got.names == before->names);  // shared
    last = std::move(got);
    before = &last;
  }
}

TEST_CASE("whoever a hello comes from, it is read as it was written") {
  const Hello hello{7, "0.1.0", "0123abcd", "node07", 4000000000, "12345"};
  const std::string frame = hello.frame();
  CHECK(read_header(std::string_view(frame).substr(0, kHeader)).first == Says::hello);
  Parser parser(body_of(frame));
  const auto json = nlohmann::json::parse(parser.text());
  CHECK(parser.at_end());
  CHECK(json == nlohmann::json{{"protocol", 7},
                               {"version", "0.1.0"},
                               {"sources", "0123abcd"},
                               {"host", "node07"},
                               {"process", 4000000000},
                               {"slurm_job", "12345"}});
  const Hello got = Hello::read(body_of(frame));
  CHECK(got.protocol == 7);
  CHECK(got.version == "0.1.0");
  CHECK(got.sources == "0123abcd");
  CHECK(got.host == "node07");
  CHECK(got.process == 4000000000);
  CHECK(got.slurm_job == "12345");
  // A name of a host that is no UTF-8 is no reason to fail.
  Hello odd = hello;
  odd.host = "n\xffo";
  CHECK(Hello::read(body_of(odd.frame())).host == "n\xef\xbf\xbdo");
}

TEST_CASE("a job keeps settings and paths of any bytes") {
  const Job job = a_job();
  const std::string frame = job.frame();
  CHECK(read_header(std::string_view(frame).substr(0, kHeader)).first == Says::job);
  const Job got = Job::read(body_of(frame));
  CHECK(got.folder == job.folder);
  CHECK(got.script == job.script);
  CHECK(got.silence == 0.1);
  CHECK(got.options.seed == job.options.seed);
  CHECK(got.options.settings == job.options.settings);
  CHECK(got.options.steps == job.options.steps);
  CHECK(got.options.memory == job.options.memory);
  CHECK(got.options.out == job.options.out);
  CHECK(got.options.data == job.options.data);
  CHECK(got.options.validate);
}

TEST_CASE("a diagnostic keeps its code, message, place and notes") {
  const Diagnostic diagnostic{"bad_value", every_byte(), {"s.lua", 12}, {"one", "", "two"}};
  Writer writer(Says::fails);
  put_diagnostic(writer, diagnostic);
  const std::string frame = std::move(writer).frame();
  Parser parser(body_of(frame));
  const Diagnostic got = read_diagnostic(parser);
  CHECK(parser.at_end());
  CHECK(got.code == diagnostic.code);
  CHECK(got.message == diagnostic.message);
  CHECK(got.where.file == "s.lua");
  CHECK(got.where.line == 12);
  CHECK(got.notes == diagnostic.notes);
  for (std::size_t size = 0; size < body_of(frame).size(); ++size)
    CHECK(code_of([&] {
            Parser cut(body_of(frame).substr(0, size));
            read_diagnostic(cut);
          }) == "bad_message");
}

TEST_CASE("a message that ends too soon is refused, wherever it ends") {
  const std::string hello = Hello{1, "0.1.0", "ab", "n", 5, ""}.frame(), job = a_job().frame();
  const auto every_cut = [](std::string_view body, auto&& read) {
    for (std::size_t size = 0; size < body.size(); ++size) {
      CAPTURE(size);
      CHECK(code_of([&] { read(body.substr(0, size)); }) == "bad_message");
    }
  };
  every_cut(body_of(hello), [](std::string_view body) { Hello::read(body); });
  every_cut(body_of(job), [](std::string_view body) { Job::read(body); });
  const auto read_one = [](std::string_view body) {
    OutcomeParser outcomes;
    Parser parser(body);
    outcomes.next(parser);
  };
  CellOutcome failed;
  failed.error = "no";
  for (const CellOutcome& outcome : {a_rich_outcome(), failed}) {
    OutcomeWriter outcomes;
    Writer writer(Says::answers);
    outcomes.put(writer, 300, outcome);
    const std::string frame = std::move(writer).frame();
    every_cut(body_of(frame), read_one);
  }
}

TEST_CASE("what no perigee would write is refused") {
  const auto outcome = [](const std::string& bytes) {
    return code_of([&] {
      OutcomeParser outcomes;
      Parser parser(bytes);
      outcomes.next(parser);
    });
  };
  const std::string cell = raw({1, 0, 0, 0, 0, 0, 0, 0}), none = raw({0, 0, 0, 0});
  CHECK(outcome(cell + raw({0}) + none + none + none) == "");
  CHECK(outcome(cell + raw({1}) + none + none) == "bad_message");         // no names are known
  CHECK(outcome(cell + raw({3}) + none + none + none) == "bad_message");  // no such beginning
  CHECK(outcome(cell + raw({2}) + none + none + none) == "");             // no measures
  CHECK(outcome(cell + raw({0}) + none + raw({1, 0, 0, 0, 3, 0, 0, 0, 0, 0}) + none) == "bad_message");
  const auto body = [](std::string_view json) {
    return std::move(Writer(Says::hello).text(json)).frame().substr(kHeader);
  };
  for (const char* json : {"", "{", "null", "[]", "{}", "7", "\"x\"", "{\"protocol\":\"1\"}", "[[[[[[",
                           "{\"protocol\":1,\"version\":1,\"sources\":[],\"host\":{},\"process\":null,"
                           "\"slurm_job\":\"\"}"}) {
    CAPTURE(json);
    CHECK(code_of([&] { Hello::read(body(json)); }) == "bad_message");
    CHECK(code_of([&] { Job::read(body(json)); }) == "bad_message");
  }
  for (const std::string hex : {"0", "abc", "0g", "0G", "AB", " 0"}) {
    const nlohmann::json job = {{"folder", hex},    {"script", ""}, {"silence", 30},
                                {"seed", 1},        {"steps", 0},   {"settings", nlohmann::json::object()},
                                {"memory", 0},      {"out", ""},    {"data", nlohmann::json::array()},
                                {"validate", false}};
    CAPTURE(hex);
    CHECK(code_of([&] { Job::read(body(job.dump())); }) == "bad_message");
  }
}

TEST_CASE("texts and messages that are too large are refused where they are written") {
  const std::string large(kLargestMessage - 4, 'x');  // fills a message with its length
  CHECK(code_of([&] { std::move(Writer(Says::lost).text(large)).frame(); }) == "");
  CHECK(code_of([&] { std::move(Writer(Says::lost).text(large).byte(0)).frame(); }) == "too_large");
  CHECK(code_of([&] { Writer(Says::lost).text(large + "12345"); }) == "too_large");
}

TEST_CASE("numbers of things that a message cannot hold take no memory") {
  const LittleMemory little(1 << 20);
  const std::string cell = raw({1, 0, 0, 0, 0, 0, 0, 0}), none = raw({0, 0, 0, 0}),
                    many = raw({0xff, 0xff, 0xff, 0xff}), some = raw({0, 0, 0, 1});
  for (const std::string& count : {many, some})
    for (const std::string& bytes :
         {cell + raw({0}) + count, cell + raw({0}) + none + count, cell + raw({0}) + none + none + count,
          cell + raw({2}) + count, cell + raw({2}) + none + count, count, none + none + none + none + count})
      read_as_all(bytes + std::string(100, '\0'));
  Parser parser(many);
  CHECK(code_of([&] { parser.count(1); }) == "bad_message");
  const std::string three = raw({3, 0, 0, 0}) + "123456";
  CHECK(Parser(three).count(2) == 3);
  CHECK(code_of([&] { Parser(three).count(3); }) == "bad_message");
}

TEST_CASE("random bytes, and messages with random changes, are refused or read, and nothing else") {
  std::mt19937_64 random(26);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  std::vector<std::string> bodies = {Hello{1, "0.1.0", "ab", "n", 5, ""}.frame(), a_job().frame()};
  {
    OutcomeWriter outcomes;
    Writer writer(Says::answers), diagnostic(Says::fails);
    for (std::uint64_t cell = 1; cell < 4; ++cell) outcomes.put(writer, cell, a_rich_outcome());
    outcomes.put(writer, 4, {});
    put_diagnostic(diagnostic, {"c", "m", {"f", 1}, {"n", "n"}});
    bodies.push_back(std::move(writer).frame());
    bodies.push_back(std::move(diagnostic).frame());
  }
  for (std::string& each : bodies) each.erase(0, kHeader);
  const LittleMemory little(16 << 20);
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes;
    if (round % 4 == 0) {
      for (std::size_t left = below(200); left > 0; --left) {
        // Small numbers are what counts and kinds look like.
        bytes.push_back(static_cast<char>(below(2) == 0 ? below(256) : below(4)));
      }
    } else {
      bytes = bodies[below(bodies.size())];
      for (std::size_t changes = 1 + below(3); changes > 0; --changes)
        bytes[below(bytes.size())] = static_cast<char>(below(256));
      if (below(3) == 0) bytes.resize(below(bytes.size()));
    }
    read_as_all(bytes);
  }
}
