#include "runtime/kernel/room.h"

#include <fmt/format.h>

#include "runtime/kernel/work.h"

namespace perigee::kernel {

constinit thread_local RoomKeeper room_keeper = nullptr;

void will_take(double bytes, const std::function<std::string()>& subject, const char* instead) {
  constexpr double kMuch = 1 << 20;
  if (bytes >= kMuch && work_meter.who != nullptr && room_keeper != nullptr)
    room_keeper(work_meter.who, bytes, subject(), instead);
}

void will_take_matrix(std::size_t tasks, std::size_t machines, const char* instead) {
  will_take(
      static_cast<double>(tasks) * static_cast<double>(machines) * sizeof(double),
      [&] { return fmt::format("a matrix of {} x {} times", tasks, machines); }, instead);
}

}  // namespace perigee::kernel
