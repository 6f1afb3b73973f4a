#include "runtime/pages/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "runtime/kernel/error.h"
#include "runtime/pages/assets.h"

namespace perigee::pages {
namespace {

constexpr std::size_t kRowsShown = 200;  // of a table; the rest is shown on demand

nlohmann::json json_of_document(const Cell& cell) {
  if (const double* number = std::get_if<double>(&cell)) {
    if (std::isfinite(*number)) {
      constexpr double kExact = 9007199254740992;  // 2^53
      if (*number == std::floor(*number) && std::fabs(*number) <= kExact)
        return static_cast<std::int64_t>(*number);
      return *number;
    }
    return {{"n", std::isnan(*number) ? "nan" : *number > 0 ? "inf" : "-inf"}};
  }
  if (const auto* text = std::get_if<std::string>(&cell)) return printable(*text, "\n");
  if (const bool* flag = std::get_if<bool>(&cell)) return *flag;
  return nullptr;
}

std::string text_of(const Cell& cell) {
  if (const double* number = std::get_if<double>(&cell))
    return std::isnan(*number) ? "–" : results::short_number(*number);
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const bool* flag = std::get_if<bool>(&cell)) return *flag ? "yes" : "no";
  return "–";
}

// Columns of numbers, in which absent cells may stand.
std::vector<bool> numeric_columns(const Table& table) {
  std::vector<bool> numeric(table.columns.size(), false);
  for (std::size_t c = 0; c < numeric.size(); ++c) {
    bool any = false, all = true;
    for (const auto& row : table.rows) {
      if (c >= row.size() || std::holds_alternative<std::monostate>(row[c])) continue;
      any = true;
      all = all && std::holds_alternative<double>(row[c]);
    }
    numeric[c] = any && all;
  }
  return numeric;
}

std::string head_of(const Table& table, std::size_t column) {
  const bool has_unit = column < table.units.size() && !table.units[column].empty();
  return html_text(table.columns[column]) +
         (has_unit ? fmt::format(" <span class=\"unit\">{}</span>", html_text(table.units[column])) : "");
}

std::string_view class_of(Tone tone) {
  constexpr std::array<std::string_view, 6> kNames = {"plain", "good", "bad", "unsure", "flawed", "asked"};
  return kNames[static_cast<std::size_t>(tone)];
}

// A word that judges.
std::string toned(const std::string& html, Tone tone) {
  return fmt::format("<span class=\"verdict {}\">{}</span>", class_of(tone), html);
}

std::string link_to(const std::string& id, const std::string& html) {
  return id.empty() ? html : fmt::format("<a href=\"#{}\">{}</a>", html_text(id), html);
}

// `item` has links and tones; null = none.
std::string rows_of(const Table& table, std::size_t most, const std::set<std::size_t>& marked,
                    const TableItem* item = nullptr) {
  const std::vector<bool> numeric = numeric_columns(table);
  std::string out = "<table><thead><tr>";
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    out += fmt::format("<th scope=\"col\"{}>{}</th>", numeric[c] ? " class=\"n\"" : "", head_of(table, c));
  out += "</tr></thead><tbody>\n";
  for (std::size_t r = 0; r < std::min(most, table.rows.size()); ++r) {
    out += "<tr>";
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const bool best = marked.contains(r * table.columns.size() + c);
      std::string text = html_text(c < table.rows[r].size() ? text_of(table.rows[r][c]) : "–");
      if (item != nullptr && c == item->toned_column && r < item->tones.size())
        text = toned(text, item->tones[r]);
      if (item != nullptr && c == 0 && r < item->links.size()) text = link_to(item->links[r], text);
      out += fmt::format("<td{}>{}{}</td>", numeric[c] ? best ? " class=\"n best\"" : " class=\"n\"" : "",
                         text, best ? "*" : "");
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table>";
}

class Page {
 public:
  explicit Page(const Document& document) : document_(document) {}

  std::string html(std::size_t most) {
    std::string body;
    for (std::size_t s = 0; s < document_.sections.size(); ++s) {
      const Section& section = document_.sections[s];
      const std::size_t before = body.size() + data_.size();
      body += fmt::format("<section id=\"{}\">\n", html_text(id_of(s)));
      if (!section.title.empty()) body += fmt::format("<h2>{}</h2>\n", html_text(section.title));
      if (!section.beside.empty()) body += "<div class=\"beside\">\n<div>\n";
      for (const Item& item : section.items) std::visit([&](const auto& each) { add(body, each); }, item);
      if (!section.beside.empty()) body += "</div>\n<div>\n";
      for (const Item& item : section.beside) std::visit([&](const auto& each) { add(body, each); }, item);
      if (!section.beside.empty()) body += "</div>\n</div>\n";
      body += "</section>\n";
      sizes_.emplace_back(section.title, body.size() + data_.size() - before);
    }
    const std::string style(page_style()), script(page_script());
    std::string out = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" "
        "content=\"default-src 'none'; script-src '{}'; style-src '{}'; img-src data: blob:; base-uri 'none'; form-action "
        "'none'\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n{}\">\n<title>{}</title>\n<style>",
        hash_source(script), hash_source(style), kGenerator, html_text(document_.title));
    out += style + "</style>\n</head>\n<body>\n<header>\n";
    out += fmt::format("<h1>{}</h1>\n", html_text(document_.title));
    if (!document_.made_by.empty())
      out += fmt::format("<p class=\"made\">{}</p>\n", html_text(document_.made_by));
    out += contents() + "</header>\n<main>\n" + body + "</main>\n" + data_ + "<script>" + script +
           "</script>\n</body>\n</html>\n";
    if (out.size() > most) fail("too_large", "{}", too_large(out.size(), most));
    return out;
  }

 private:
  std::string id_of(std::size_t section) const {
    const std::string& id = document_.sections[section].id;
    return id.empty() ? fmt::format("s{}", section + 1) : id;
  }

  std::string contents() const {
    std::string out;
    std::size_t titles = 0;
    for (std::size_t s = 0; s < document_.sections.size(); ++s) {
      if (document_.sections[s].title.empty() || !document_.sections[s].listed) continue;
      ++titles;
      out += fmt::format("<li>{}</li>", link_to(id_of(s), html_text(document_.sections[s].title)));
    }
    return titles > 1 ? "<nav aria-label=\"contents\"><ul>" + out + "</ul></nav>\n" : "";
  }

  std::string too_large(std::size_t size, std::size_t most) const {
    auto parts = sizes_;
    std::ranges::stable_sort(parts, [](const auto& a, const auto& b) { return a.second > b.second; });
    constexpr std::size_t kNamed = 3;
    parts.resize(std::min(parts.size(), kNamed));
    std::vector<std::string> named;
    for (const auto& [title, bytes] : parts)
      named.push_back(fmt::format("'{}' ({:.1f} MB)", printable(title), static_cast<double>(bytes) / 1e6));
    return fmt::format(
        "the page would have {:.1f} MB, more than {:.1f} MB; its largest parts are {}; leave out some of it",
        static_cast<double>(size) / 1e6, static_cast<double>(most) / 1e6, fmt::join(named, ", "));
  }

  // Puts data into an element of its own, and returns its id.
  std::string put(char kind, const nlohmann::json& json) {
    return put(kind, json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  }
  std::string put(char kind, const std::string& json) {
    std::string id = fmt::format("data-{}{}", kind, ++count_);
    data_ +=
        fmt::format("<script type=\"application/json\" id=\"{}\">", id) + in_element(json) + "</script>\n";
    return id;
  }

  static void add(std::string& out, const Text& item) {
    std::string_view text = item.text;
    while (text.starts_with('\n')) text.remove_prefix(1);
    while (text.ends_with('\n')) text.remove_suffix(1);
    if (!text.empty()) out += fmt::format("<pre class=\"text\">{}</pre>\n", html_text(text));
  }
  static void add(std::string& out, const Prose& item) {
    out += fmt::format("<p>{}</p>\n", html_text(item.text));
  }
  static void add(std::string& out, const Warnings& item) {
    out += "<ul class=\"warnings\">\n";
    for (const std::string& line : item.lines) out += fmt::format("<li>{}</li>\n", html_text(line));
    out += "</ul>\n";
  }
  static void add(std::string& out, const Facts& item) {
    out += "<dl class=\"facts\">\n";
    for (const auto& [name, value] : item.rows)
      out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", html_text(name), html_text(value));
    out += "</dl>\n";
  }
  static void add(std::string& out, const Source& item) {
    out += fmt::format("<details><summary>{}</summary><pre class=\"code\">{}</pre></details>\n",
                       html_text(item.name), html_text(item.text));
  }
  void add(std::string& out, const Download& item) {
    const std::string id = put('d', nlohmann::json{{"name", printable(item.name)}, {"text", item.text}});
    out += fmt::format("<p class=\"download\" data-source=\"{}\">{}</p>\n", id, html_text(item.label));
  }

  // A long text of parts between semicolons is a list.
  static std::string found_of(std::string_view text) {
    constexpr std::size_t kShort = 120;
    if (text.size() <= kShort || text.find("; ") == std::string_view::npos)
      return fmt::format("<p class=\"found\">{}</p>\n", html_text(text));
    std::string out = "<ul class=\"found\">\n";
    while (!text.empty()) {
      const std::size_t end = std::min(text.find("; "), text.size());
      out += fmt::format("<li>{}</li>\n", html_text(text.substr(0, end)));
      text.remove_prefix(std::min(end + 2, text.size()));
    }
    return out + "</ul>\n";
  }

  static void add(std::string& out, const Judgement& item) {
    out += item.id.empty() ? "<article class=\"judgement\">\n"
                           : fmt::format("<article class=\"judgement\" id=\"{}\">\n", html_text(item.id));
    const std::string number = link_to(item.id, html_text(item.number));
    out += fmt::format("<div><p class=\"label\">{}{}{}{}{}</p>\n<blockquote>{}</blockquote></div>\n",
                       item.number.empty() ? "" : number, item.number.empty() ? "" : " · ",
                       item.ours ? "Ours" : "Published", item.place.empty() ? "" : ": ",
                       html_text(item.place), html_text(item.says));
    out += fmt::format("<div><p class=\"label\">Found here</p>\n<p>{}{}</p>\n",
                       toned(html_text(item.verdict), item.tone), html_text(item.aside));
    if (!item.found.empty()) out += found_of(item.found);
    for (const auto& [name, text] : item.remarks)
      out += fmt::format("<p class=\"remark\"><b>{}</b> {}</p>\n", html_text(name), html_text(text));
    if (!item.source.empty())
      out += fmt::format("<p class=\"remark\"><b>by</b> {}</p>\n",
                         link_to(item.source_id, html_text(item.source)));
    out += "</div>\n</article>\n";
  }

  void add(std::string& out, const TableItem& item) {
    if (item.folded) out += fmt::format("<details><summary>{}</summary>\n", html_text(item.title));
    add_table(out, item, !item.folded);
    if (item.folded) out += "</details>\n";
  }

  void add_table(std::string& out, const TableItem& item, bool captioned) {
    const Table& table = item.table;
    const std::size_t kept = std::min(table.rows.size(), kMostTableRows), left_out = table.rows.size() - kept;
    std::set<std::size_t> marked(item.marked.begin(), item.marked.end());
    marked.erase(marked.lower_bound(kept * table.columns.size()), marked.end());
    nlohmann::json rows = nlohmann::json::array(), best = nlohmann::json::array(),
                   columns = nlohmann::json::array(), units = nlohmann::json::array();
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      columns.push_back(printable(table.columns[c]));
      units.push_back(c < table.units.size() ? printable(table.units[c]) : "");
    }
    for (std::size_t r = 0; r < kept; ++r) {
      nlohmann::json row = nlohmann::json::array();
      for (std::size_t c = 0; c < table.columns.size(); ++c)
        row.push_back(c < table.rows[r].size() ? json_of_document(table.rows[r][c]) : nlohmann::json());
      rows.push_back(std::move(row));
    }
    for (const std::size_t cell : marked)
      best.push_back({cell / table.columns.size(), cell % table.columns.size()});
    nlohmann::json tones = nlohmann::json::array();
    for (std::size_t r = 0; r < std::min(kept, item.tones.size()); ++r)
      tones.push_back(class_of(item.tones[r]));
    nlohmann::json links = nlohmann::json::array();
    for (std::size_t r = 0; r < std::min(kept, item.links.size()); ++r)
      links.push_back(printable(item.links[r]));
    nlohmann::json json = {{"columns", std::move(columns)},
                           {"units", std::move(units)},
                           {"numeric", numeric_columns(table)},
                           {"rows", std::move(rows)},
                           {"best", std::move(best)},
                           {"file", printable(item.file.empty() ? "table" : item.file) + ".csv"},
                           {"left_out", left_out},
                           {"shown", kRowsShown}};
    if (!links.empty()) json["links"] = std::move(links);
    if (!tones.empty()) json["tones"] = {{"column", item.toned_column}, {"of", std::move(tones)}};
    const std::string id = put('t', json);
    const std::string title = html_text(item.title);
    out += fmt::format("<figure class=\"table\" data-source=\"{}\">", id);
    std::string caption = captioned ? title : "";
    if (left_out > 0)
      caption += fmt::format("{}{} of {} rows; the others are not in this page", caption.empty() ? "" : ": ",
                             kept, table.rows.size());
    if (!caption.empty()) out += fmt::format("<figcaption>{}</figcaption>", caption);
    out += fmt::format(
        "\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">{}</div></figure>\n",
        title.empty() ? "table" : title, rows_of(table, kRowsShown, marked, &item));
  }

  void add(std::string& out, const FigureItem& item) {
    const std::string title = item.title.empty() ? item.file : item.title;
    const std::string id =
        put('f', nlohmann::json{{"file", printable(item.file.empty() ? "figure" : item.file)}});
    out += fmt::format(
        "<figure class=\"plot\" data-source=\"{}\"><figcaption>{}</figcaption>\n<div class=\"scroll\">", id,
        html_text(title));
    out += item.svg + "</div>\n<details><summary>numbers of this figure</summary>\n";
    add_table(out, {title, item.file, item.numbers}, false);
    out += "</details></figure>\n";
  }

  void add(std::string& out, const ChartItem& item) {
    const std::string id = put('c', item.data);
    out += fmt::format(
        "<figure class=\"chart\" data-source=\"{}\"><figcaption>{}</figcaption>\n<div class=\"chart-place\"><p>This chart is "
        "drawn by a script, which this browser does not run.</p></div></figure>\n",
        id, html_text(item.title));
  }

  const Document& document_;
  std::string data_;
  std::size_t count_ = 0;
  std::vector<std::pair<std::string, std::size_t>> sizes_;  // of the sections
};

}  // namespace

