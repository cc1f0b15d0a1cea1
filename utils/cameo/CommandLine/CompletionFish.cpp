#include "utils/cameo/CommandLine/Completion.h"

#include "llvm/ADT/StringExtras.h"

using namespace cameo;
using llvm::StringRef;

/// Escapes text for single quotes.
static std::string quotedInFish(StringRef text) {
  std::string result;
  for (char c : text) {
    if (c == '\'' || c == '\\')
      result += '\\';
    result += c;
  }
  return result;
}

static void printOption(llvm::raw_ostream &os, const std::string &start, const OptionEntry &option) {
  StringRef name = option.name;
  bool isLong = name.consume_front("--");
  if (!isLong)
    name.consume_front("-");
  os << start << (isLong ? " -l " : " -s ") << name;
  if (option.completes == Completes::Words)
    os << " -x -a '" << llvm::join(option.words, " ") << "'";
  else if (option.completes == Completes::File)
    os << " -r -F";
  else if (option.completes == Completes::Folder)
    os << " -x -a '(__fish_complete_directories)'";
  else if (!option.valueName.empty() && !option.isValueOptional)
    os << " -x";
  os << " -d '" << quotedInFish(firstSentence(option.help)) << "'\n";
}

static void printFishCommand(llvm::raw_ostream &os, const CommandLine &line) {
  std::string start = "complete -c cameo -n '__cameo_is " + line.getName() + "'";
  std::vector<std::string> words;
  bool takesFiles = false;
  for (const PositionalEntry &positional : line.getPositionals()) {
    llvm::append_range(words, positional.words);
    takesFiles |= positional.words.empty();
  }
  if (!words.empty())
    os << start << " -a '" << llvm::join(words, " ") << "'\n";
  if (takesFiles)
    os << start << " -F\n";
  for (const OptionEntry &option : line.getOptions())
    printOption(os, start, option);
  os << start << " -s h -l help -d 'Print help'\n";
}

void cameo::printFishCompletion(llvm::raw_ostream &os, llvm::ArrayRef<CommandLine> commands) {
  os << R"(function __cameo_is -a command
  set -l words (commandline -opc)
  test (count $words) -gt 1; and test $words[2] = $command
end

complete -c cameo -f
complete -c cameo -n '__fish_is_first_arg' -s h -l help -d 'Print help'
complete -c cameo -n '__fish_is_first_arg' -l version -d 'Print the version'
)";
  for (const CommandLine &command : commands)
    os << "complete -c cameo -n '__fish_is_first_arg' -a " << command.getName() << " -d '"
       << quotedInFish(command.getSummary()) << "'\n";
  for (const CommandLine &command : commands)
    printFishCommand(os, command);
}
