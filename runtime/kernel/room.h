// Code that will take much memory says so before it takes any, so that its caller can refuse it with a
// clear message.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "runtime/layers.h"

namespace perigee::kernel {

// Refuses so many bytes by an exception where there is no room for them. `who` is that of the work meter.
using RoomKeeper = void (*)(void* who, double bytes, const std::string& subject, const char* instead);
extern constinit thread_local RoomKeeper room_keeper;

// The subject says what needs the bytes, as in "a matrix of 10 x 10 times". It is asked for where they are many.
// `instead` says what needs fewer, if something does.
void will_take(double bytes, const std::function<std::string()>& subject, const char* instead = "");
// A matrix of times.
void will_take_matrix(std::size_t tasks, std::size_t machines, const char* instead = "");

}  // namespace perigee::kernel
