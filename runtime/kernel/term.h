// Settings written in a text as "name" or "name(argument)".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/kernel/quantity.h"

namespace perigee::kernel {

struct Term {
  std::string text;  // as written
  std::string name;
  std::optional<std::string> argument;  // the text between the brackets, without blanks around it

  // The argument as a quantity. Error `code` if there is no argument or it is no quantity.
  double number(const char* code, Dimension dimension) const;
};

// Blanks around the text are ignored. Without a bracket at the end, all of it is the name.
Term term_of(std::string_view text);
// Terms separated by blanks.
std::vector<Term> terms_of(std::string_view text);

}  // namespace perigee::kernel
