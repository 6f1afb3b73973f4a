// `perigee new`: a folder to begin a study in.
#pragma once

#include <string>

#include "interpreter/layers.h"

namespace perigee::command {

// Makes the folder, whose last part is the name of the study, with a script, a page, and what editors need.
// Prints what comes next and returns the exit status. Usage for a folder that exists, or a bad name.
int new_study(const std::string& folder);
// Writes the types of the language for editors again. Usage unless `new_study` has made the folder.
int renew_types(const std::string& folder);

}  // namespace perigee::command
