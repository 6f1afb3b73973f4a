#include "runtime/model/readers/scheduler_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <pugixml.hpp>
#include <utility>

#include "runtime/kernel/error.h"
#include "runtime/kernel/quantity.h"
#include "runtime/model/readers/json_text.h"
#include "runtime/model/readers/lines.h"
#include "runtime/model/readers/xml_text.h"

namespace perigee::readers {
namespace {

using Value = SchedulerListEntry::Value;

constexpr double kMostRounds = 100000;

enum class Takes : std::uint8_t { rounds, sine, nothing };

struct KnownScheduler {
  std::string_view name;
  std::array<std::string_view, 2> aliases;
  std::string_view scheduler;
  Takes takes;
  std::string_view options;  // elements beside the above
};
// The thesis names AMRA, ImprovedSSSEScheduler and CalibratedScheduler; perigee adds the other names.
constexpr KnownScheduler kKnown[] = {
    {"AMRS", {"SyncIterativeScheduler", ""}, "amrs", Takes::rounds, "Alpha Adaptive"},
    {"AMRA", {"AsyncIterativeScheduler", ""}, "amra", Takes::rounds, "Alpha Adaptive"},
    {"SAMRA",
     {"SmartAsyncIterativeScheduler", "P-AMRA"},
     "samra",
     Takes::rounds,
     "Alpha Adaptive Threshold Units"},
    {"SSSEScheduler",
     {"SSSE-AMRA", "SlowStartSlowEndAsyncIterativeScheduler"},
     "ssse_amra",
     Takes::sine,
     "Alpha Adaptive Threshold Units"},
    {"ImprovedSSSEScheduler",
     {"ISSSE-AMRA", "ImprovedSlowStartSlowEndAsyncIterativeScheduler"},
     "issse_amra",
     Takes::sine,
     "Alpha Adaptive Threshold Units"},
    {"CalibratedScheduler", {"", ""}, "calibrated", Takes::nothing, "Calibration Installments"},
};

constexpr std::string_view kElements[] = {"NumRounds", "Peak",      "KValue", "MValue",      "Alpha",
                                          "Adaptive",  "Threshold", "Units",  "Calibration", "Installments"};

class ListReader {
 public:
  ListReader(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  SchedulerList read() {
    if (const std::size_t zero = text_.text().find('\0'); zero != std::string_view::npos)
      syntax(zero, "a zero byte");
    if (!readers::is_utf8(text_.text())) syntax(0, "the text is not UTF-8");
    // The document is read with text and document type at the top level, so that both can be refused.
    const pugi::xml_parse_result result = document_.load_buffer(
        text_.text().data(), text_.text().size(),
        pugi::parse_default | pugi::parse_doctype | pugi::parse_fragment, pugi::encoding_utf8);
    if (!result)
      syntax(static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, result.offset)), result.description());
    pugi::xml_node root;
    for (const pugi::xml_node node : document_) {
      if (node.type() == pugi::node_doctype)
        fail(node, "xml_doctype", "a document type is not read, for it may define entities");
      if (node.type() != pugi::node_element) fail(node, "xml_syntax", "text outside of the root element");
      if (root) fail(node, "xml_syntax", "<{}> follows the root element", shown(node.name()));
      root = node;
    }
    if (!root) syntax(0, "there is no element");
    if (std::string_view(root.name()) != "SchedulerList")
      fail(root, "xml_structure", "the root must be <SchedulerList>, got <{}>", shown(root.name()));
    for (const pugi::xml_node node : elements(root, "SchedulerList")) {
      if (std::string_view(node.name()) != "Scheduler")
        fail(node, "xml_structure", "<{}> does not belong into <SchedulerList>, only <Scheduler> does",
             shown(node.name()));
      add(node);
    }
    if (out_.entries.empty()) fail(root, "empty_list", "the list has no scheduler");
    return std::move(out_);
  }

 private:
  // Raises a syntax error at the place `at` of the text.
  [[noreturn]] void syntax(std::size_t at, std::string_view what) const {
    fail_at({name_, text_.line_of(at)}, "xml_syntax", "column {}: {} (xml-syntax)", text_.column_of(at),
            what);
  }

  // The short code in the message is `code` with hyphens.
  template <class... Args>
  [[noreturn]] void fail(pugi::xml_node at, std::string_view code, fmt::format_string<Args...> format,
                         Args&&... args) const {
    std::string alias(code);
    std::ranges::replace(alias, '_', '-');
    raise(at, code, alias, fmt::format(format, std::forward<Args>(args)...));
  }
  [[noreturn]] void raise(pugi::xml_node at, std::string_view code, std::string_view alias,
                          const std::string& message) const {
    fail_at({name_, text_.line_of(at)}, code, "{} ({})", message, alias);
  }

