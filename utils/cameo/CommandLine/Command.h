// A subcommand of the driver: its command line and its work. Each has its own file.
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
  /// Does the work after parsing. Returns the exit status of the process.
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

/// Runs the program with the arguments after its name, on a thread with a large stack. Flushes the output and returns
/// the exit status of the process. Must not run on several threads at once.
int runProgram(llvm::ArrayRef<const char *> arguments);

/// Prints "cameo: error: ...", coloured on a terminal.
void reportError(const llvm::Twine &message);
/// A failure that was reported where it occurred.
class AlreadyReported : public llvm::ErrorInfo<AlreadyReported> {
public:
  static char ID;
  void log(llvm::raw_ostream &os) const override { os << "already reported"; }
  std::error_code convertToErrorCode() const override { return std::make_error_code(std::errc::io_error); }
};

/// Prints an error unless it was reported before. Returns the exit status 1.
int fail(llvm::Error error);

} // namespace cameo

#endif
