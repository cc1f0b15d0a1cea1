// cameo completion: prints the script of a shell.
#include "utils/cameo/CommandLine/Completion.h"

#include "utils/cameo/CommandLine/Command.h"

using namespace cameo;

namespace {

class CompletionCommand : public Command {
public:
  void declare(CommandLine &line) override {
    line.description("Prints a script that completes commands, options, their values and files.");
    line.positional("SHELL", "bash, zsh or fish.", shell, {"bash", "zsh", "fish"});
    line.group("options");
    line.example("source <(cameo completion bash)", "For this shell; put the line into ~/.bashrc for all.");
    line.example("cameo completion zsh > ~/.zfunc/_cameo", "For a folder that is in fpath before compinit.");
    line.example("cameo completion fish > ~/.config/fish/completions/cameo.fish", "For all shells from now on.");
  }
  int run() override;

private:
  std::string shell;
};

} // namespace

std::string cameo::firstSentence(llvm::StringRef help) {
  help = help.take_front(std::min(help.find(". "), help.size()));
  help.consume_back(".");
  return help.str();
}

int CompletionCommand::run() {
  std::vector<std::unique_ptr<Command>> commands; // the tables write into them
  std::vector<CommandLine> lines;
  for (const CommandEntry &entry : allCommands()) {
    commands.push_back(entry.create());
    commands.back()->declare(lines.emplace_back(entry.name, entry.summary));
  }
  (shell == "bash"  ? printBashCompletion
   : shell == "zsh" ? printZshCompletion
                    : printFishCompletion)(llvm::outs(), lines);
  return 0;
}

std::unique_ptr<Command> cameo::createCompletionCommand() { return std::make_unique<CompletionCommand>(); }