  // The child elements of `parent`. Attributes and text in it are errors.
  std::vector<pugi::xml_node> elements(pugi::xml_node parent, std::string_view what) const {
    if (const pugi::xml_attribute attribute = parent.first_attribute())
      fail(parent, "xml_structure", "<{}> has no attributes, got {}", what, shown(attribute.name()));
    std::vector<pugi::xml_node> all;
    for (const pugi::xml_node node : parent) {
      if (node.type() != pugi::node_element)
        fail(node, "xml_structure", "<{}> has no text of its own, got '{}'", what,
             shown(trimmed(node.value())));
      all.push_back(node);
    }
    return all;
  }

  std::string text_of(pugi::xml_node node) const {
    if (node.first_attribute())
      fail(node, "xml_structure", "<{}> has no attributes, got {}", node.name(),
           shown(node.first_attribute().name()));
    std::string text;
    for (const pugi::xml_node part : node) {
      if (part.type() == pugi::node_element)
        fail(part, "xml_structure", "<{}> does not belong into <{}>", shown(part.name()), node.name());
      text += part.value();
    }
    return std::string(trimmed(text));
  }

  double number_of(pugi::xml_node node) const {
    const std::string text = text_of(node);
    const double value = readers::number_of(text);
    if (std::isnan(value))
      fail(node, "bad_number", "{} must be a number, got '{}'", node.name(), shown(text));
    return value;
  }

  double whole_of(pugi::xml_node node, std::string_view alias) const {
    const double value = number_of(node);
    if (!(value >= 1 && value <= kMostRounds) || value != std::floor(value))
      raise(node, "bad_parameter", alias,
            fmt::format("{} must be a whole number, 1 to {}, got {}", node.name(), kMostRounds, value));
    return value;
  }

  std::string one_of(pugi::xml_node node, std::initializer_list<std::string_view> choices) const {
    const std::string text = text_of(node);
    if (std::ranges::find(choices, text) == choices.end())
      fail(node, "bad_parameter", "{} must be {}, got '{}'", node.name(), fmt::join(choices, " or "),
           shown(text));
    return text;
  }

  // Sets an option that holds for all entries of its scheduler.
  void set_option(pugi::xml_node node, std::map<std::string, Value>& given) const {
    const std::string_view name = node.name();
    const auto set = [&](const char* parameter, Value value) {
      if (!given.emplace(parameter, std::move(value)).second)
        fail(node, "xml_structure", "<{}> is there twice", name);
    };
    if (name == "Threshold") {
      const double value = number_of(node);
      if (!(value >= 0 && value < 1))
        raise(node, "bad_parameter", "bad-threshold",
              fmt::format("Threshold must be >= 0 and < 1, got {}", value));
      set("threshold", value);
    } else if (name == "Alpha") {
      const std::string text = text_of(node);
      if (text == "1/round") return set("alpha", text);
      const double value = number_of(node);
      if (!(value > 0 && value <= 1))
        raise(node, "bad_parameter", "bad-alpha",
              fmt::format("Alpha must be > 0 and <= 1, or 1/round, got {}", value));
      set("alpha", value);
    } else if (name == "Adaptive") {
      set("adaptive", one_of(node, {"true", "false"}) == "true");
    } else if (name == "Units") {
      const std::string units = one_of(node, {"thesis", "gcd", "parallel", "none"});
      set("units", units == "thesis" ? "published" : units);
    } else if (name == "Calibration") {
      set("mode", one_of(node, {"times", "univariate", "multivariate"}));
    } else {
      set("single", one_of(node, {"single", "multi"}) == "single");
    }
  }

  // The contents of a <Scheduler>. Settings that are listed stand in their order.
  struct Given {
    pugi::xml_node element;
    std::string name;
    const KnownScheduler* known = nullptr;
    std::map<std::string, Value> common;  // to all its entries
    std::vector<pugi::xml_node> rounds, peaks, ks, ms;
  };

  void add(pugi::xml_node scheduler) {
    const Given given = read(scheduler);
    switch (given.known->takes) {
      case Takes::nothing:
        return add_entry(given, "", {});
      case Takes::rounds:
        return add_for_rounds(given);
      case Takes::sine:
        return add_for_triples(given);
    }
  }

  Given read(pugi::xml_node scheduler) {
    pugi::xml_node name, set;
    std::vector<pugi::xml_node> rest;
    for (const pugi::xml_node node : elements(scheduler, "Scheduler")) {
      const std::string_view element = node.name();
      if (element == "Name" || element == "ParameterSet") {
        pugi::xml_node& place = element == "Name" ? name : set;
        if (place) fail(node, "xml_structure", "<{}> is there twice", element);
        place = node;
      } else {
        rest.push_back(node);
      }
    }
    Given given;
    given.element = scheduler;
    given.name = name ? text_of(name) : "";
    if (given.name.empty()) fail(name ? name : scheduler, "missing_name", "a scheduler has no Name");
    given.known = &find(name, given.name);
    if (set)
      for (const pugi::xml_node node : elements(set, "ParameterSet")) rest.push_back(node);
    for (const pugi::xml_node node : rest) read_parameter(node, given);
    return given;
  }

