// The driver; what it does is in Commands.cpp, for the tests' command server, too.
#include "utils/cameo/CommandLine/Command.h"

#include "llvm/Support/InitLLVM.h"

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  return cameo::runProgram(llvm::ArrayRef<const char *>(argv + 1, argc > 0 ? argc - 1 : 0));
}
