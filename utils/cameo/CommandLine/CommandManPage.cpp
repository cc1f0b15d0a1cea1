// Prints the manual page of a subcommand from the table that parses its arguments.
#include "utils/cameo/CommandLine/CommandLine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace cameo;
using llvm::StringRef;

void cameo::printRoff(llvm::raw_ostream &os, StringRef text) {
  bool isLineStart = true;
  for (char each : text) {
    if (isLineStart && (each == '.' || each == '\''))
      os << "\\&";
    isLineStart = each == '\n';
    if (each == '\\')
      os << "\\e";
    else if (each == '-')
      os << "\\-";
    else if (each == '|')
      os << "|\\:"; // allows a line break in long lists of choices
    else if (each == '\n')
      os << "\n.br\n";
    else
      os << each;
  }
}

static void printTagged(llvm::raw_ostream &os, StringRef name, StringRef value, StringRef help,
                        bool isValueOptional = false) {
  os << ".TP\n\\fB";
  printRoff(os, name);
  os << "\\fR";
  if (!value.empty()) {
    os << (isValueOptional ? "[" : "") << (name.starts_with("--") ? "=" : " ") << "\\fI";
    printRoff(os, value);
    os << "\\fR" << (isValueOptional ? "]" : "");
  }
  os << '\n';
  printRoff(os, help);
  os << '\n';
}

void CommandLine::printManPage(llvm::raw_ostream &os) const {
  os << ".TH CAMEO\\-" << StringRef(name).upper() << " 1\n.ad l\n.SH NAME\ncameo\\-" << name << " \\- ";
  printRoff(os, summary);
  os << "\n.SH SYNOPSIS\n\\fBcameo " << name << "\\fR" << (options.empty() ? "" : " [\\fIOPTION\\fR...]");
  for (const PositionalEntry &entry : positionalEntries) {
    os << " \\fI";
    printRoff(os, entry.name);
    os << "\\fR";
  }
  os << "\n.SH DESCRIPTION\n";
  printRoff(os, descriptionText.empty() ? summary : descriptionText);
  os << '\n';
  for (const PositionalEntry &entry : positionalEntries)
    printTagged(os, entry.name, "", entry.help);
  for (auto [number, group] : llvm::enumerate(groups)) {
    size_t end = number + 1 < groups.size() ? groups[number + 1].firstOption : options.size();
    os << ".SH OPTIONS: " << StringRef(group.title).upper() << '\n';
    for (const OptionEntry &option : llvm::ArrayRef(options).slice(group.firstOption, end - group.firstOption))
      printTagged(os, option.name, option.valueName, option.help, option.isValueOptional);
  }
  if (!examples.empty())
    os << ".SH EXAMPLES\n";
  for (const Example &example : examples)
    printTagged(os, example.command, "", example.meaning);
  os << ".SH EXIT STATUS\n";
  printRoff(os, exitStatusText.empty() ? "0 on success, 1 on any error." : exitStatusText);
  os << "\n.SH SEE ALSO\n\\fBcameo\\fR(1)\n";
}
