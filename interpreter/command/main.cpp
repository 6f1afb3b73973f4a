#include <cstdlib>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "interpreter/command/cli.h"

int main(int argc, char** argv) {
#ifdef M_MMAP_THRESHOLD
  // A large block goes back to the system when it is freed. glibc would keep ever larger ones otherwise, and a list
  // that slides grows into a new block again and again.
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  // Short runs one after the other take and free as much: what is little stays, instead of going back and forth.
  mallopt(M_TRIM_THRESHOLD, 16 << 20);
  mallopt(M_TOP_PAD, 1 << 20);
#endif
  return perigee::command::command_line(argc, argv);
}
