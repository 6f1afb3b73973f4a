// The files that a script reads, and the folder that it may write.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/session/cell_state.h"
#include "interpreter/session/options.h"

namespace perigee::session {

class Files {
 public:
  Files(const InterpreterOptions& options, CellState& cell) : options_(options), cell_(cell) {}
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;

  const std::string& script() const { return script_; }  // its file or its name, as shown
  const std::string& folder() const { return folder_; }  // real path of the script's folder; empty = none
  void set_script(std::string script) { script_ = std::move(script); }
  void set_folder(std::string folder) { folder_ = std::move(folder); }
  // While an object of this class lives, the script is that file: its modules and data are beside it.
  class Elsewhere {
   public:
    Elsewhere(Files& files, std::string script, std::string folder)
        : files_(files),
          script_(std::exchange(files.script_, std::move(script))),
          folder_(std::exchange(files.folder_, std::move(folder))) {}
    ~Elsewhere() {
      files_.script_ = std::move(script_);
      files_.folder_ = std::move(folder_);
    }
    Elsewhere(const Elsewhere&) = delete;
    Elsewhere& operator=(const Elsewhere&) = delete;

   private:
    Files& files_;
    std::string script_, folder_;
  };

  // A file that a reader may open: its real path, under the script's folder or named on the command line.
  // Notes it for the replay card.
  std::string data_file(const std::string& path);
  // The same for a file that may be missing and is not read here. Notes that it was looked for.
  std::string look_for(const std::string& path);
  std::string find(const std::string& path) const;  // without any note
  struct DataFile {
    std::string asked, real, hash;
  };
  const std::vector<DataFile>& data_files() const { return data_files_; }
  // Files that were looked for so far outside of cells: name -> hash, empty when there was no such file.
  const std::map<std::string, std::string>& so_far() const { return so_far_; }

  // The folder or file that :save and figures may write. Error when --out was not given or `path` leads
  // outside.
  std::string output_folder(const std::string& path) const;

 private:
  const InterpreterOptions& options_;
  CellState& cell_;
  std::string script_, folder_;
  std::map<std::string, std::string> so_far_;
  std::vector<DataFile> data_files_;
};

// The hash of the content of a file, with its size.
std::string file_hash(const std::string& path);

// The text of a script or module; `what` names it in errors, as "a script".
std::string read_text(const std::filesystem::path& path, const std::string& shown, std::string_view what);

// Whether a path is a folder's or below it; both are real paths.
bool is_inside(const std::filesystem::path& path, const std::filesystem::path& folder);

}  // namespace perigee::session
