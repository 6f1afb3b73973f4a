// Names of hosts and clusters, as a flag for each host.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "interpreter/host/fields.h"
#include "runtime/kernel/error.h"
#include "runtime/model/platform.h"

namespace perigee::bindings {

// The field, a list or one name; empty: it is not there.
std::vector<std::string> names_of_hosts(const Fields& fields, const FieldRow& field);
// Error "unknown_name", which begins with `subject`, for a name that the platform does not have.
std::shared_ptr<const std::vector<std::uint8_t>> hosts_by_name(const Platform& platform,
                                                               const std::vector<std::string>& names,
                                                               const std::string& subject,
                                                               const SourceLocation& where);

}  // namespace perigee::bindings
