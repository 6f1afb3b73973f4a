// The page of a publication's folder: what was published, and what each script showed.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/command/gathering.h"
#include "interpreter/command/paper.h"
#include "interpreter/command/scripts.h"
#include "interpreter/session/recorder.h"

namespace perigee::command {

// A script's part of the page: what it showed, and how it went.
struct PaperPart {
  ScriptInfo info;
  std::string id;       // of its section
  std::string summary;  // what it is about
  session::Recorder recorder;
  std::vector<pages::Item> items;  // of the recorder
  std::vector<std::string> warnings;
  std::vector<session::Claim> found;            // in this run
  std::map<std::string, std::string> settings;  // that it read
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<pages::Item> experiments;
  std::vector<std::string> single;  // factors of experiments that had one value in this run
  double seconds = 0;
};

// The page, with less of what scripts show where it would be too large. Error "too_large" where even that does not help.
std::string page_of_paper(const PaperRequest& request, const session::InterpreterOptions& options,
                          const Gathering& gathering, const std::vector<session::ScriptClaims>& found,
                          const std::vector<PaperPart>& parts);

std::string text_of_file(const std::string& path);  // empty where it cannot be read

}  // namespace perigee::command