std::string page_of(const Document& document, std::size_t most) { return Page(document).html(most); }

std::string fragment_of(const Item& item) {
  if (const auto* table = std::get_if<TableItem>(&item)) {
    std::string out = rows_of(table->table, kRowsShown, {table->marked.begin(), table->marked.end()});
    if (table->table.rows.size() > kRowsShown)
      out += fmt::format("<p>{} of {} rows</p>", kRowsShown, table->table.rows.size());
    return out;
  }
  if (const auto* figure = std::get_if<FigureItem>(&item)) return figure->svg;
  return {};
}

std::size_t size_of(const Item& item) {
  const auto of_table = [](const Table& table) {  // as data, and the first rows as elements
    std::size_t bytes = 500;
    for (std::size_t r = 0; r < std::min(table.rows.size(), kMostTableRows); ++r)
      for (const Cell& cell : table.rows[r]) {
        const auto* text = std::get_if<std::string>(&cell);
        bytes +=
            (text != nullptr ? text->size() + 3 : 12) * (r < kRowsShown ? 2 : 1) + (r < kRowsShown ? 16 : 0);
      }
    return bytes;
  };
  if (const auto* text = std::get_if<Text>(&item)) return text->text.size();
  if (const auto* source = std::get_if<Source>(&item)) return source->text.size();
  if (const auto* download = std::get_if<Download>(&item)) return download->text.size();
  if (const auto* table = std::get_if<TableItem>(&item)) return of_table(table->table);
  if (const auto* figure = std::get_if<FigureItem>(&item))
    return figure->svg.size() + of_table(figure->numbers);
  if (const auto* chart = std::get_if<ChartItem>(&item)) return chart->data.size();
  return 200;
}

}  // namespace perigee::pages
