// The server of workers, to which the test speaks as workers do.
#include "interpreter/experiments/workers/server.h"

#include <catch2/catch.hpp>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "interpreter/bindings/words.h"
#include "interpreter/experiments/coordinator.h"
#include "interpreter/experiments/workers/access.h"
#include "interpreter/experiments/workers/messages.h"
#include "interpreter/host/embedded.h"
#include "runtime/kernel/error.h"
#include "tests/support/folder.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;
using namespace perigee::experiments;
using Dealt = std::vector<std::uint64_t>;
using Catch::Matchers::Contains;

namespace {

Design plain_design(std::uint64_t cells, const std::string& name = "d") {
  Design design;
  design.name = name;
  design.combinations = {{}};
  design.replications.least = design.replications.most = cells;
  return design;
}

CellOutcome value_of(std::uint64_t cell) {
  static const auto names = std::make_shared<const std::vector<std::string>>(1, "x");
  CellOutcome outcome;
  outcome.names = names;
  outcome.values = {static_cast<double>(cell)};
  return outcome;
}

// A coordinator with its server at a port of this machine, without an interpreter that computes.
class Served {
 public:
  Served() : interpreter_(open_words, options(this)), coordinator(interpreter_) {
    InterpreterOptions own;
    own.workers = {"listen:127.0.0.1"};
    own.jobs = 0;
    server.emplace(coordinator, own, "s.lua", folder_.path.string());
    server->start(1);
    access = read_access((folder_.path / "workers.json").string());
  }
  ~Served() { server.reset(); }
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  ExperimentPtr enter(const Design& design) {
    const ExperimentPtr experiment = coordinator.enter(interpreter_, nth_++, design);
    server->wake();
    return experiment;
  }
  // The warnings that the main interpreter is told.
  std::string told(Experiment& experiment) {
    try {
      coordinator.take(interpreter_, experiment);
    } catch (const Error&) {
    }
    return warnings_;
  }
  // Whether this comes to hold, within 20 s.
  bool comes(const std::function<bool()>& condition) {
    for (int i = 0; i < 4000; ++i) {
      const bool holds = condition();
      server->wake();  // the coordinator itself wakes only the server that it has started
      if (holds) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  }
  bool is_over(Experiment& experiment) {
    return comes([&] { return coordinator.standing(experiment) == CellCoordinator::Standing::over; });
  }

 private:
  static InterpreterOptions options(Served* me) {
    InterpreterOptions options;
    options.jobs = 0;
    options.output = [](std::string_view) {};
    options.warnings = [me](std::string_view line) { me->warnings_ += std::string(line) + "\n"; };
    return options;
  }

  Folder folder_;
  std::string warnings_;
  Interpreter interpreter_;
  std::size_t nth_ = 0;

 public:
  CellCoordinator coordinator;
  std::optional<WorkerServer> server;
  Access access;
};

class PlayedWorker {
 public:
  explicit PlayedWorker(const Access& access) : access_(access), socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in to = {};
    to.sin_family = AF_INET;
    to.sin_port = htons(access.port);
    REQUIRE(::inet_pton(AF_INET, access.address.c_str(), &to.sin_addr) == 1);
    const timeval patience{0, 100'000};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    REQUIRE(::connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0);
  }
  // One that has proved itself, said hello and got its job; and that has come to an experiment.
  explicit PlayedWorker(Served& served) : PlayedWorker(served.access) {
    served_ = &served;
    prove();
    send(good_hello().frame());
    REQUIRE(next().first == Says::job);
  }
  PlayedWorker(Served& served, std::size_t nth, const Design& design) : PlayedWorker(served) {
    come_to(nth, design);
  }
  ~PlayedWorker() { die(); }
  PlayedWorker(const PlayedWorker&) = delete;
  PlayedWorker& operator=(const PlayedWorker&) = delete;

