#include "utils/cameo/CommandLine/ManPages.h"

#include "utils/cameo/CommandLine/Command.h"

using namespace cameo;
using llvm::StringRef;

static void printOverview(llvm::raw_ostream &os) {
  os << ".TH CAMEO 1\n.SH NAME\ncameo \\- compiles ONNX models into standalone object files\n"
        ".SH SYNOPSIS\n\\fBcameo\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR...] \\fIARGUMENT\\fR...\n.SH COMMANDS\n";
  for (const CommandEntry &entry : allCommands()) {
    os << ".TP\n\\fBcameo\\-" << entry.name << "\\fR(1)\n";
    printRoff(os, entry.summary);
    os << '\n';
  }
  os << ".SH OPTIONS\n.TP\n\\fB\\-\\-help\\fR\nPrint a summary of the commands; 'cameo COMMAND \\-\\-help' explains "
        "one.\n"
        ".TP\n\\fB\\-\\-version\\fR\nPrint the version.\n.SH EXIT STATUS\n0 on success, 1 on any error.\n";
}

int cameo::printManPage(StringRef name) {
  if (name.empty()) {
    printOverview(llvm::outs());
    return 0;
  }
  for (const CommandEntry &entry : allCommands()) {
    if (name != entry.name)
      continue;
    std::unique_ptr<Command> command = entry.create();
    CommandLine line(entry.name, entry.summary);
    command->declare(line);
    line.printManPage(llvm::outs());
    return 0;
  }
  reportError("unknown command '" + name + "'; see 'cameo --help'");
  return 1;
}
