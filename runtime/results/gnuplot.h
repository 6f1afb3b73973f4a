// gnuplot as a child process.
#pragma once

#include <string>
#include <string_view>

#include "runtime/layers.h"

namespace perigee::results {

// What gnuplot writes to its standard output when it runs `script`: an SVG document, or lines of text. It
// reads no start-up files, has an environment of its own and none of our open files, and is ended after
// `seconds`. Error "no_gnuplot" when there is no such program, "gnuplot_failed" with its first complaint when
// it refuses the script or is ended; what it says otherwise is put into `complaints`. May be called from
// several threads at once.
std::string gnuplot(const std::string& script, double seconds = 60, std::string* complaints = nullptr);

// printable(text) as a constant of gnuplot's language, in single quotes, where nothing is a command. Quotes
// in it become ’.
std::string gnuplot_text(std::string_view text);

}  // namespace perigee::results
