// cameo completion: a shell script made from the tables that parse the arguments, so that it is never behind them.
#include "utils/cameo/Command.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace cameo;

namespace {

class CompletionCommand : public Command {
public:
  void declare(CommandLine &line) override {
    line.description("Prints a script that completes commands, options, their values and files.");
    line.positional("SHELL", "bash.", shell, {"bash"});
    line.group("options");
    line.example("source <(cameo completion bash)", "For this shell; put the line into ~/.bashrc for all.");
  }
  int run() override;

private:
  std::string shell;
};

} // namespace

/// The case of one command: which words follow which option, and which options there are.
static void printCommand(llvm::raw_ostream &os, const CommandLine &line) {
  os << "    " << line.getName() << ")\n      case \"$previous\" in\n";
  std::vector<std::string> names;
  for (const OptionEntry &option : line.getOptions()) {
    names.push_back(option.name);
    if (option.valueName.empty())
      continue;
    os << "        " << option.name << ") ";
    if (option.completes == Completes::Words)
      os << "words='" << llvm::join(option.words, " ") << "'";
    else
      os << (option.completes == Completes::Folder ? "kind=-d" : option.completes == Completes::File ? "kind=-f" : "kind=");
    os << " ;;\n";
  }
  std::vector<std::string> words;
  for (const PositionalEntry &positional : line.getPositionals())
    llvm::append_range(words, positional.words);
  os << "        *) if [[ $current == -* ]]; then words='" << llvm::join(names, " ") << " --help'; else words='"
     << llvm::join(words, " ") << "' kind=-f; fi ;;\n      esac ;;\n";
}

int CompletionCommand::run() {
  llvm::raw_ostream &os = llvm::outs();
  // '=' separates words in bash, so "--emit=o" arrives as three: the option is then two words back.
  os << R"(_cameo() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words= kind=
  if [[ $current == = ]]; then current=; elif [[ $previous == = ]]; then previous=${COMP_WORDS[COMP_CWORD-2]}; fi
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W ")";
  for (const CommandEntry &entry : allCommands())
    os << entry.name << ' ';
  os << R"(--help --version" -- "$current"))
    return
  fi
  case "${COMP_WORDS[1]}" in
)";
  for (const CommandEntry &entry : allCommands()) {
    std::unique_ptr<Command> command = entry.create();
    CommandLine line(entry.name, entry.summary);
    command->declare(line);
    printCommand(os, line);
  }
  os << R"(  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ -n $kind ]]; then compopt -o filenames; COMPREPLY+=($(compgen $kind -- "$current")); fi
}
complete -F _cameo cameo
)";
  return 0;
}

std::unique_ptr<Command> cameo::createCompletionCommand() { return std::make_unique<CompletionCommand>(); }
