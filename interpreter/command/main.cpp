#include "interpreter/command/cli.h"

int main(int argc, char** argv) { return perigee::command::command_line(argc, argv); }
