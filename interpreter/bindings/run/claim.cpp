// claim { }: a published finding, recomputed. expect(condition, text): a condition that must hold.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "interpreter/bindings/parts.h"
#include "interpreter/language/fields/experiments.h"
#include "interpreter/session/claims.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/declarations.h"

namespace perigee::bindings {

namespace {

// `holds` as it was given.
Finding finding_given(const Fields& fields) {
  lua_State* L = fields.state();
  fields.push(claim_fields::kHolds);
  const auto text = text_at(L, -1);
  if (lua_type(L, -1) != LUA_TBOOLEAN && text != "not decided")
    fields.fail(claim_fields::kHolds, "holds must be true, false or 'not decided', got {}", shown(L, -1));
  const Finding finding = text                        ? Finding::undecided
                          : lua_toboolean(L, -1) != 0 ? Finding::holds
                                                      : Finding::fails;
  lua_pop(L, 1);
  return finding;
}

// `within`, a share. One that was meant as per cent is refused: it would let any value pass.
double share_given(const Fields& fields) {
  const double share = fields.number(claim_fields::kWithin);
  bool per_cent = false;
  if (fields.push(claim_fields::kWithin)) {
    const auto text = text_at(fields.state(), -1);
    per_cent = text && text->find('%') != std::string::npos;
    lua_pop(fields.state(), 1);
  }
  if (share >= 1 && !per_cent)
    fields.fail(claim_fields::kWithin,
                "within is a share of what was published, got {0}; per cent are written \"{0} %\", or {1}",
                format_number(share), format_number(share / 100));
  return share;
}

// Sets `finding` from `holds`, or from value and published.
void claim_compare(const Fields& fields, Claim& claim) {
  const bool by_value = fields.has(claim_fields::kValue) || fields.has(claim_fields::kPublished);
  if (claim.verdict == Verdict::left_open && !by_value && !fields.has(claim_fields::kHolds)) {
    if (claim.found.empty())
      fields.fail(nullptr, "'found' is missing: the answer to what the publication leaves open");
    claim.finding = Finding::holds;
    return;
  }
  if (fields.has(claim_fields::kHolds) == by_value)
    fields.fail(by_value ? claim_fields::kHolds.name.data() : nullptr,
                "either 'holds' or 'value' and 'published' are needed");
  if (fields.has(claim_fields::kWithin) && fields.has(claim_fields::kMargin))
    fields.fail(claim_fields::kMargin,
                "'within' (a share of what is published) and 'margin' cannot both be given");
  if (!by_value) {
    for (const FieldRow* field : {&claim_fields::kWithin, &claim_fields::kMargin})
      if (fields.has(*field)) fields.fail(*field, "{} goes with 'value' and 'published'", field->name);
    claim.finding = finding_given(fields);
    return;
  }
  const double value = fields.number(claim_fields::kValue);
  const double published = fields.number(claim_fields::kPublished);
  const double margin = fields.number(claim_fields::kMargin, share_given(fields) * std::fabs(published));
  const double rounding = 4e-16 * std::max(std::fabs(value), std::fabs(published));  // for the difference
  claim.finding = std::fabs(value - published) <= margin + rounding ? Finding::holds : Finding::fails;
  if (claim.found.empty())
    claim.found = fmt::format("{} against {} published", format_number(value), format_number(published));
}

// The line of the script that the claim comes from, also when a function makes it, of a module or its own.
SourceLocation claiming_line(lua_State* L, const Interpreter& interpreter, const Fields& fields) {
  SourceLocation outermost = fields.where();
  lua_Debug frame;
  for (int level = 0; lua_getstack(L, level, &frame) != 0; ++level) {
    lua_getinfo(L, "Sl", &frame);
    if (frame.currentline > 0 && frame.source[0] == '@' && interpreter.script_file() == frame.source + 1)
      outermost = {frame.source + 1, frame.currentline};
  }
  return outermost;
}

// Takes source and text of a claim from the statement of that number.
void cite(const Fields& fields, const Interpreter& interpreter, Claim& claim) {
  for (const FieldRow* field : {&claim_fields::kSource, &claim_fields::kSays})
    if (fields.has(*field))
      fields.fail(*field, "'{}' is that of the statement {}; give no other", field->name, claim.statement);
  std::vector<std::string_view> numbers;
  for (const Publication& publication : interpreter.publications())
    for (const Statement& statement : publication.statements) {
      numbers.push_back(statement.number);
      if (statement.number != claim.statement) continue;
      if (!statement.missing.empty())
        fields.fail(claim_fields::kStatement, "{} is listed as one that cannot be tested: {}",
                    claim.statement, statement.missing);
      claim.source = fmt::format("{}, {}", publication.source, statement.where);
      claim.says = statement.says;
      return;
    }
  if (numbers.empty())
    fields.fail(claim_fields::kStatement,
                "the statement '{}' is not listed: no list of statements was declared before",
                claim.statement);
  fields.fail(claim_fields::kStatement, "the statement '{}' is not listed{}", claim.statement,
              did_you_mean(claim.statement, std::span<const std::string_view>(numbers)));
}

Claim claim_read(const Fields& fields, const Interpreter& interpreter) {
  Claim claim;
  claim.statement = fields.text(claim_fields::kStatement);
  if (fields.has(claim_fields::kStatement)) {
    cite(fields, interpreter, claim);
  } else {
    claim.source = fields.text(claim_fields::kSource);
    claim.says = fields.text(claim_fields::kSays);
    for (const auto& [field, text] :
         {std::pair(&claim_fields::kSource, &claim.source), std::pair(&claim_fields::kSays, &claim.says)}) {
      if (!fields.has(*field))
        fields.fail(nullptr, "'{}' is missing, or 'statement' in place of source and says", field->name);
      if (text->empty()) fields.fail(*field, "{} must say something, got an empty text", field->name);
    }
  }
  claim.found = fields.text(claim_fields::kFound);
  claim.chosen = fields.text(claim_fields::kChosen);
  claim.note = fields.text(claim_fields::kNote);
  if (!fields.has(claim_fields::kVerdict))
    fields.fail(nullptr,
                "'verdict' is missing: \"reproduces\", \"does not reproduce\", \"not decided\", \"source in "
                "error\" or \"left open\"");
  claim.verdict = static_cast<Verdict>(fields.choice(claim_fields::kVerdict));
  return claim;
}

// claim { statement =, verdict =, holds = }. The place of statement may be taken by source = and says =. The
// place of holds may be taken by value =, published =, within = or margin =.
int make_claim(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {"claim"}, claim_fields::kAll);
    Interpreter& interpreter = Interpreter::of(L);
    Claim claim = claim_read(fields, interpreter);
    claim.where = claiming_line(L, interpreter, fields);
    if (interpreter.checking()) {
      lua_pushboolean(L, 1);
      return 1;
    }
    if (interpreter.cell().under_way())
      fail("bad_call", "claim: a cell of an experiment claims nothing; claim what the experiment found");
    if (!claim.statement.empty())
      for (const Claim& other : interpreter.claims())
        if (other.statement == claim.statement)
          fields.fail(claim_fields::kStatement, "the statement {} has a claim already, at {}:{}",
                      claim.statement, other.where.file, other.where.line);
    claim_compare(fields, claim);
    const bool stands = claim.stands(interpreter.full());
    const std::string told = claim.told(interpreter.full());
    interpreter.output().claim(
        fmt::format("claim: {}{} ({}){}{}: {}\n", claim.statement.empty() ? "" : claim.statement + ": ",
                    claim.says, claim.source, claim.found.empty() ? "" : ": ", claim.found, told),
        [&] { return judgement_of(claim, interpreter.full()); });
    if (!stands)
      interpreter.output().warn(
          fmt::format("{}:{}: claim '{}' {}", claim.where.file, claim.where.line, claim.says, told));
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

Statement statement_read(lua_State* L, int number) {
  const Fields fields(L, -1, {"statement", {}, number}, statement_fields::kAll);
  static constexpr auto kKinds = statement_fields::kKind.choices;
  Statement statement;
  statement.number = fields.text(statement_fields::kNumber);
  statement.where = fields.text(statement_fields::kWhere);
  fields.choice(statement_fields::kKind);
  statement.kind = fields.has(statement_fields::kKind) ? fields.text(statement_fields::kKind)
                                                       : std::string(kKinds.substr(0, kKinds.find('|')));
  statement.says = fields.text(statement_fields::kSays);
  statement.missing = fields.text(statement_fields::kMissing);
  statement.data = fields.text(statement_fields::kData);
  if (!is_number_of_statement(statement.number))
    fields.fail(statement_fields::kNumber,
                "number must be capital letters and digits, a hyphen and a number, as \"S2-17\", got '{}'",
                statement.number);
  for (const auto& [field, text] : {std::pair(&statement_fields::kWhere, &statement.where),
                                    std::pair(&statement_fields::kSays, &statement.says)})
    if (text->empty()) fields.fail(*field, "{} must say something, got an empty text", field->name);
  if (!statement.missing.empty() && !statement.data.empty())
    fields.fail(statement_fields::kData, "'missing' and 'data' cannot both be given");
  return statement;
}

// statements { source =, title =, { number =, where =, kind =, says = }, ... }
int declare_statements(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {"statements"}, statements_fields::kAll, true);
    Publication publication;
    publication.source = fields.text(statements_fields::kSource);
    publication.title = fields.text(statements_fields::kTitle);
    if (publication.source.empty())
      fields.fail(statements_fields::kSource, "source must say something, got an empty text");
    std::vector<Publication>& all = Interpreter::of(L).publications();
    std::map<std::string, std::string> sources;  // of the numbers
    for (const Publication& other : all) {
      if (other.source == publication.source)
        fields.fail(statements_fields::kSource,
                    "the statements of '{}' are listed already: make one list of both", other.source);
      for (const Statement& statement : other.statements) sources.emplace(statement.number, other.source);
    }
    const auto count = static_cast<int>(fields.count());
    for (int i = 1; i <= count; ++i) {
      lua_rawgeti(L, 1, i);
      Statement statement = statement_read(L, i);
      const auto [other, is_new] = sources.emplace(statement.number, publication.source);
      if (!is_new && other->second == publication.source)
        fields.fail(nullptr, "the number {} is given twice", statement.number);
      if (!is_new)
        fields.fail(nullptr, "the number {} is given twice, in '{}' and in '{}'", statement.number,
                    other->second, publication.source);
      publication.statements.push_back(std::move(statement));
      lua_pop(L, 1);
    }
    if (count == 0) fields.fail(nullptr, "one statement is needed, or more");
    all.push_back(std::move(publication));
    return 0;
  });
}

}  // namespace

void open_claim(lua_State* L) {
  define(L, "claim", make_claim);
  define(L, "statements", declare_statements);
  define(L, "expect", expect);
}

}  // namespace perigee::bindings