  static Hello good_hello() {
    return {kProtocol, PERIGEE_VERSION, std::string(host::source_digest()), "node", 7, ""};
  }
  void die() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
  }
  void send(std::string_view bytes) {
    CHECK(::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size()));
  }
  // So many bytes, or fewer where the connection ends before.
  std::string read(std::size_t size) {
    std::string bytes(size, '\0');
    std::size_t got = 0;
    int looks = 200;  // 20 s
    while (got < size) {
      const ssize_t more = ::recv(socket_, bytes.data() + got, size - got, 0);
      if (more < 0 && errno == EAGAIN && --looks > 0) {
        if (served_ != nullptr) served_->server->wake();
        continue;
      }
      if (more <= 0) break;
      got += static_cast<std::size_t>(more);
    }
    bytes.resize(got);
    return bytes;
  }
  bool is_hung_up() {
    for (;;) {
      const std::string header = read(kHeader);
      if (header.size() < kHeader) return true;
      if (read_header(header).first != Says::beat) return false;
    }
  }
  void prove() {
    const Nonce ours = new_nonce();
    send(std::string(kMagic) + std::string(ours.begin(), ours.end()));
    const std::string answer = read(sizeof(Nonce) + sizeof(Proof));
    REQUIRE(answer.size() == sizeof(Nonce) + sizeof(Proof));
    Nonce theirs;
    Proof proof;
    std::copy_n(answer.begin(), theirs.size(), theirs.begin());
    std::copy_n(answer.begin() + sizeof(Nonce), proof.size(), proof.begin());
    CHECK(same(proof, proof_of("coordinator", access_.secret, ours, theirs)));
    const Proof own = proof_of("worker", access_.secret, ours, theirs);
    send(std::string(own.begin(), own.end()));
  }
  // The next message that is no beat.
  std::pair<Says, std::string> next() {
    for (;;) {
      const std::string header = read(kHeader);
      REQUIRE(header.size() == kHeader);
      const auto [kind, size] = read_header(header);
      std::string body = read(size);
      REQUIRE(body.size() == size);
      if (kind != Says::beat) return {kind, std::move(body)};
    }
  }
  Dealt next_cells() {
    const auto [kind, body] = next();
    REQUIRE(kind == Says::cells);
    Parser parser(body);
    CHECK(parser.number64() == at_);
    Dealt cells;
    for (std::uint32_t left = parser.count(8); left > 0; --left) cells.push_back(parser.number64());
    CHECK(parser.at_end());
    return cells;
  }
  void come_to(std::uint64_t nth, const Design& design) {
    at_ = nth;
    send(std::move(Writer(Says::entered).number(nth).text(design.digest())).frame());
  }
  void answer(const Dealt& cells, std::chrono::nanoseconds each = std::chrono::seconds(1)) {
    Writer writer(Says::answers), outcomes(Says::answers);
    for (const std::uint64_t cell : cells) outcomes_.put(outcomes, cell, value_of(cell));
    writer.number(at_)
        .number(static_cast<std::uint64_t>(each.count()) * cells.size())
        .number(static_cast<std::uint32_t>(cells.size()))
        .bytes(outcomes);
    send(std::move(writer).frame());
  }
  void stop(std::uint64_t cell, const std::string& message) {
    Writer writer(Says::stop);
    writer.number(at_).number(cell);
    put_diagnostic(writer, {"bad_value", message, {}, {}});
    send(std::move(writer).frame());
  }

 private:
  Access access_;
  int socket_;
  Served* served_ = nullptr;
  std::uint64_t at_ = 0;
  OutcomeWriter outcomes_;
};

}  // namespace

TEST_CASE("nothing is said to who does not know the secret") {
  Served served;
  PlayedWorker other(served.access);
  other.send("GET / HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\n\r\n");
  CHECK(other.read(1).empty());
  Access wrong = served.access;
  wrong.secret[31] ^= 1;
  PlayedWorker guesses(wrong);
  guesses.send(std::string(kMagic) + std::string(sizeof(Nonce), 'n'));
  CHECK(guesses.read(sizeof(Nonce) + sizeof(Proof)).size() == sizeof(Nonce) + sizeof(Proof));
  guesses.send(std::string(sizeof(Proof), '\0'));
  CHECK(guesses.read(1).empty());
  PlayedWorker reflects(served.access);  // what the coordinator has said is no proof of a worker
  reflects.send(std::string(kMagic) + std::string(sizeof(Nonce), 'n'));
  reflects.send(reflects.read(sizeof(Nonce) + sizeof(Proof)).substr(sizeof(Nonce)));
  CHECK(reflects.read(1).empty());
  const ExperimentPtr experiment = served.enter(plain_design(1));
  PlayedWorker knows(served, 0, experiment->design);
  knows.answer(knows.next_cells());
  CHECK(served.is_over(*experiment));
  CHECK_THAT(served.told(*experiment),
             Contains("a connection was refused: it does not speak perigee's protocol") &&
                 Contains("a connection was refused: it does not know the secret"));
}

