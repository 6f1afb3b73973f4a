// multifactor { ... }, a rule of priority for backfill, and cost.fair_share { shares =, usage = }.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/bindings/parts.h"
#include "interpreter/language/fields/priorities.h"
#include "interpreter/session/interpreter.h"
#include "interpreter/values/priority.h"
#include "runtime/cost/fair_share.h"
#include "runtime/kernel/quantity.h"
#include "runtime/schedulers/batch/multifactor.h"

namespace perigee::bindings {
namespace {

using cost::ShareTree;

constexpr std::string_view kShareOfAccount = "share";
constexpr int kDeepest = 32;
constexpr Range kPartOfMachine{0, 1, false};
constexpr double kRounding = 1e-9;  // of parts that add up to the machine

// A share on top of the stack.
double share_on_top(const Fields& fields, const FieldRow& field, const std::string& of) {
  return fields.inside(field, [&] {
    return number_at(fields.state(), -1,
                     fmt::format("{}: {}: the share of '{}'", fields.subject(), field.name, of),
                     Dimension::count, kPositive);
  });
}

// Adds a user. One that is called like its account would be a slip: a part of the account's shares for nobody.
void add_user(const Fields& fields, const FieldRow& field, ShareTree& tree, ShareTree::Place above,
              const std::string& name, double share) {
  if (above != ShareTree::kRoot && tree.name(above) == name)
    fields.fail(
        field,
        "{}: '{}' is an account and a user of it; a user has another name than its account, whose own share is "
        "called 'share'",
        field.name, name);
  fields.inside(field, [&] { return tree.add_user(above, name, share); });
}

// Adds what the table on top of the stack has below `above`, and writes it down as a script would.
void read_shares(const Fields& fields, const FieldRow& field, ShareTree::Place above, int depth,
                 ShareTree& tree, std::string& text) {
  lua_State* L = fields.state();
  if (depth > kDeepest) fields.fail(field, "{}: accounts are nested more than {} deep", field.name, kDeepest);
  text += '{';
  bool first = true;
  const auto write = [&](std::string_view name, double share) {
    text += fmt::format("{} {} = {}", std::exchange(first, false) ? "" : ",", name, format_number(share));
  };
  each_sorted(L, lua_gettop(L), [&] {
    const auto name = text_at(L, -2);
    if (!name) fields.fail(field, "{}: {} is no name of a user or an account", field.name, shown(L, -2));
    const std::string key(*name);
    if (key == kShareOfAccount && above != ShareTree::kRoot)
      return write(key, share_on_top(fields, field, key));
    if (lua_type(L, -1) != LUA_TTABLE) {
      const double share = share_on_top(fields, field, key);
      add_user(fields, field, tree, above, key, share);
      return write(key, share);
    }
    host::push(L, kShareOfAccount);
    lua_rawget(L, -2);
    if (lua_isnil(L, -1))
      fields.fail(field, "{}: account '{}' has no 'share' of its own, as in {} = {{ share = 40 }}",
                  field.name, key, key);
    const double share = share_on_top(fields, field, key);
    lua_pop(L, 1);
    const ShareTree::Place account =
        fields.inside(field, [&] { return tree.add_account(above, key, share); });
    text += fmt::format("{} {} = ", std::exchange(first, false) ? "" : ",", key);
    read_shares(fields, field, account, depth + 1, tree, text);
  });
  text += " }";
}

ShareTree tree_at(const Fields& fields, const FieldRow& field, std::string& text) {
  lua_State* L = fields.state();
  if (!fields.push(field)) fields.fail(nullptr, "'{}' is missing", field.name);
  if (lua_type(L, -1) != LUA_TTABLE)
    fields.fail(field, "{} must be a table of shares, as in {{ ada = 1, bob = 2 }}, got {}", field.name,
                shown(L, -1));
  ShareTree tree;
  read_shares(fields, field, ShareTree::kRoot, 1, tree, text);
  lua_pop(L, 1);
  return tree;
}

// cost.fair_share { shares = { ... }, usage = { ada = 0.2 } } -> by user, the factor
int fair_shares(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {"cost.fair_share"}, priority_fields::kFairShares);
    std::string text;
    const ShareTree tree = tree_at(fields, priority_fields::kTree, text);
    std::vector<std::string> users;
    for (ShareTree::Place place = 1; place < tree.size(); ++place) {
      if (!tree.is_user(place)) continue;
      if (tree.user_anywhere(tree.name(place)) != place)
        fields.fail(priority_fields::kTree,
                    "shares: '{}' is a user of two accounts, so its usage is not told apart",
                    tree.name(place));
      users.push_back(tree.name(place));
    }
    std::vector<double> used(tree.size());
    double all = 0;
    if (!fields.push(priority_fields::kUsage))
      fields.fail(nullptr, "'{}' is missing", priority_fields::kUsage.name);
    if (lua_type(L, -1) != LUA_TTABLE)
      fields.fail(priority_fields::kUsage, "usage must be a table, as in {{ ada = 0.2 }}, got {}",
                  shown(L, -1));
    each_sorted(L, lua_gettop(L), [&] {
      const auto name = text_at(L, -2);
      const ShareTree::Place user = name ? tree.user_anywhere(*name) : ShareTree::kNowhere;
      if (user == ShareTree::kNowhere)
        fields.fail(priority_fields::kUsage, "usage: {} is no user of the shares{}", shown(L, -2),
                    name ? did_you_mean(std::string(*name), users) : std::string());
      const double own = fields.inside(priority_fields::kUsage, [&] {
        return number_at(L, -1, fmt::format("cost.fair_share: the usage of '{}'", *name), Dimension::count,
                         kPartOfMachine);
      });
      all += own;
      for (ShareTree::Place place = user; place != ShareTree::kRoot; place = tree.parent(place))
        used[place] += own;
    });
    if (all > 1 + kRounding)
      fields.fail(priority_fields::kUsage, "the usage of all users is {} of the machine; it must be <= 1",
                  format_number(all));
    lua_createtable(L, 0, static_cast<int>(users.size()));
    for (ShareTree::Place place = 1; place < tree.size(); ++place) {
      if (!tree.is_user(place)) continue;
      lua_pushnumber(L, tree.standing(place, [&](ShareTree::Place of) { return used[of]; }).factor);
      lua_setfield(L, -2, tree.name(place).c_str());
    }
    return 1;
  });
}

