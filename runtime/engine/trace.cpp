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

// One round of 64 x 64 -> 128 bit multiplication, both halves kept.
struct Mixer {
  std::uint64_t a, b;
  void mix(std::uint64_t x, std::uint64_t y) {
    const auto product = static_cast<Wide>(a ^ x ^ 0x9E3779B97F4A7C15ULL) *
                         (b ^ y ^ 0xD1B54A32D192ED03ULL);
    a = static_cast<std::uint64_t>(product >> 64) + (y ^ 0x94D049BB133111EBULL);
    b = static_cast<std::uint64_t>(product) ^ (x * 0xBF58476D1CE4E5B9ULL);
  }
};

}  // namespace

std::string_view name_of(Reason reason) { return kReasons.at(static_cast<std::size_t>(reason)); }
std::string_view name_of(EventKind kind) { return kEvents.at(static_cast<std::size_t>(kind)); }
std::string_view name_of(RecordKind kind) { return kRecords.at(static_cast<std::size_t>(kind)); }
std::string_view name_of(ActivityKind kind) { return kActivities.at(static_cast<std::size_t>(kind)); }
std::string_view name_of(Ask ask) {
  return ask == Ask::once ? "once" : ask == Ask::phases ? "phases" : "each";
}

std::string Fingerprint::text() const { return fmt::format("{:016x}{:016x}", high, low); }

void add_to(Fingerprint& fingerprint, const Record& record) {
  Mixer mixer{0x243F6A8885A308D3ULL, 0x13198A2E03707344ULL};
  const std::uint64_t kinds = std::uint64_t{static_cast<std::uint8_t>(record.kind)} |
                              std::uint64_t{static_cast<std::uint8_t>(record.what)} << 8 |
                              std::uint64_t{static_cast<std::uint8_t>(record.why)} << 16 |
                              std::uint64_t{record.copy} << 24 |
                              std::uint64_t{static_cast<std::uint32_t>(record.cores)} << 32;
  mixer.mix(bits(record.time), kinds);
  mixer.mix(std::uint64_t{record.work.index} << 32 | record.on.packed(),
            bits(record.first) ^ (std::uint64_t{record.file.index} << 32));
  mixer.mix(bits(record.size), 0);
  mixer.mix(0x452821E638D01377ULL, 0xBE5466CF34E90C6CULL);
  fingerprint.add(mixer.a, mixer.b);
}

void add_to(Fingerprint& fingerprint, const Note& note) {
  Mixer mixer{0xA4093822299F31D0ULL, 0x082EFA98EC4E6C89ULL};
  mixer.mix(bits(note.time), note.values.size());
  for (const char c : note.name) mixer.mix(static_cast<unsigned char>(c), 1);
  for (const double value : note.values) mixer.mix(bits(value), 2);
  mixer.mix(0x452821E638D01377ULL, 0xBE5466CF34E90C6CULL);
  fingerprint.add(mixer.a, mixer.b);
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
