// Files that get a page.
#pragma once

#include <filesystem>
#include <string>

namespace perigee::command {

// Error "bad_output" if the path is a folder or in one that cannot be written, "foreign_file" if a file is there that is
// no page of perigee's. `option` names another file, "-o".
void refuse_foreign(const std::filesystem::path& path, const std::string& option);
// Writes the page. Errors as above.
void write_page(const std::filesystem::path& path, const std::string& page, const std::string& option);
// Writes the page and prints the name of its file; "-" prints the page itself.
void put_page(const std::string& path, const std::string& page, const std::string& option);

}  // namespace perigee::command
