// The messages of a coordinator of cells and its workers in other processes. docs/workers.md describes
// it byte by byte.
//
// A message is a frame: the number of bytes that follow its kind (4 bytes), its kind (1 byte), and these
// bytes. Numbers are little-endian, doubles are IEEE 754, a text is its length (4 bytes) and its bytes.
// Every reader of a message takes it for untrusted.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/experiments/design.h"
#include "interpreter/session/options.h"

namespace perigee::experiments {

inline constexpr std::uint32_t kProtocol = 1;
inline constexpr std::uint32_t kLargestMessage = 64u << 20;  // bytes
inline constexpr std::size_t kHeader = 5;                    // bytes of a frame before its body

enum class Says : std::uint8_t {
  // of a worker
  hello = 1,  // who it is; the first message
  beat,       // that it lives; of both sides
  entered,    // it has come to an experiment and can compute its cells
  answers,    // outcomes of cells
  stop,       // an error that ends the experiment
  lost,       // it could not follow the script, and ends
  leaves,     // it ends; the cells it has are for others
  ends,       // how long its Slurm job will still last
  // of the coordinator
  refused,  // the worker is not taken, and why
  job,      // the script and its options
  cells,    // cells to compute
  over,     // all cells of the experiment are done
  results,  // outcomes of all its cells, in parts; the script goes on after the last
  differs,  // the experiment that the worker has entered is another one
  fails,    // the error by which the main interpreter has left the experiment
};

// The bytes of a message, put together.
class Writer {
 public:
  explicit Writer(Says kind);
  Writer& byte(std::uint8_t value);
  Writer& number(std::uint32_t value);
  Writer& number(std::uint64_t value);
  Writer& real(double value);
  Writer& text(std::string_view value);  // Error "too_large" above kLargestMessage
  Writer& bytes(const Writer& other);    // the body of another one
  std::size_t size() const { return bytes_.size(); }
  std::string frame() &&;  // with its header

 private:
  std::string bytes_;
};

// Reads a body. Error "bad_message" where it ends too soon.
class Parser {
 public:
  explicit Parser(std::string_view bytes) : bytes_(bytes) {}
  std::uint8_t byte();
  std::uint32_t number32();
  std::uint64_t number64();
  double real();
  std::string_view text();
  bool at_end() const { return bytes_.empty(); }
  // A number of things that take so many bytes each at least.
  std::uint32_t count(std::size_t bytes_each);

 private:
  std::string_view take(std::size_t bytes);
  std::string_view bytes_;
};

// The header of a frame: its kind and the length of its body. Error "bad_message".
std::pair<Says, std::uint32_t> read_header(std::string_view header);

struct Hello {
  std::uint32_t protocol = kProtocol;
  std::string version, sources;  // of perigee, and the hash of its sources
  std::string host;
  std::int64_t process = 0;
  std::string slurm_job = {};  // empty = none

  std::string frame() const;
  static Hello read(std::string_view body);
};

// The script that a worker is to run, and how.
struct Job {
  InterpreterOptions options;
  std::string folder;  // the working folder, in which names of files are meant
  std::string script;
  Seconds silence = 0;  // of wall clock, after which either side gives up the other

  std::string frame() const;
  static Job read(std::string_view body);
};

// Outcomes of cells, one after the other on one connection: names of measures are sent when they change.
class OutcomeWriter {
 public:
  void put(Writer& to, std::uint64_t cell, const CellOutcome& outcome);

 private:
  CellOutcome::Names last_;
};
class OutcomeParser {
 public:
  std::pair<std::uint64_t, CellOutcome> next(Parser& from);

 private:
  CellOutcome::Names last_;
};
inline constexpr std::size_t kLeastOutcome = 8 + 1;  // bytes

void put_diagnostic(Writer& to, const Diagnostic& diagnostic);
Diagnostic read_diagnostic(Parser& from);

}  // namespace perigee::experiments