int make_multifactor(lua_State* L) {
  return guard(L, [&] {
    const Fields fields(L, 1, {"multifactor"}, priority_fields::kAll);
    batch::MultifactorSettings read;
    std::vector<std::string> given;
    const auto number = [&](const FieldRow& field) {
      const double value = fields.number(field);
      if (fields.has(field)) given.push_back(fmt::format("{} = {}", field.name, format_number(value)));
      return value;
    };
    read.age = number(priority_fields::kAge);
    read.size = number(priority_fields::kSize);
    read.fair_share = number(priority_fields::kFairShare);
    read.queue = number(priority_fields::kQueue);
    read.qos = number(priority_fields::kQos);
    read.max_age = number(priority_fields::kMaxAge);
    read.favours_small = fields.choice(priority_fields::kFavour) == 1;
    if (read.favours_small) given.emplace_back("favour = small");
    read.half_life = number(priority_fields::kHalfLife);
    read.period = number(priority_fields::kPeriod);
    if (fields.has(priority_fields::kShares)) {
      std::string text;
      read.shares = tree_at(fields, priority_fields::kShares, text);
      given.push_back("shares = " + text);
    }
    if (read.age == 0 && read.size == 0 && read.fair_share == 0 && read.queue == 0 && read.qos == 0)
      fields.fail(nullptr,
                  "no factor has a weight: give age, size, fair_share, queue or qos a number above 0");
    read.text = fmt::format("multifactor {{ {} }}", fmt::join(given, ", "));
    push_new(L, PriorityValue{std::make_shared<batch::Multifactor>(std::move(read))});
    return 1;
  });
}

int priority_text(lua_State* L) {
  return guard(L, [&] {
    host::push(L, check<PriorityValue>(L, 1).rule->text());
    return 1;
  });
}

constexpr luaL_Reg kPriorityMeta[] = {{"__tostring", priority_text}, {nullptr, nullptr}};
constexpr luaL_Reg kFairShareCosts[] = {{"fair_share", fair_shares}, {nullptr, nullptr}};

}  // namespace

// Adds the function to the table on top of the stack.
void add_fair_share_costs(lua_State* L) { luaL_setfuncs(L, kFairShareCosts, 0); }

void open_priorities(lua_State* L) {
  new_type<PriorityValue>(L, nullptr, kPriorityMeta);
  define(L, "multifactor", make_multifactor);
}

}  // namespace perigee::bindings
