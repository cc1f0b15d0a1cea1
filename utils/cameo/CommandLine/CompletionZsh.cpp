#include "utils/cameo/CommandLine/Completion.h"

#include "llvm/ADT/StringExtras.h"

using namespace cameo;
using llvm::StringRef;

/// Escapes text for single quotes and for the syntax of _arguments and _describe.
static std::string quotedInZsh(StringRef text) {
  std::string result;
  for (char c : text) {
    if (StringRef("[]:\\").contains(c))
      result += '\\';
    result += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return result;
}

/// Returns the message for a value, and the action that completes it.
static std::string valueOf(const OptionEntry &option) {
  std::string text = ":" + quotedInZsh(option.valueName) + ":";
  if (option.completes == Completes::Words)
    return text + "(" + llvm::join(option.words, " ") + ")";
  return text + (option.completes == Completes::Folder ? "_files -/"
                 : option.completes == Completes::File ? "_files"
                                                       : "");
}

static void printOption(llvm::raw_ostream &os, const OptionEntry &option) {
  std::string help = "[" + quotedInZsh(firstSentence(option.help)) + "]";
  if (option.valueName.empty()) {
    os << "    '" << option.name << help << "' \\\n";
    return;
  }
  // A value follows '=' or is the next word. An optional value must be in the same word.
  bool isLong = StringRef(option.name).starts_with("--");
  os << "    '*" << option.name
     << (option.isValueOptional ? "=-"
         : isLong               ? "="
                                : "")
     << help << (option.isValueOptional ? ":" : "") << valueOf(option) << "' \\\n";
}

static void printZshCommand(llvm::raw_ostream &os, const CommandLine &line) {
  os << "_cameo_" << line.getName() << "() {\n  _arguments \\\n";
  for (const OptionEntry &option : line.getOptions())
    printOption(os, option);
  for (const PositionalEntry &positional : line.getPositionals())
    os << "    '" << (positional.rest ? "*" : "") << ":" << quotedInZsh(positional.name) << ":"
       << (positional.words.empty() ? "_files" : "(" + llvm::join(positional.words, " ") + ")") << "' \\\n";
  os << "    '(- *)'{-h,--help}'[Print help]'\n}\n\n";
}

void cameo::printZshCompletion(llvm::raw_ostream &os, llvm::ArrayRef<CommandLine> commands) {
  os << "#compdef cameo\n\n";
  for (const CommandLine &command : commands)
    printZshCommand(os, command);
  os << R"(_cameo() {
  local curcontext="$curcontext" state line
  _arguments -C '(- *)'{-h,--help}'[Print help]' '(- *)--version[Print the version]' '1:command:->command' '*::argument:->argument'
  case $state in
    command)
      local -a commands=(
)";
  for (const CommandLine &command : commands)
    os << "        '" << command.getName() << ':' << quotedInZsh(command.getSummary()) << "'\n";
  os << R"(      )
      _describe command commands ;;
    argument) (( $+functions[_cameo_$words[1]] )) && _cameo_$words[1] ;;
  esac
}

# As a file of fpath this is the function's body, the first time that it is called.
if [[ $funcstack[1] == _cameo ]]; then _cameo "$@"; else compdef _cameo cameo; fi
)";
}
