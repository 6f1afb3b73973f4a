// "name" or "name(argument)", as settings are written in a text.
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
  std::optional<std::string> argument;  // what is between the brackets, without blanks around it

  // The argument as a quantity. Error `code` when there is none or it is none.
  double number(const char* code, Dimension dimension) const;
};

// Blanks around it are nothing; without a bracket at the end, the name is all of it.
Term term_of(std::string_view text);
// Terms with blanks between them.
std::vector<Term> terms_of(std::string_view text);

}  // namespace perigee::kernel
