// Platforms of SimGrid: XML files of version 4 or 4.1, and the same files by the conventions of Batsim. Hosts
// are taken over with their power, and the way to each of them from one place, where that place is named.
// Declarations without a counterpart in the model are listed.
//
// Errors tell file, line and element:
//   bad_xml            not well-formed; a document type with declarations; an element or attribute that does not
//                      belong there; a value that is none; zones nested too deep, too many hosts
//   missing_field      an element lacks an attribute
//   duplicate_name     two hosts, routers or zones, two links, or two routes of the same ends
//   unknown_reference  a route, a profile or an option names what is not there
//   unsupported_route  the way to a host cannot be said by links of the model
//   bad_power          a host would draw less with more busy cores
//   bad_platform       no host is left
// and bad_file. Only the file itself is read: no document type, no profile and no other file that it names.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/model/platform.h"

namespace perigee::readers {

inline constexpr std::uintmax_t kLargestSimgridFile = std::uintmax_t{256} << 20;  // bytes
inline constexpr std::size_t kMostSimgridHosts = 1'000'000;
inline constexpr int kDeepestSimgridZone = 64;

struct SimgridOptions {
  // A host or router where files start, and where outputs go. With it every host is a cluster of its own,
  // behind the links of its route. Empty: links and routes are left out, and the hosts of a zone or a cluster
  // element are a cluster.
  std::string origin = {};
  // Batsim's conventions: hosts with the role master or storage, and the one called `master`, are left out;
  // hosts are exclusive; links and routes are left out. `origin` has no meaning then.
  bool batsim = false;
  std::string master = "master_host";
  bool master_must_exist = false;
  std::size_t most_hosts = kMostSimgridHosts;
};

// A declaration that was not taken over.
struct SimgridNote {
  std::string what;
  std::int64_t count = 0;  // of the hosts, links, ... that it concerns
  int line = 0;            // of the first of them
};

struct SimgridPlatform {
  PlatformSpec spec;
  std::vector<SimgridNote> notes;  // in order of their lines
};

SimgridPlatform parse_simgrid(std::string_view text, std::string_view name,
                              const SimgridOptions& options = {});
// Hosts and errors say that they are from the file `name`; empty: the path.
SimgridPlatform read_simgrid(const std::filesystem::path& path, const SimgridOptions& options = {},
                             std::string_view name = {});

}  // namespace perigee::readers
