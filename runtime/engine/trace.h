#pragma once

#include <bit>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/engine/event.h"
#include "runtime/kernel/clone_ptr.h"

namespace perigee::model {
struct Scenario;
}

namespace perigee::engine {

enum class RecordKind : std::uint8_t {
  arrived,
  accepted,
  rejected,
  finished,
  missed,
  expired,
  stranded,  // work
  posted,
  withdrawn,
  started,
  ended,
  lost,
  cancelled,
  superseded,  // activity
  up,
  down,
  changed,
  joined,
  left,
  ignored,
  mark,  // resource
  note,
  discarded,  // a file, from a store
  killed,     // work
  saved,  // a dump of an activity is whole; `size` is the share of its work that it holds, 0: there is none any more
  requeued,  // work, which goes on from its last dump
  dumping,  // an activity begins a dump because its policy asks for it; `size` 1: its work is requeued when it is whole
  suspended,  // activity, which gives its cores back and keeps the rest
  resumed,    // the same goes on, on its cores
  powered,    // host: `first` is its Power from now on, `size` its state of speed, from 1
  recovered,  // work, which was stranded and need not be done again
};
std::string_view name_of(RecordKind kind);

// Whether the record tells of the life of a work.
constexpr bool tells_of_work(RecordKind kind) {
  return kind <= RecordKind::stranded || kind == RecordKind::killed || kind == RecordKind::requeued ||
         kind == RecordKind::recovered;
}

enum class ActivityKind : std::uint8_t {
  none,
  compute,
  transfer_in,
  transfer_out,
  chunk,
  hold,
  think,
  dump,  // of a job, on its way over a link; `first` of its records is 1 where it is read again, else 0
};
std::string_view name_of(ActivityKind kind);

// One thing that happened. An activity has one record per resource that it holds, the same serial in all.
struct Record {
  Time time = 0;
  // The piece. A transfer has its bytes in `size` and, once it has begun, 0 or 1 + the cluster it comes from in `first`.
  double first = 0, size = 0;
  WorkId work = {};
  std::uint32_t activity = 0;  // serial; 0 = none
  ResourceId on = {};
  FileId file = {};  // of a transfer; index into Trace::notes() for notes
  RecordKind kind = RecordKind::arrived;
  ActivityKind what = ActivityKind::none;
  Reason why = Reason::none;
  std::uint8_t copy = 0;  // 1 = a copy of another activity's piece
  std::int32_t cores = 0;
};

struct Note {
  Time time = 0;
  std::string name;
  std::vector<double> values;
};

// 128 bits, a sum over records. The sum does not depend on their order within an instant.
struct Fingerprint {
  std::uint64_t high = 0, low = 0;
  bool operator==(const Fingerprint&) const = default;
  void add(std::uint64_t more_high, std::uint64_t more_low) {
    low += more_low;
    high += more_high + (low < more_low ? 1 : 0);
  }
  std::string text() const;  // 32 hexadecimal digits
};

namespace detail {

inline std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value + 0.0); }  // -0 as 0

struct Wide {
  std::uint64_t high, low;
};

// 64 x 64 -> 128 bits.
inline Wide multiply(std::uint64_t x, std::uint64_t y) {
  __extension__ using Product = unsigned __int128;
  const Product product = static_cast<Product>(x) * y;
  return {static_cast<std::uint64_t>(product >> 64), static_cast<std::uint64_t>(product)};
}

}  // namespace detail

// Adds a hash of everything in a record but the activity's serial, which depends on the order of decisions.
// There are three multiplications, and each field enters one of them. Every product is also carried past the
// last multiplication, so that a factor of zero hides nothing.
[[gnu::always_inline]] inline void add_to(Fingerprint& fingerprint, const Record& record) {
  using detail::bits, detail::multiply;
  const std::uint64_t kinds = std::uint64_t{static_cast<std::uint8_t>(record.kind)} |
                              std::uint64_t{static_cast<std::uint8_t>(record.what)} << 8 |
                              std::uint64_t{static_cast<std::uint8_t>(record.why)} << 16 |
                              std::uint64_t{record.copy} << 24 |
                              std::uint64_t{static_cast<std::uint32_t>(record.cores)} << 32;
  const std::uint64_t time = bits(record.time), first = bits(record.first), size = bits(record.size);
  const std::uint64_t where = std::uint64_t{record.work.index} << 32 | record.on.packed();
  const detail::Wide a = multiply(time ^ 0x9E3779B97F4A7C15ULL, kinds ^ 0xD1B54A32D192ED03ULL);
  const detail::Wide b = multiply(where ^ 0x8BB84B93962EACC9ULL, first ^ 0x2D358DCCAA6C78A5ULL);
  const detail::Wide c =
      multiply(a.high ^ b.low ^ size ^ 0x4B33A62ED433D4A3ULL,
               a.low ^ b.high ^ (std::uint64_t{record.file.index} << 17) ^ 0xA0761D6478BD642FULL);
  fingerprint.add(c.high + a.low + time * 0xBF58476D1CE4E5B9ULL + where,
                  c.low + b.low + kinds + size * 0x94D049BB133111EBULL);
}
void add_to(Fingerprint& fingerprint, const Note& note);

enum class TraceLevel : std::uint8_t { none, work, full };

// Up to kMost records in half the room: most records tell of no more than a work, or of a whole task or job.
class PackedRecords {
 public:
  static constexpr std::uint32_t kMost = 4096;

