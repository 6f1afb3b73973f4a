#include "interpreter/command/kernel.h"

#include <fmt/format.h>

#include <filesystem>

#include "interpreter/command/cli.h"
#include "interpreter/command/option_values.h"
#include "interpreter/command/said.h"
#include "interpreter/notebook/kernel.h"
#include "interpreter/notebook/kernelspec.h"

namespace perigee::command {

namespace fs = std::filesystem;

namespace {

constexpr const char* kName = "perigee";

// The options of the cells, as they are repeated when the kernel starts. Folders of data are named from anywhere.
std::vector<std::string> given_to_kernel(const CLI::App& command) {
  std::vector<std::string> words;
  for (const char* name :
       {"--set", "--seed", "--out", "--data", "--jobs", "--steps", "--memory", "--validate"}) {
    const CLI::Option* const option = command.get_option(name);
    for (const std::string& value : option->results()) {
      words.emplace_back(name);
      if (option->get_items_expected_max() == 0) continue;
      words.push_back(name == std::string_view("--data") ? fs::absolute(value).lexically_normal().string()
                                                         : value);
    }
  }
  return words;
}

int install(const CLI::App& command, const KernelRequest& request) {
  if (request.user && !request.prefix.empty()) throw Usage("--user and --prefix exclude each other");
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) fail("no_program", "the program's own path is not known: {}", error.message());
  const std::string name = request.name.empty() ? kName : request.name;
  const fs::path kernels = request.user              ? notebook::users_kernels()
                           : !request.prefix.empty() ? fs::absolute(request.prefix) / "share/jupyter/kernels"
                                                     : notebook::kernels_beside(program);
  const fs::path file = notebook::install_kernelspec(
      kernels, name, notebook::kernelspec(program.string(), given_to_kernel(command), name));
  print(fmt::format("{}\n", file.lexically_normal().string()));
  return kSuccess;
}

}  // namespace

void take_kernel(CLI::App& command, KernelRequest& request) {
  command.add_option("connection", request.connection, "the file by which Jupyter tells where to listen")
      ->type_name("FILE");
  command.add_flag("--install", request.install,
                   "make the kernel known to Jupyter, with the options given here; nothing is started");
  command.add_flag("--user", request.user,
                   "with --install: for this user alone (else below the program's prefix)");
  command
      .add_option("--prefix", request.prefix,
                  "with --install: below this folder, such as that of an environment")
      ->type_name("DIR");
  command.add_option("--name", request.name, "with --install: its name (perigee)")->type_name("NAME");
}

int kernel(const CLI::App& command, const KernelRequest& request, session::InterpreterOptions options) {
  if (request.install) {
    if (!request.connection.empty())
      throw Usage("--install starts nothing, so that it takes no connection file");
    return install(command, request);
  }
  if (request.user || !request.prefix.empty() || !request.name.empty())
    throw Usage("--user, --prefix and --name are for `perigee kernel --install`");
  if (request.connection.empty())
    throw Usage(
        "`perigee kernel` needs a connection file, which Jupyter writes; `perigee kernel --install --user` makes "
        "the kernel known to Jupyter");
  if (options.out.empty()) options.out = "out";
  return notebook::run_kernel(request.connection, std::move(options));
}

}  // namespace perigee::command
