#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/engine/event.h"

namespace perigee {

enum class RecordKind : std::uint8_t {
  arrived, accepted, rejected, finished, missed, expired, stranded,             // work
  posted, withdrawn, started, ended, lost, cancelled, superseded,               // activity
  up, down, changed, joined, left, ignored, mark,                               // resource
  note,
};
std::string_view name_of(RecordKind kind);

enum class ActivityKind : std::uint8_t { none, compute, transfer_in, transfer_out, chunk, hold, think };
std::string_view name_of(ActivityKind kind);

// One thing that happened. An activity has one record per resource that it holds, the same serial in all.
struct Record {
  Time time = 0;
  double first = 0, size = 0;     // piece; bytes of a transfer in `size`
  WorkId work = {};
  std::uint32_t activity = 0;     // serial; 0 = none
  ResourceId on = {};
  FileId file = {};               // of a transfer; index into Trace::notes() for notes
  RecordKind kind = RecordKind::arrived;
  ActivityKind what = ActivityKind::none;
  Reason why = Reason::none;
  std::uint8_t copy = 0;          // 1 = a copy of another activity's piece
  std::int32_t cores = 0;
};

struct Note {
  Time time = 0;
  std::string name;
  std::vector<double> values;
};

// 128 bits, a sum over records: independent of their order within an instant.
struct Fingerprint {
  std::uint64_t high = 0, low = 0;
  bool operator==(const Fingerprint&) const = default;
  void add(std::uint64_t more_high, std::uint64_t more_low) {
    low += more_low;
    high += more_high + (low < more_low ? 1 : 0);
  }
  std::string text() const;  // 32 hexadecimal digits
};

// Hash of everything in a record but the activity's serial, which depends on the order of decisions.
void add_to(Fingerprint& fingerprint, const Record& record);
void add_to(Fingerprint& fingerprint, const Note& note);

enum class TraceLevel : std::uint8_t { none, work, full };

// Records in order. A copy shares the chunks that are already full.
class Trace {
 public:
  explicit Trace(TraceLevel level = TraceLevel::full) : level_(level) {}

  void add(const Record& record) {
    add_to(physical_, record);
    if (level_ == TraceLevel::none) return;
    if (level_ == TraceLevel::work && record.kind > RecordKind::stranded) return;
    store(record);
  }
  void add(Note note);

  TraceLevel level() const { return level_; }
  std::size_t size() const { return full_.size() * kChunk + open_.size(); }
  const Record& operator[](std::size_t i) const {
    return i / kChunk < full_.size() ? (*full_[i / kChunk])[i % kChunk] : open_[i % kChunk];
  }
  std::span<const Note> notes() const { return notes_; }

  // Equal for twins that decide alike, whatever they note.
  Fingerprint physical() const { return physical_; }
  // With the notes.
  Fingerprint full() const;

 private:
  static constexpr std::size_t kChunk = 4096;
  void store(const Record& record);

  TraceLevel level_;
  Fingerprint physical_, noted_;
  std::vector<std::shared_ptr<const std::vector<Record>>> full_;
  std::vector<Record> open_;
  std::vector<Note> notes_;
};

}  // namespace perigee
