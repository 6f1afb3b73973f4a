#include "runtime/engine/trace.h"

#include <fmt/format.h>

#include <array>
#include <limits>

#include "runtime/engine/policy.h"

namespace perigee::engine {
namespace {

constexpr std::array kEvents = {"mark",    "ended",   "superseded", "lost",    "down",    "up",
                                "changed", "thought", "timer",      "arrived", "stalled", "killed",
                                "known",   "saved",   "ready",      "powered"};
constexpr std::array kRecords = {
    "arrived",   "accepted", "rejected", "finished",  "missed",    "expired",    "stranded",  "posted",
    "withdrawn", "started",  "ended",    "lost",      "cancelled", "superseded", "up",        "down",
    "changed",   "joined",   "left",     "ignored",   "mark",      "note",       "discarded", "killed",
    "saved",     "requeued", "dumping",  "suspended", "resumed",   "powered",    "recovered"};

constexpr std::uint8_t kAllKinds = 255;
constexpr auto kActivities = static_cast<std::uint8_t>(RecordKind::posted);  // the first of them

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

Trace::Trace(TraceLevel level, ClonePtr<Witness> witness, std::size_t most)
    : level_(level),
      stored_(level == TraceLevel::full || witness ? kAllKinds
              : level == TraceLevel::work          ? kActivities
                                                   : 0),
      tells_(level != TraceLevel::full && witness),
      most_(level == TraceLevel::full && witness ? most : kAll),
      witness_(std::move(witness)) {}

namespace {

// The rare parts of PackedRecords::add() stand apart, so that the rest needs no registers for them.
template <class Rows>
[[gnu::noinline, gnu::cold]] void make_room(Rows& rows) {
  rows.reserve(PackedRecords::kMost);
}
template <class Wides>
[[gnu::noinline]] std::uint32_t add_wide(Wides& wides, const Record& record) {
  wides.push_back({record.first, record.size, record.file, record.cores});
  return static_cast<std::uint32_t>(wides.size() - 1);
}

}  // namespace

inline void PackedRecords::add(const Record& record) {
  if (rows_.size() == rows_.capacity()) make_room(rows_);
  const auto bits_of = [](double value) { return std::bit_cast<std::uint64_t>(value); };
  constexpr std::uint64_t kOne = std::bit_cast<std::uint64_t>(1.0);
  const bool whole = bits_of(record.size) == kOne;
  auto number = static_cast<std::uint32_t>(record.cores);
  std::uint32_t form = whole ? kWhole : kEmpty;
  if (record.file.valid() || bits_of(record.first) != 0 || (!whole && bits_of(record.size) != 0) ||
      number >= kNumbers) {
    form = kWide;
    number = add_wide(wide_, record);
  }
  if (rows_.size() == rows_.capacity()) __builtin_unreachable();
  Row row;
  row.time = record.time;
  row.work = record.work;
  row.activity = record.activity;
  row.on = record.on;
  row.rest = static_cast<std::uint32_t>(record.kind) | static_cast<std::uint32_t>(record.what) << 5 |
             static_cast<std::uint32_t>(record.why) << 8 | std::uint32_t{record.copy} << 14 | form << 15 |
             number << 17;
  rows_.push_back(row);
}

inline void Trace::keep(const Record& record) {
  open_.add(record);
  if (open_.full()) close_chunk();
}

void Trace::close_chunk() {
  full_.push_back(std::make_shared<const PackedRecords>(std::move(open_)));
  open_ = {};
  if (full_.size() * kChunk >= most_) forget();
}

void Trace::forget() {
  for (const Note& note : notes_) witness_->take(note);
  for (const auto& chunk : full_) {
    untold_.clear();
    for (std::size_t i = 0; i < chunk->size(); ++i) untold_.push_back((*chunk)[i]);
    witness_->take(untold_);
  }
  untold_.clear();
  full_.clear();
  level_ = TraceLevel::none;
  tells_ = has_forgotten_ = true;
}

void Trace::store(Record record) {
  if (tells_)
    tell(record);
  else
    keep(record);
}

void Trace::tell(const Record& record) {
  if (untold_.empty()) untold_.reserve(kChunk);
  untold_.push_back(record);
  if (untold_.size() == kChunk) {
    witness_->take(untold_);
    untold_.clear();
  }
  if (level_ == TraceLevel::work && static_cast<std::uint8_t>(record.kind) < kActivities) keep(record);
}

void Trace::tell_all() {
  if (untold_.empty()) return;
  witness_->take(untold_);
  untold_.clear();
}

WorkId Trace::first_needed() const {
  if (level_ != TraceLevel::none) return WorkId(0);
  return witness_ ? witness_->first_needed() : WorkId(std::numeric_limits<std::uint32_t>::max());
}

void Trace::add(Note note) {
  add_to(noted_, note);
  if (tells_) witness_->take(note);
  if (level_ == TraceLevel::none && !has_forgotten_) return;
  if (level_ == TraceLevel::full) {
    Record record;
    record.time = note.time;
    record.kind = RecordKind::note;
    record.file = FileId(notes_.size());
    keep(record);
  }
  notes_.push_back(std::move(note));
}

std::size_t Trace::bytes() const {
  return open_.bytes() + untold_.size() * sizeof(Record) + (witness_ ? witness_->bytes() : 0);
}

void Trace::extend(std::shared_ptr<const model::Scenario> scenario) {
  if (witness_) witness_->extend(std::move(scenario));
}

ClonePtr<Witness> Trace::witness() const {
  if (!tells_) return {};
  ClonePtr<Witness> copy = witness_;
  copy->take(untold_);
  return copy;
}

Fingerprint Trace::full() const {
  Fingerprint sum = physical_;
  sum.add(noted_.high, noted_.low);
  return sum;
}

}  // namespace perigee::engine
