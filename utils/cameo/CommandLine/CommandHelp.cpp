// Prints the --help text of a subcommand from the table that parses its arguments.
#include "utils/cameo/CommandLine/CommandLine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace cameo;
using llvm::StringRef;

static constexpr unsigned optionIndent = 2, helpIndent = 30;

static void heading(llvm::raw_ostream &os, StringRef title) {
  os << '\n';
  if (os.has_colors())
    os.changeColor(llvm::raw_ostream::SAVEDCOLOR, /*Bold=*/true);
  os << title << ":\n";
  if (os.has_colors())
    os.resetColor();
}

void cameo::printWrapped(llvm::raw_ostream &os, StringRef text, unsigned indent, unsigned width) {
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (auto [number, line] : llvm::enumerate(lines)) {
    if (number > 0)
      os.indent(line.empty() ? 0 : indent);
    unsigned column = indent;
    llvm::SmallVector<StringRef> words;
    line.split(words, ' ');
    for (auto [position, word] : llvm::enumerate(words)) {
      if (position > 0 && column + 1 + word.size() > width) {
        os << '\n';
        os.indent(indent);
        column = indent;
      } else if (position > 0) {
        os << ' ';
        ++column;
      }
      os << word;
      column += word.size();
    }
    os << '\n';
  }
}

static void printEntry(llvm::raw_ostream &os, StringRef left, StringRef help) {
  os.indent(optionIndent) << left;
  if (optionIndent + left.size() + 2 > helpIndent) {
    os << '\n';
    os.indent(helpIndent);
  } else {
    os.indent(helpIndent - optionIndent - left.size());
  }
  printWrapped(os, help, helpIndent);
}

static std::string leftColumn(const OptionEntry &option) {
  if (option.valueName.empty())
    return option.name;
  // "-o FILE", "--threads=N", "--extern-ops[=LIST]"
  if (option.isValueOptional)
    return option.name + "[=" + option.valueName + "]";
  return option.name + (StringRef(option.name).starts_with("--") ? "=" : " ") + option.valueName;
}

void CommandLine::printHelp(llvm::raw_ostream &os) const {
  os << "usage: cameo " << name << (options.empty() ? "" : " [OPTION...]");
  for (const PositionalEntry &entry : positionalEntries)
    os << ' ' << entry.name;
  os << "\n\n";
  printWrapped(os, descriptionText.empty() ? summary : descriptionText, 0);
  if (!positionalEntries.empty()) {
    heading(os, "arguments");
    for (const PositionalEntry &entry : positionalEntries)
      printEntry(os, entry.name, entry.help);
  }
  for (auto [number, group] : llvm::enumerate(groups)) {
    size_t end = number + 1 < groups.size() ? groups[number + 1].firstOption : options.size();
    heading(os, group.title);
    for (const OptionEntry &option : llvm::ArrayRef(options).slice(group.firstOption, end - group.firstOption))
      printEntry(os, leftColumn(option), option.help);
    if (number + 1 == groups.size())
      printEntry(os, "-h, --help", "Print this help.");
  }
  if (!examples.empty()) {
    heading(os, "examples");
    for (const Example &example : examples) {
      os.indent(optionIndent) << example.command << '\n';
      os.indent(optionIndent + 4);
      printWrapped(os, example.meaning, optionIndent + 4);
    }
  }
  heading(os, "exit status");
  os.indent(optionIndent);
  printWrapped(os, exitStatusText.empty() ? "0 on success, 1 on any error." : exitStatusText, optionIndent);
}
