// One target under libFuzzer: PERIGEE_FUZZ_TARGET=swf perigee_fuzz CORPUS
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const perigee::fuzz::Target* const target = [] {
    const char* name = std::getenv("PERIGEE_FUZZ_TARGET");
    for (const auto& each : perigee::fuzz::targets())
      if (name != nullptr && std::strcmp(name, each.name) == 0) return &each;
    std::fprintf(stderr, "PERIGEE_FUZZ_TARGET must be one of:");
    for (const auto& each : perigee::fuzz::targets()) std::fprintf(stderr, " %s", each.name);
    std::fprintf(stderr, "\n");
    std::exit(2);
  }();
  target->run({reinterpret_cast<const char*>(data), size});
  return 0;
}
