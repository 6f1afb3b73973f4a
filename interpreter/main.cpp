#include "interpreter/cli.h"

int main(int argc, char** argv) { return perigee::command_line(argc, argv); }
