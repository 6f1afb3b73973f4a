#include "runtime/engine/trace.h"

#include <fmt/format.h>

#include <array>

#include "runtime/engine/policy.h"

namespace perigee::engine {
namespace {

constexpr std::array kEvents = {"mark",    "ended",   "superseded", "lost",    "down",   "up",
                                "changed", "thought", "timer",      "arrived", "stalled"};
constexpr std::array kRecords = {"arrived",   "accepted",   "rejected",  "finished", "missed",   "expired",
                                 "stranded",  "posted",     "withdrawn", "started",  "ended",    "lost",
                                 "cancelled", "superseded", "up",        "down",     "changed",  "joined",
                                 "left",      "ignored",    "mark",      "note",     "discarded"};

}  // namespace

std::string_view name_of(EventKind kind) { return kEvents.at(static_cast<std::size_t>(kind)); }
std::string_view name_of(RecordKind kind) { return kRecords.at(static_cast<std::size_t>(kind)); }
std::string_view name_of(Ask ask) {
  return ask == Ask::once ? "once" : ask == Ask::phases ? "phases" : "each";
}

std::string Fingerprint::text() const { return fmt::format("{:016x}{:016x}", high, low); }

void add_to(Fingerprint& fingerprint, const Note& note) {
  using detail::bits;
  std::uint64_t high = 0xA4093822299F31D0ULL ^ bits(note.time),
                low = 0x082EFA98EC4E6C89ULL ^ note.values.size();
  const auto mix = [&](std::uint64_t value) {
    const detail::Wide product =
        detail::multiply(high ^ value ^ 0x9E3779B97F4A7C15ULL, low ^ 0xD1B54A32D192ED03ULL);
    high = product.high + value * 0xBF58476D1CE4E5B9ULL;
    low = product.low ^ (high >> 29);
  };
  for (const char c : note.name) mix(static_cast<unsigned char>(c));
  mix(note.name.size());
  for (const double value : note.values) mix(bits(value));
  mix(0x452821E638D01377ULL);
  fingerprint.add(high, low);
}

void Trace::store(Record record) {
  if (open_.empty()) open_.reserve(kChunk);
  open_.push_back(record);
  if (open_.size() < kChunk) return;
  full_.push_back(std::make_shared<const std::vector<Record>>(std::move(open_)));
  open_ = {};
}

void Trace::add(Note note) {
  add_to(noted_, note);
  if (level_ == TraceLevel::none) return;
  if (level_ == TraceLevel::full) {
    Record record;
    record.time = note.time;
    record.kind = RecordKind::note;
    record.file = FileId(notes_.size());
    store(record);
  }
  notes_.push_back(std::move(note));
}

Fingerprint Trace::full() const {
  Fingerprint sum = physical_;
  sum.add(noted_.high, noted_.low);
  return sum;
}

}  // namespace perigee::engine