TEST_CASE("a worker that is another program is refused, and told why") {
  Served served;
  const auto refusal = [&](auto&& change) {
    PlayedWorker worker(served.access);
    worker.prove();
    Hello hello = PlayedWorker::good_hello();
    change(hello);
    worker.send(hello.frame());
    const auto [kind, body] = worker.next();
    CHECK(kind == Says::refused);
    Parser parser(body);
    CHECK_THAT(std::string(parser.text()), Contains("the worker on node is perigee ") &&
                                               Contains("the coordinator is perigee " PERIGEE_VERSION) &&
                                               Contains("both must be the same program"));
  };
  refusal([](Hello& hello) { hello.version += "x"; });
  refusal([](Hello& hello) { hello.sources.back() ^= 1; });
  refusal([](Hello& hello) { ++hello.protocol; });
}

TEST_CASE("cells come in batches that their time decides, and each is counted once") {
  Served served;
  const ExperimentPtr experiment = served.enter(plain_design(200));
  PlayedWorker slow(served, 0, experiment->design), fast(served, 0, experiment->design);
  const Dealt first = slow.next_cells(), second = fast.next_cells();
  CHECK(first.size() == 1);  // nothing is known of their time
  CHECK(second.size() == 1);
  CHECK(std::set<std::uint64_t>{first[0], second[0]} == std::set<std::uint64_t>{1, 2});
  fast.answer(second, std::chrono::microseconds(1));
  std::size_t largest = 0;
  for (std::size_t done = 1; done < 199;) {
    const Dealt cells = fast.next_cells();
    largest = std::max(largest, cells.size());
    done += cells.size();
    fast.answer(cells, std::chrono::microseconds(1));
    fast.answer(cells, std::chrono::microseconds(1));  // an answer counts once
    fast.answer(first, std::chrono::microseconds(1));  // that of another's cell never
    fast.answer({0, 201, ~std::uint64_t{0}});          // nor that of a cell that there is not
  }
  CHECK(largest > 10);
  CHECK(served.coordinator.standing(*experiment) == CellCoordinator::Standing::open);
  slow.answer(first);
  CHECK(served.is_over(*experiment));
  CHECK(slow.next().first == Says::over);
  CHECK(fast.next().first == Says::over);
  REQUIRE(experiment->outcomes.size() == 200);
  for (const auto& [cell, outcome] : experiment->outcomes)
    CHECK(outcome.values[0] == static_cast<double>(cell));
  CHECK(experiment->under_way == 0);
}

TEST_CASE("cells of a worker that is lost are dealt out one by one, and its late answers are thrown away") {
  Served served;
  const ExperimentPtr experiment = served.enter(plain_design(40));
  std::set<std::uint64_t> seen;
  {
    PlayedWorker worker(served, 0, experiment->design);
    worker.answer(worker.next_cells(), std::chrono::microseconds(1));
    const Dealt hand = worker.next_cells();
    REQUIRE(hand.size() > 3);
    seen.insert(hand.begin(), hand.end());
    PlayedWorker other(served, 0, experiment->design);
    CHECK_FALSE(other.next_cells().empty());
  }  // both are lost
  PlayedWorker third(served, 0, experiment->design);
  for (std::size_t left = 39; left > 0;) {
    const Dealt cells = third.next_cells();
    if (seen.contains(cells[0])) CHECK(cells.size() == 1);
    for (const std::uint64_t cell : cells) seen.erase(cell);
    left -= cells.size();
    third.answer(cells, std::chrono::microseconds(1));
  }
  CHECK(served.is_over(*experiment));
  CHECK(experiment->outcomes.size() == 40);
  CHECK(experiment->failed == 0);
  CHECK_THAT(served.told(*experiment),
             Contains("a worker on node (process 7) is lost: its connection ended; its"));
}

TEST_CASE("a worker that leaves gives its cells back, and nothing is suspected") {
  Served served;
  const ExperimentPtr experiment = served.enter(plain_design(3));
  for (int i = 0; i < 5; ++i) {
    PlayedWorker worker(served, 0, experiment->design);
    CHECK(worker.next_cells() == Dealt{1});
    worker.send(Writer(Says::leaves).frame());
    CHECK(served.comes([&] { return served.coordinator.waiting(*experiment) == 3; }));
  }
  PlayedWorker last(served, 0, experiment->design);
  for (int i = 0; i < 3; ++i) last.answer(last.next_cells());
  CHECK(served.is_over(*experiment));
  CHECK(experiment->failed == 0);
}

