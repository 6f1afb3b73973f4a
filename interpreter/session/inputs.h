// A session at a prompt: texts that run one after another in the same state.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/host/lua.h"
#include "interpreter/layers.h"

namespace perigee::session {

class Interpreter;

// One text or file of the session, as a replay needs it.
struct Input {
  std::string text;
  std::string file = {}, folder = {};  // the file of :load as shown, and its real folder
  std::uint64_t stopped_at = 0;        // the look at which Ctrl-C stopped it; 0 = it was not stopped
  std::string cell = {};               // the name of the cell of a notebook that it is
};

class Inputs {
 public:
  explicit Inputs(Interpreter& interpreter) : interpreter_(interpreter) {}
  Inputs(const Inputs&) = delete;
  Inputs& operator=(const Inputs&) = delete;

  // Begins the session, which is the script `name` and may read the files of the folder.
  void begin(const std::string& name, const std::string& folder);
  const std::string& folder() const { return folder_; }  // empty: there is no session
  std::vector<Input>& all() { return all_; }
  const std::vector<Input>& all() const { return all_; }
  // Runs a file of the session. The locals of its top level stay, as globals.
  void load_file(const std::string& path);
  void load(const Input& file);

 private:
  Interpreter& interpreter_;
  std::string folder_;
  std::vector<Input> all_;
};

// This text may follow the last statement of a text that is called with push_keeper() on the stack. The
// locals of the text's top level then stay, as globals.
inline constexpr std::string_view kKeepLocals = "\n;(...)()";
void push_keeper(lua_State* L);
// The same for a text that ends with kKeepValues, an expression list and ")": its values are put into the
// table at `index`, their number into its field n, and what Output::printed() was before them into `printed`.
inline constexpr std::string_view kKeepValues = ";(...)();(...)(";
void push_keeper(lua_State* L, int index);

}  // namespace perigee::session
