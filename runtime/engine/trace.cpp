#include "runtime/engine/trace.h"

#include <fmt/format.h>

#include <array>
#include <bit>

#include "runtime/engine/policy.h"

namespace perigee {
namespace {

constexpr std::array kReasons = {"none",       "outage",     "failure",     "reservation", "membership", "change",
                                 "cancelled",  "superseded", "predecessor", "stranded",    "deadline",   "infeasible",
                                 "policy",     "late",       "head",        "succ",        "self",       "plan",
                                 "io",         "nodes",      "tasks",       "past",        "bound"};
constexpr std::array kEvents = {"mark", "ended",   "superseded", "lost",  "down",    "up",
                                "changed", "thought", "timer",      "arrived", "stalled"};
constexpr std::array kRecords = {"arrived", "accepted",  "rejected", "finished",   "missed", "expired", "stranded",
                                 "posted",  "withdrawn", "started",  "ended",      "lost",   "cancelled",
                                 "superseded", "up",     "down",     "changed",    "joined", "left",
                                 "ignored", "mark",      "note"};
constexpr std::array kActivities = {"none", "compute", "transfer_in", "transfer_out", "chunk", "hold", "think"};

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value); }

__extension__ using Wide = unsigned __int128;

struct Pair {
  std::uint64_t high, low;
};

// 64 x 64 -> 128 bits.
Pair multiply(std::uint64_t x, std::uint64_t y) {
  const Wide product = static_cast<Wide>(x) * y;
  return {static_cast<std::uint64_t>(product >> 64), static_cast<std::uint64_t>(product)};
}

}  // namespace

std::string_view name_of(Reason reason) { return kReasons.at(static_cast<std::size_t>(reason)); }
std::string_view name_of(EventKind kind) { return kEvents.at(static_cast<std::size_t>(kind)); }
std::string_view name_of(RecordKind kind) { return kRecords.at(static_cast<std::size_t>(kind)); }
std::string_view name_of(ActivityKind kind) { return kActivities.at(static_cast<std::size_t>(kind)); }
std::string_view name_of(Ask ask) {
  return ask == Ask::once ? "once" : ask == Ask::phases ? "phases" : "each";
}

std::string Fingerprint::text() const { return fmt::format("{:016x}{:016x}", high, low); }

// Three multiplications, each field entering one of them; every product is also carried past the last one, so that a
// factor that happens to be zero hides nothing.
void add_to(Fingerprint& fingerprint, const Record& record) {
  const std::uint64_t kinds = std::uint64_t{static_cast<std::uint8_t>(record.kind)} |
                              std::uint64_t{static_cast<std::uint8_t>(record.what)} << 8 |
                              std::uint64_t{static_cast<std::uint8_t>(record.why)} << 16 |
                              std::uint64_t{record.copy} << 24 |
                              std::uint64_t{static_cast<std::uint32_t>(record.cores)} << 32;
  const std::uint64_t time = bits(record.time), first = bits(record.first), size = bits(record.size);
  const std::uint64_t where = std::uint64_t{record.work.index} << 32 | record.on.packed();
  const Pair a = multiply(time ^ 0x9E3779B97F4A7C15ULL, kinds ^ 0xD1B54A32D192ED03ULL);
  const Pair b = multiply(where ^ 0x8BB84B93962EACC9ULL, first ^ 0x2D358DCCAA6C78A5ULL);
  const Pair c = multiply(a.high ^ b.low ^ size ^ 0x4B33A62ED433D4A3ULL,
                          a.low ^ b.high ^ (std::uint64_t{record.file.index} << 17) ^ 0xA0761D6478BD642FULL);
  fingerprint.add(c.high + a.low + time * 0xBF58476D1CE4E5B9ULL + where, c.low + b.low + kinds + size * 0x94D049BB133111EBULL);
}

void add_to(Fingerprint& fingerprint, const Note& note) {
  std::uint64_t high = 0xA4093822299F31D0ULL ^ bits(note.time), low = 0x082EFA98EC4E6C89ULL ^ note.values.size();
  const auto mix = [&](std::uint64_t value) {
    const Pair product = multiply(high ^ value ^ 0x9E3779B97F4A7C15ULL, low ^ 0xD1B54A32D192ED03ULL);
    high = product.high + value * 0xBF58476D1CE4E5B9ULL;
    low = product.low ^ (high >> 29);
  };
  for (const char c : note.name) mix(static_cast<unsigned char>(c));
  mix(note.name.size());
  for (const double value : note.values) mix(bits(value));
  mix(0x452821E638D01377ULL);
  fingerprint.add(high, low);
}

void Trace::store(const Record& record) {
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

}  // namespace perigee