TEST_CASE("a cell that ends three workers fails, with that said") {
  Served served;
  const ExperimentPtr experiment = served.enter(plain_design(2));
  for (int deaths = 0; deaths < 3; ++deaths) {
    PlayedWorker worker(served, 0, experiment->design);
    CHECK(worker.next_cells() == Dealt{1});
  }
  PlayedWorker worker(served, 0, experiment->design);
  CHECK(worker.next_cells() == Dealt{2});
  worker.answer({2});
  CHECK(served.is_over(*experiment));
  CHECK(experiment->failed == 1);
  CHECK(experiment->outcomes.at(1).error == "3 workers ended while they computed it");
}

TEST_CASE("where a worker ended at a cell that was computed later, a cell may meet one end more") {
  Served served;
  const ExperimentPtr experiment = served.enter(plain_design(2));
  { CHECK(PlayedWorker(served, 0, experiment->design).next_cells() == Dealt{1}); }
  {
    PlayedWorker worker(served, 0, experiment->design);
    CHECK(worker.next_cells() == Dealt{1});
    worker.answer({1});
    CHECK(worker.next_cells() == Dealt{2});  // the first end of cell 2
  }
  for (int deaths = 1; deaths < 4; ++deaths) {
    CHECK(served.coordinator.standing(*experiment) == CellCoordinator::Standing::open);
    CHECK(PlayedWorker(served, 0, experiment->design).next_cells() == Dealt{2});
  }
  CHECK(served.is_over(*experiment));
  CHECK(experiment->failed == 1);
  CHECK(experiment->outcomes.at(2).error == "4 workers ended while they computed it");
}

TEST_CASE("an error ends an experiment once the cells below are done, whatever the worker still had") {
  Served served;
  const ExperimentPtr experiment = served.enter(plain_design(30));
  PlayedWorker low(served, 0, experiment->design);
  REQUIRE(low.next_cells() == Dealt{1});
  PlayedWorker worker(served, 0, experiment->design);
  REQUIRE(worker.next_cells() == Dealt{2});
  worker.answer({2},
                std::chrono::milliseconds(14));  // two fit into 30 ms, and are dealt out when it has none
  REQUIRE(worker.next_cells() == Dealt{3, 4});
  worker.stop(4, "of the second");
  CHECK(served.comes([&] { return served.coordinator.problem(*experiment).has_value(); }));
  CHECK(worker.next_cells() == Dealt{3});  // which it has dropped, and which is below
  worker.stop(4, "of a cell that it no longer has");
  CHECK(worker.next_cells() == Dealt{3});  // dropped once more
  worker.stop(3, "of the first");
  low.die();
  CHECK(worker.next_cells() == Dealt{1});
  CHECK(served.coordinator.problem(*experiment)->message == "of the first");
  worker.stop(1, "of the lowest");
  CHECK(served.comes([&] { return experiment->under_way == 0; }));
  served.coordinator.leave(*experiment);
  served.server->wake();
  const auto [kind, body] = worker.next();
  CHECK(kind == Says::fails);
  Parser parser(body);
  CHECK(read_diagnostic(parser).message == "of the lowest");
}

TEST_CASE("answers of which one cannot be read count for nothing, and their cells are dealt out again") {
  Served served;
  const ExperimentPtr experiment = served.enter(plain_design(9));
  std::size_t hand = 0;
  {
    PlayedWorker worker(served, 0, experiment->design);
    worker.answer(worker.next_cells(), std::chrono::milliseconds(5));
    const Dealt cells = worker.next_cells();
    hand = cells.size();
    REQUIRE(hand > 1);
    OutcomeWriter outcomes;
    Writer writer(Says::answers), good(Says::answers);
    for (const std::uint64_t cell : cells) outcomes.put(good, cell, value_of(cell));
    writer.number(std::uint64_t{0})
        .number(std::uint64_t{1})
        .number(static_cast<std::uint32_t>(hand + 1))
        .bytes(good);
    worker.send(std::move(writer.number(std::uint64_t{9}).byte(7)).frame());
    CHECK(worker.is_hung_up());
  }
  CHECK(experiment->outcomes.size() == 1);
  PlayedWorker worker(served, 0, experiment->design);
  for (std::size_t left = 8; left > 0;) {
    const Dealt cells = worker.next_cells();
    left -= cells.size();
    worker.answer(cells, std::chrono::milliseconds(5));
  }
  CHECK(served.is_over(*experiment));
  CHECK(experiment->outcomes.size() == 9);
  CHECK(experiment->failed == 0);
}

