// The key by which cells are stored.
#include <fmt/format.h>

#include <map>
#include <utility>
#include <vector>

#include "interpreter/bindings/run/experiment/cells.h"
#include "interpreter/host/embedded.h"
#include "interpreter/session/content.h"
#include "interpreter/session/interpreter.h"

namespace perigee::bindings {

void find_key(lua_State* L, Declaration& declaration) {
  Interpreter& interpreter = Interpreter::of(L);
  const Interpreter::Uncounted uncounted(interpreter);  // this work is only done where cells are kept
  Design& design = declaration.design;
  Reach reach = reach_of(L, declaration.functions);
  std::string kept;
  for (const std::string& metric : declaration.metrics) kept += metric + " ";
  std::vector<KeyPart> own = std::move(design.parts);  // of the word whose experiment it is
  design.parts = {{"perigee itself", fmt::format("{} {}", PERIGEE_VERSION, source_digest())},
                  {"--seed", fmt::format("{}", design.seed)},
                  {"--validate", interpreter.options().validate ? "on" : "off"},
                  {"the list of measures", kept}};
  const std::size_t first_reached = design.parts.size(), behind_reached = first_reached + reach.parts.size();
  for (KeyPart& part : reach.parts) design.parts.push_back(std::move(part));
  for (KeyPart& part : own) design.parts.push_back(std::move(part));
  for (const auto& [name, value] : declaration.values) {
    value.push(L);
    Content content = content_of(L, -1);
    lua_pop(L, 1);
    design.parts.push_back({name, std::move(content.digest)});
    if (reach.unknown.empty() && !content.unknown.empty())
      reach.unknown = fmt::format("{} leads to {}", name, content.unknown);
  }
  for (const auto& [file, hash] : interpreter.files().so_far())
    design.parts.push_back({fmt::format("the file '{}'", file), hash});
  declaration.levels.push(L);
  for (std::size_t f = 0; f < design.factors.size(); ++f) {
    lua_rawgeti(L, -1, static_cast<lua_Integer>(f) + 1);
    auto& keys = design.level_keys.emplace_back();
    for (std::size_t l = 0; l < design.factors[f].levels.size(); ++l) {
      lua_rawgeti(L, -1, static_cast<lua_Integer>(l) + 1);
      Content content = content_of(L, -1);
      keys.push_back(std::move(content.digest));
      if (reach.unknown.empty() && !content.unknown.empty())
        reach.unknown = fmt::format("a level of '{}' leads to {}", design.factors[f].name, content.unknown);
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  if (!reach.unknown.empty())
    design.parts.push_back(
        {fmt::format("the text of the script, which counts as a whole, for {}", reach.unknown),
         interpreter.texts()});
  declaration.unknown = reach.unknown;
  std::string all = reach.digest;  // of all reached parts, without the names of captured variables
  for (std::size_t i = 0; i < design.parts.size(); ++i) {
    const KeyPart& part = design.parts[i];
    if (i < first_reached || i >= behind_reached)
      all += fmt::format(" {}:{}{}", part.name.size(), part.name, part.digest);
  }
  design.key = hash_text(all);
}

}  // namespace perigee::bindings
