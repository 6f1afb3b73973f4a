#include "interpreter/session/cells.h"

#include <fmt/format.h>

#include "runtime/kernel/random.h"

namespace perigee::session {

std::string hash_text(std::string_view text) {
  // Two passes that begin differently give 128 bits.
  const std::string salted = "perigee " + std::string(text);
  return fmt::format("{:016x}{:016x}", hash_name(text), hash_name(salted));
}

}  // namespace perigee::session
