#include "runtime/kernel/room.h"

#include "runtime/kernel/work.h"

namespace perigee::kernel {

constinit thread_local RoomKeeper room_keeper = nullptr;

void will_take(double bytes, const std::function<std::string()>& subject, const char* instead) {
  constexpr double kMuch = 1 << 20;
  if (bytes >= kMuch && work_meter.who != nullptr && room_keeper != nullptr)
    room_keeper(work_meter.who, bytes, subject(), instead);
}

}  // namespace perigee::kernel
