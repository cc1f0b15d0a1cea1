#include "utils/cameo/CommandLine/Completion.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace cameo;

/// Prints the case of one command: the words that may follow each option, and the options.
static void printBashCommand(llvm::raw_ostream &os, const CommandLine &line) {
  os << "    " << line.getName() << ")\n      case \"$previous\" in\n";
  std::vector<std::string> names;
  for (const OptionEntry &option : line.getOptions()) {
    names.push_back(option.name);
    if (option.valueName.empty() || option.isValueOptional)
      continue;
    os << "        " << option.name << ") ";
    if (option.completes == Completes::Words)
      os << "words='" << llvm::join(option.words, " ") << "'";
    else
      os << (option.completes == Completes::Folder ? "kind=-d"
             : option.completes == Completes::File ? "kind=-f"
                                                   : "kind=");
    os << " ;;\n";
  }
  std::vector<std::string> words;
  for (const PositionalEntry &positional : line.getPositionals())
    llvm::append_range(words, positional.words);
  os << "        *) if [[ $current == -* ]]; then words='" << llvm::join(names, " ") << " --help'; else words='"
     << llvm::join(words, " ") << "' kind=-f; fi ;;\n      esac ;;\n";
}

void cameo::printBashCompletion(llvm::raw_ostream &os, llvm::ArrayRef<CommandLine> commands) {
  // bash splits words at '=', so "--emit=o" becomes three words, and the option is two words back.
  os << R"(_cameo() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words= kind=
  if [[ $current == = ]]; then current=; elif [[ $previous == = ]]; then previous=${COMP_WORDS[COMP_CWORD-2]}; fi
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W ")";
  for (const CommandLine &command : commands)
    os << command.getName() << ' ';
  os << R"(--help --version" -- "$current"))
    return
  fi
  case "${COMP_WORDS[1]}" in
)";
  for (const CommandLine &command : commands)
    printBashCommand(os, command);
  os << R"(  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ -n $kind ]]; then compopt -o filenames; COMPREPLY+=($(compgen $kind -- "$current")); fi
}
complete -F _cameo cameo
)";
}
