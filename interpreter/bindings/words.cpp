#include "interpreter/bindings/words.h"

#include "interpreter/bindings/parts.h"
#include "interpreter/callbacks/lua_policy.h"

namespace perigee::bindings {

void open_words(lua_State* L) {
  open_script(L);
  open_unknown(L);
  open_claim(L);
  open_settings(L);
  open_random(L);
  open_statistics(L);
  open_platform(L);
  open_queues(L);
  open_priorities(L);
  open_graphs(L);
  open_workload(L);
  open_scenario(L);
  open_readers(L);
  open_mapping(L);
  open_policy(L);
  open_policy_sim(L);
  open_plan(L);
  open_catalogue(L);
  open_result(L);
  open_plot(L);
  open_simulation(L);
  open_profile(L);
  open_why(L);
  open_compare(L);
  open_process(L);
  open_whatif(L);
  open_quote(L);
  open_experiment(L);
  open_spaces(L);
  open_duels(L);
  open_tournaments(L);
  open_robustness(L);
  open_help(L);
}

}  // namespace perigee::bindings
