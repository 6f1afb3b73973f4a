#include "runtime/kernel/term.h"

#include "runtime/kernel/error.h"
#include "runtime/kernel/text.h"

namespace perigee::kernel {

namespace {

constexpr std::string_view kBlanks = " \t\r\n";

}  // namespace

double Term::number(const char* code, Dimension dimension) const {
  if (!argument) fail(code, "'{}' needs a number in brackets", text);
  try {
    return parse_quantity(*argument, dimension);
  } catch (const Error& error) {
    fail(code, "'{}': {}", text, error.diagnostic().message);
  }
}

Term term_of(std::string_view text) {
  text = trimmed(text);
  Term term{std::string(text), std::string(text), std::nullopt};
  const std::size_t open = text.find('(');
  if (open == std::string_view::npos || text.back() != ')') return term;
  term.name = trimmed(text.substr(0, open));
  term.argument = trimmed(text.substr(open + 1, text.size() - open - 2));
  return term;
}

std::vector<Term> terms_of(std::string_view text) {
  std::vector<Term> terms;
  std::size_t at = 0;
  while ((at = text.find_first_not_of(kBlanks, at)) != std::string_view::npos) {
    std::size_t end = at;
    for (bool inside = false; end < text.size(); ++end) {
      if (text[end] == '(') inside = true;
      if (!inside && kBlanks.find(text[end]) != std::string_view::npos) break;
      if (text[end] == ')') inside = false;
    }
    terms.push_back(term_of(text.substr(at, end - at)));
    at = end;
  }
  return terms;
}

}  // namespace perigee::kernel