  std::size_t size() const { return rows_.size(); }
  bool full() const { return rows_.size() == kMost; }
  std::size_t bytes() const { return rows_.size() * sizeof(Row) + wide_.size() * sizeof(Wide); }
  inline void add(const Record& record);  // unless full
  Record operator[](std::size_t i) const;

 private:
  // Bits of Row::rest: kind 5, what 3, why 6, copy 1, form 2, number 15.
  enum Form : std::uint32_t { kEmpty, kWhole, kWide };  // `first` and `size` are 0; 0 and 1; in a Wide
  static constexpr std::uint32_t kNumbers = 1U << 15;
  struct Row {
    Time time;
    WorkId work;
    std::uint32_t activity;
    ResourceId on;
    std::uint32_t rest;  // its number: cores, or the place of the Wide
  };
  struct Wide {
    double first, size;
    FileId file;
    std::int32_t cores;
  };
  static_assert(sizeof(Row) == 24 && kMost <= kNumbers && kMostReasons <= 64);

  std::vector<Row> rows_;
  std::vector<Wide> wide_;
};

inline Record PackedRecords::operator[](std::size_t i) const {
  const Row& row = rows_[i];
  Record record;
  record.time = row.time;
  record.work = row.work;
  record.activity = row.activity;
  record.on = row.on;
  record.kind = static_cast<RecordKind>(row.rest & 31);
  record.what = static_cast<ActivityKind>(row.rest >> 5 & 7);
  record.why = static_cast<Reason>(row.rest >> 8 & 63);
  record.copy = row.rest >> 14 & 1;
  const std::uint32_t form = row.rest >> 15 & 3, number = row.rest >> 17;
  if (form == kWide) {
    const Wide& wide = wide_[number];
    record.first = wide.first;
    record.size = wide.size;
    record.file = wide.file;
    record.cores = wide.cores;
  } else {
    record.size = form == kWhole ? 1 : 0;
    record.cores = static_cast<std::int32_t>(number);
  }
  return record;
}

// Is told of everything that happens in a run that does not keep its whole trace. A value behind one pointer.
class Witness {
 public:
  virtual ~Witness() = default;
  virtual std::unique_ptr<Witness> clone() const = 0;
  // All records, in order, some at a time.
  virtual void take(std::span<const Record> records) = 0;
  virtual void take(const Note& note) = 0;
  // The scenario has more works from now on.
  virtual void extend(std::shared_ptr<const model::Scenario> scenario) = 0;
  // It asks the scenario for no work before this one again.
  virtual WorkId first_needed() const = 0;
  virtual std::size_t bytes() const = 0;
};

// Records in order. A copy shares the chunks that are already full.
class Trace {
 public:
  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

  // At level `full` the witness is told nothing until there are `most` records. Then it is told all, they are
  // forgotten, and the level is `none`. Notes stay.
  explicit Trace(TraceLevel level = TraceLevel::full, ClonePtr<Witness> witness = {},
                 std::size_t most = kAll);

  [[gnu::always_inline]] inline void add(const Record& record) {
    add_to(physical_, record);
    if (static_cast<std::uint8_t>(record.kind) < stored_ ||
        (record.kind >= RecordKind::killed && tells_of_work(record.kind) && stored_ > 0))
      store(record);
  }
  void add(Note note);

  TraceLevel level() const { return level_; }
  std::size_t size() const { return full_.size() * kChunk + open_.size(); }
  Record operator[](std::size_t i) const {
    return i / kChunk < full_.size() ? (*full_[i / kChunk])[i % kChunk] : open_[i % kChunk];
  }
  // Record i of both is the very same, in memory that they share. So are those before it.
  bool shares(const Trace& other, std::size_t i) const {
    const std::size_t chunk = i / kChunk;
    return chunk < full_.size() && chunk < other.full_.size() && full_[chunk] == other.full_[chunk];
  }
  std::span<const Note> notes() const { return notes_; }
  std::size_t bytes() const;  // that copies do not share, but notes
  void extend(std::shared_ptr<const model::Scenario> scenario);
  bool has_forgotten() const { return has_forgotten_; }
  // Tells the witness what it has not been told yet, so that it needs older works no more than it says.
  void tell_all();
  // The first work that the witness still needs; all of them once the level is not `none`.
  WorkId first_needed() const;
  // A copy of the witness, who has been told everything; null if there is none or the trace is whole.
  ClonePtr<Witness> witness() const;

  // Equal for twins that decide alike, whatever notes they write.
  Fingerprint physical() const { return physical_; }
  // With the notes.
  Fingerprint full() const;

 private:
  static constexpr std::size_t kChunk = PackedRecords::kMost;
  void store(Record record);  // by value: only then is a record made when it is not only hashed
  inline void keep(const Record& record);
  void close_chunk();
  void forget();
  void tell(const Record& record);

  TraceLevel level_;
  std::uint8_t stored_;  // kinds of records below this one are kept, or told
  bool tells_;           // the witness, everything
  bool has_forgotten_ = false;
  std::size_t most_;
  ClonePtr<Witness> witness_;
  std::vector<Record> untold_;
  Fingerprint physical_, noted_;
  std::vector<std::shared_ptr<const PackedRecords>> full_;
  PackedRecords open_;
  std::vector<Note> notes_;
};

}  // namespace perigee::engine