TEST_CASE("what no worker says ends its connection, and no other") {
  Served served;
  const Design design = plain_design(50);
  const ExperimentPtr experiment = served.enter(design);
  PlayedWorker good(served, 0, design);
  Dealt cells = good.next_cells();
  const auto lost = [&](const std::string& bytes) {
    PlayedWorker worker(served);
    worker.send(bytes);
    CHECK(worker.is_hung_up());
  };
  lost(std::string("\xff\xff\xff\xff\x01", 5));
  lost(std::string("\x01\x00\x00\x00\x00x", 6));
  lost(PlayedWorker::good_hello().frame());  // for the second time
  for (int kind = static_cast<int>(Says::refused); kind <= static_cast<int>(Says::fails); ++kind)
    lost(Writer(static_cast<Says>(kind)).frame());
  for (const Says kind : {Says::entered, Says::answers, Says::stop, Says::lost, Says::ends})
    lost(Writer(kind).frame());
  const double inf = std::numeric_limits<double>::infinity();
  for (const double seconds : {inf, -inf, std::nan(""), 1e300, 10.0}) {  // it is in no job
    lost(std::move(Writer(Says::ends).real(seconds)).frame());
  }
  lost(std::move(
           Writer(Says::answers).number(std::uint64_t{0}).number(std::uint64_t{0}).number(~std::uint32_t{0}))
           .frame());
  {  // it goes on with cells at hand
    PlayedWorker worker(served, 0, design);
    CHECK(worker.next_cells().size() == 1);
    worker.come_to(0, design);
    CHECK(worker.is_hung_up());
  }
  {  // before a hello
    PlayedWorker worker(served.access);
    worker.prove();
    worker.send(std::move(Writer(Says::lost).text("x")).frame());
    CHECK(worker.is_hung_up());
  }
  {  // another script, or far ahead: no cells
    PlayedWorker differs(served), ahead(served);
    differs.come_to(0, plain_design(51));
    CHECK(differs.next().first == Says::differs);
    ahead.come_to(~std::uint64_t{0}, design);
    ahead.answer({1, 2, 3});
    ahead.stop(1, "no");
    ahead.send(Writer(Says::beat).frame());
    ahead.send(Writer(Says::leaves).frame());
  }
  std::mt19937_64 random(3);
  for (int i = 0; i < 30; ++i) {
    PlayedWorker worker(served);
    if (i % 2 == 0) worker.come_to(0, design);
    std::string bytes;
    for (int left = 200; left > 0; --left)
      bytes.push_back(static_cast<char>(random() % (i % 3 == 0 ? 16 : 256)));
    worker.send(bytes);
  }
  for (std::size_t done = 0; done < 50;) {
    done += cells.size();
    good.answer(cells);
    if (served.coordinator.standing(*experiment) == CellCoordinator::Standing::over) break;
    const auto [kind, body] = good.next();
    if (kind == Says::over) break;
    REQUIRE(kind == Says::cells);
    Parser parser(body);
    parser.number64();
    cells.clear();
    for (std::uint32_t left = parser.count(8); left > 0; --left) cells.push_back(parser.number64());
  }
  CHECK(served.is_over(*experiment));
  CHECK(experiment->outcomes.size() == 50);
}

TEST_CASE("a worker gets the outcomes of all cells before it goes on to the next experiment, in parts") {
  Served served;
  const Design first = plain_design(3000), second = plain_design(1, "second");
  const ExperimentPtr experiment = served.enter(first);
  // The first fail with a long message each.
  std::vector<std::pair<std::uint64_t, CellOutcome>> outcomes;
  for (const std::uint64_t cell : served.coordinator.take_some(*experiment, 3000)) {
    outcomes.emplace_back(cell, value_of(cell));
    if (cell > 700) continue;
    outcomes.back().second = {};
    outcomes.back().second.error = std::string(100'000, 'e');  // 70 MB in all
  }
  served.coordinator.give_all(*experiment, std::move(outcomes));
  PlayedWorker worker(served, 0, first);
  CHECK(worker.next().first == Says::over);
  served.coordinator.leave(*experiment);
  served.enter(second);
  OutcomeParser parse;
  std::uint64_t cell = 0;
  for (bool last = false; !last;) {
    const auto [kind, body] = worker.next();
    REQUIRE(kind == Says::results);
    CHECK(body.size() < 2'000'000);
    Parser parser(body);
    last = parser.byte() != 0;
    while (!parser.at_end()) {
      const auto [number, outcome] = parse.next(parser);
      CHECK(number == ++cell);
      CHECK(outcome.failed() == (cell <= 700));
      if (!outcome.failed()) CHECK(outcome.values[0] == static_cast<double>(cell));
    }
  }
  CHECK(cell == 3000);
  worker.come_to(1, second);
  CHECK(worker.next_cells() == Dealt{1});
  worker.answer({1});
  CHECK(worker.next().first == Says::over);
}
