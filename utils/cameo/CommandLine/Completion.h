// Prints scripts that complete words in a shell, one file per shell, from the tables that parse the arguments.
#ifndef CAMEO_UTILS_CAMEO_COMMANDLINE_COMPLETION_H
#define CAMEO_UTILS_CAMEO_COMMANDLINE_COMPLETION_H

#include "utils/cameo/CommandLine/CommandLine.h"

#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace cameo {

/// The command lines of all commands, in the order of --help.
using CommandLines = std::vector<CommandLine>;

void printBashCompletion(llvm::raw_ostream &os, llvm::ArrayRef<CommandLine> commands);
void printZshCompletion(llvm::raw_ostream &os, llvm::ArrayRef<CommandLine> commands);
void printFishCompletion(llvm::raw_ostream &os, llvm::ArrayRef<CommandLine> commands);

/// Returns the text that a shell shows next to a word: the first sentence of the help, without its full stop.
std::string firstSentence(llvm::StringRef help);

} // namespace cameo

#endif
