// The things that a script shows, kept for a page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/session/audience.h"
#include "runtime/pages/document.h"

namespace perigee::session {

class Interpreter;

class Recorder final : public Audience {
 public:
  void began() override {
    if (on_begin_) on_begin_();
  }
  void printed(std::string_view text) override;
  void shown(pages::Item item, std::string_view text) override;
  void claimed(pages::Judgement item, std::string_view) override { shown(std::move(item), {}); }
  void warned(std::string_view line) override;
  void ran(std::uint64_t ordinal, const Outcome& outcome) override;

  // The interpreter whose script is followed; it outlives the recorder's use. To be called before the script runs.
  void on_begin(std::function<void()> call) { on_begin_ = std::move(call); }
  void follow(const Interpreter& interpreter) { interpreter_ = &interpreter; }

  // The pages's parts so far. `problem`: why the script ended early; empty = it came to its end, or is under way.
  pages::Document document(const std::string& problem = {}) const;

  const std::vector<pages::Item>& items() const { return items_; }
  // Warnings, and what was left out.
  std::vector<std::string> warnings() const;
  std::size_t runs_made() const { return runs_.size() + runs_left_out_; }

 private:
  struct Run {
    std::uint64_t ordinal = 0, seed = 0, events = 0;
    std::string policy, status, fingerprint;
    double end = 0;
  };
  pages::Table runs() const;

  const Interpreter* interpreter_ = nullptr;
  std::function<void()> on_begin_;
  std::vector<pages::Item> items_;
  std::vector<std::string> warnings_;
  std::vector<Run> runs_;
  std::string manifest_;  // of the last of them
  std::size_t bytes_ = 0, items_left_out_ = 0, warnings_left_out_ = 0, runs_left_out_ = 0;
};

// Parts of pages about a script.

// Script, how to run it again, seed, settings, version and data files.
pages::Facts facts_of(const Interpreter& interpreter);
// A word of a shell's command.
std::string shell_word(const std::string& text);
// The comment at the beginning of the script, without the lines that its readers in perigee use; empty = there is none.
std::string description_of(const Interpreter& interpreter);
// The texts of the script and its modules, folded.
std::vector<pages::Item> sources_of(const Interpreter& interpreter);
// The replay card as a file, and what to do with it.
std::vector<pages::Item> card_items(const std::string& card, const std::string& file);

}  // namespace perigee::session