  void read_parameter(pugi::xml_node node, Given& given) {
    const std::string_view element = node.name();
    if (std::ranges::find(kElements, element) == std::end(kElements))
      fail(node, "xml_structure", "<{}> does not belong into a scheduler's parameters{}", shown(element),
           did_you_mean(element, std::span<const std::string_view>(kElements)));
    const Takes takes = given.known->takes;
    if (takes == Takes::rounds && element == "NumRounds")
      given.rounds.push_back(node);
    else if (takes == Takes::sine && element == "Peak")
      given.peaks.push_back(node);
    else if (takes == Takes::sine && element == "KValue")
      given.ks.push_back(node);
    else if (takes == Takes::sine && element == "MValue")
      given.ms.push_back(node);
    else if (place_of_word(given.known->options, element))
      set_option(node, given.common);
    else
      fail(node, "unexpected_parameter", "{} has no parameter {}", given.name, element);
  }

  // `values` tell it from the other entries of the same <Scheduler>.
  void add_entry(const Given& given, const std::string& values, std::map<std::string, Value> own) {
    own.insert(given.common.begin(), given.common.end());
    out_.entries.push_back({values.empty() ? given.name : fmt::format("{}-{}", given.name, values),
                            std::string(given.known->scheduler), std::move(own),
                            text_.line_of(given.element)});
    note_twin();
  }

  void add_for_rounds(const Given& given) {
    if (given.rounds.empty()) fail(given.element, "missing_parameter", "{} needs a NumRounds", given.name);
    for (const pugi::xml_node node : given.rounds) {
      const double value = whole_of(node, "bad-rounds");
      add_entry(given, format_number(value), {{"rounds", value}});
    }
  }

  void add_for_triples(const Given& given) {
    const auto &peaks = given.peaks, &ks = given.ks, &ms = given.ms;
    if (peaks.empty() && ks.empty() && ms.empty())
      fail(given.element, "missing_parameter", "{} needs Peak, KValue and MValue", given.name);
    if (peaks.size() != ks.size() || ks.size() != ms.size())
      fail(given.element, "incomplete_triple", "{}: {} Peak, {} KValue and {} MValue do not make triples",
           given.name, peaks.size(), ks.size(), ms.size());
    for (std::size_t i = 0; i < peaks.size(); ++i) {
      const double peak = whole_of(peaks[i], "bad-ssse"), k = whole_of(ks[i], "bad-ssse");
      if (k < peak)
        raise(ks[i], "bad_parameter", "bad-ssse",
              fmt::format("KValue must be >= Peak = {}, got {}", peak, k));
      Value m = text_of(ms[i]);
      if (m != Value("auto")) {
        m = number_of(ms[i]);
        if (!(std::get<double>(m) > 0))
          raise(ms[i], "bad_parameter", "bad-ssse",
                fmt::format("MValue must be > 0 or auto, got {}", std::get<double>(m)));
      }
      const std::string shown_m =
          std::holds_alternative<double>(m) ? format_number(std::get<double>(m)) : "auto";
      add_entry(given, fmt::format("{}/{}/{}", peak, k, shown_m), {{"peak", peak}, {"k", k}, {"m", m}});
    }
  }

  const KnownScheduler& find(pugi::xml_node node, const std::string& name) const {
    std::vector<std::string> names;
    for (const KnownScheduler& known : kKnown) {
      if (known.name == name) return known;
      names.emplace_back(known.name);
      for (const std::string_view alias : known.aliases) {
        if (alias.empty()) continue;
        if (alias == name) return known;
        names.emplace_back(alias);
      }
    }
    fail(node, "unknown_scheduler", "unknown scheduler '{}'{}", shown(name), did_you_mean(name, names));
  }

  // Notes the last entry as a duplicate if an earlier one is like it.
  void note_twin() {
    const SchedulerListEntry& last = out_.entries.back();
    const auto [first, is_new] = lines_of_.try_emplace({last.scheduler, last.parameters}, last.line);
    if (!is_new) out_.duplicates.push_back({last.label, last.line, first->second});
  }

  XmlText text_;
  std::string name_;
  pugi::xml_document document_;
  SchedulerList out_;
  std::map<std::pair<std::string, std::map<std::string, Value>>, int> lines_of_;  // of entries
};

}  // namespace

SchedulerList parse_scheduler_list(std::string_view text, std::string_view name) {
  return ListReader(text, name).read();
}

SchedulerList read_scheduler_list(const std::filesystem::path& path) {
  return parse_scheduler_list(readers::Lines::whole(path, kLargestSchedulerList), path.string());
}

}  // namespace perigee::readers
