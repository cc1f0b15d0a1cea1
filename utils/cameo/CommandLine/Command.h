// A subcommand of the driver: its command line and what it does. One file each.
#ifndef CAMEO_UTILS_CAMEO_COMMANDLINE_COMMAND_H
#define CAMEO_UTILS_CAMEO_COMMANDLINE_COMMAND_H

#include "utils/cameo/CommandLine/CommandLine.h"

#include <memory>

namespace cameo {

class Command {
public:
  virtual ~Command() = default;
  /// Adds description, arguments, options and examples.
  virtual void declare(CommandLine &line) = 0;
  /// Does the work after parsing; the process's exit status.
  virtual int run() = 0;
};

struct CommandEntry {
  const char *name;
  const char *summary;
  std::unique_ptr<Command> (*create)();
};

std::unique_ptr<Command> createCompileCommand();
std::unique_ptr<Command> createCheckCommand();
std::unique_ptr<Command> createTasksCommand();
std::unique_ptr<Command> createSizeCommand();
std::unique_ptr<Command> createRunCommand();
std::unique_ptr<Command> createVerifyCommand();
std::unique_ptr<Command> createBenchCommand();
std::unique_ptr<Command> createTuneCommand();
std::unique_ptr<Command> createRecordsCommand();
std::unique_ptr<Command> createReportCommand();
std::unique_ptr<Command> createCalibrateCommand();
std::unique_ptr<Command> createFarmCommand();
std::unique_ptr<Command> createCompletionCommand();

llvm::ArrayRef<CommandEntry> allCommands();

/// All that the program does with the words behind its name, on a thread of its own with a large stack; the process's
/// exit status. What it printed is flushed. Not on several threads.
int runProgram(llvm::ArrayRef<const char *> arguments);

/// Prints "cameo: error: ..." in the terminal's colours.
void reportError(const llvm::Twine &message);
/// A failure whose message was printed where it arose.
class AlreadyReported : public llvm::ErrorInfo<AlreadyReported> {
public:
  static char ID;
  void log(llvm::raw_ostream &os) const override { os << "already reported"; }
  std::error_code convertToErrorCode() const override { return std::make_error_code(std::errc::io_error); }
};

/// Prints an error unless it was; returns the exit status 1.
int fail(llvm::Error error);

} // namespace cameo

#endif
