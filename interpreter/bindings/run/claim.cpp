// claim { }: a published finding, recomputed. expect(condition, text): a condition that must hold.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "interpreter/bindings/parts.h"
#include "interpreter/language/fields/experiments.h"
#include "interpreter/session/claims.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/declarations.h"

namespace perigee::bindings {

namespace {

// Sets `holds` from the field of that name, or from value and published.
void claim_compare(const Fields& fields, Claim& claim) {
  const bool by_value = fields.has(claim_fields::kValue) || fields.has(claim_fields::kPublished);
  if (fields.has(claim_fields::kHolds) == by_value)
    fields.fail(by_value ? claim_fields::kHolds.name.data() : nullptr,
                "either 'holds' or 'value' and 'published' are needed");
  if (fields.has(claim_fields::kWithin) && fields.has(claim_fields::kMargin))
    fields.fail(claim_fields::kMargin,
                "'within' (a share of what is published) and 'margin' cannot both be given");
  if (!by_value) {
    for (const FieldRow* field : {&claim_fields::kWithin, &claim_fields::kMargin})
      if (fields.has(*field)) fields.fail(*field, "{} goes with 'value' and 'published'", field->name);
    claim.holds = fields.flag(claim_fields::kHolds);
    return;
  }
  const double value = fields.number(claim_fields::kValue);
  const double published = fields.number(claim_fields::kPublished);
  const double margin =
      fields.number(claim_fields::kMargin, fields.number(claim_fields::kWithin) * std::fabs(published));
  const double rounding = 4e-16 * std::max(std::fabs(value), std::fabs(published));  // for the difference
  claim.holds = std::fabs(value - published) <= margin + rounding;
  if (claim.found.empty())
    claim.found = fmt::format("{} against {} published", format_number(value), format_number(published));
}

// claim { source =, says =, verdict =, holds = } or with value =, published =, within = or margin =.
int make_claim(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {"claim"}, claim_fields::kAll);
    Claim claim;
    claim.source = fields.text(claim_fields::kSource);
    claim.says = fields.text(claim_fields::kSays);
    claim.found = fields.text(claim_fields::kFound);
    for (const auto& [field, text] :
         {std::pair(&claim_fields::kSource, &claim.source), std::pair(&claim_fields::kSays, &claim.says)})
      if (text->empty()) fields.fail(*field, "{} must say something, got an empty text", field->name);
    if (!fields.has(claim_fields::kVerdict))
      fields.fail(nullptr,
                  "'verdict' is missing: \"reproduces\", \"does not reproduce\" or \"source in error\"");
    claim.verdict = static_cast<Verdict>(fields.choice(claim_fields::kVerdict));
    claim.where = fields.where();
    Interpreter& interpreter = Interpreter::of(L);
    if (interpreter.checking()) {
      lua_pushboolean(L, 1);
      return 1;
    }
    if (interpreter.cell().under_way())
      fail("bad_call", "claim: a cell of an experiment claims nothing; claim what the experiment found");
    claim_compare(fields, claim);
    const bool stands = claim.stands();
    const std::string outcome =
        stands ? std::string(name_of(claim.verdict))
               : fmt::format("{} in this run, its verdict is '{}'", claim.holds ? "holds" : "does not hold",
                             name_of(claim.verdict));
    interpreter.output().print(fmt::format("claim: {} ({}){}{}: {}\n", claim.says, claim.source,
                                           claim.found.empty() ? "" : ": ", claim.found, outcome));
    if (!stands)
      interpreter.output().warn(
          fmt::format("{}:{}: claim '{}' {}", claim.where.file, claim.where.line, claim.says, outcome));
    interpreter.claims().push_back(std::move(claim));
    lua_pushboolean(L, stands ? 1 : 0);
    return 1;
  });
}

// expect(condition, what) -> condition
int expect(lua_State* L) {
  return guard(L, [&] {
    if (is_unknown(L, 1) || Interpreter::of(L).has_unknown()) return 0;  // no answer either
    const auto what = text_at(L, 2);
    if (!what)
      fail("bad_type", "expect: say what must hold, as in expect(n > 0, \"some jobs finish\"), got {}",
           shown(L, 2));
    if (lua_type(L, 1) != LUA_TBOOLEAN)
      fail("bad_type", "expect: the condition must be true or false, got {}", shown(L, 1));
    if (lua_toboolean(L, 1) == 0) fail("not_met", "expected: {}", *what);
    return 0;
  });
}

}  // namespace

void open_claim(lua_State* L) {
  define(L, "claim", make_claim);
  define(L, "expect", expect);
}

}  // namespace perigee::bindings
