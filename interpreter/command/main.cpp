#include "interpreter/command/cli.h"

int main(int argc, char** argv) { return perigee::interpreter::command_line(argc, argv); }
