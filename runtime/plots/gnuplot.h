// gnuplot as a child process.
#pragma once

#include <string>
#include <string_view>

#include "runtime/layers.h"

namespace perigee::plots {

// Runs `script` in gnuplot and returns its standard output: an SVG document, or lines of text. gnuplot reads
// no start-up files, has an environment of its own and none of our open files, and is ended after `seconds`.
// Error "no_gnuplot" if there is no such program. Error "gnuplot_failed" with its first complaint if it
// refuses the script or is ended. Its other messages are put into `complaints`. May be called from several
// threads at once.
std::string gnuplot(const std::string& script, double seconds = 60, std::string* complaints = nullptr);

// printable(text) as a constant of gnuplot's language, in single quotes, where nothing is a command. Quotes
// in the text become ’.
std::string gnuplot_text(std::string_view text);

}  // namespace perigee::plots
