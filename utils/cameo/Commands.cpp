// Finds the subcommand, parses its command line, runs it.
#include "utils/cameo/CommandLine/Command.h"

#include "cameo/abi.h"
#include "utils/Driver/DeepStack.h"
#include "utils/Driver/Diagnostics/DiagnosticSink.h"
#include "utils/cameo/CommandLine/ManPages.h"

#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/PrettyStackTrace.h"

#include <csignal>

using namespace cameo;
using llvm::StringRef;

static constexpr CommandEntry commands[] = {
    {"compile", "Compile a model to an object file and a header", createCompileCommand},
    {"check", "List everything in a model that is not supported", createCheckCommand},
    {"tasks", "List the tasks that a model consists of", createTasksCommand},
    {"size", "Show how much memory a model takes, and what for", createSizeCommand},
    {"run", "Run a model", createRunCommand},
    {"verify", "Compare a model's results with a reference", createVerifyCommand},
    {"bench", "Measure a model's speed", createBenchCommand},
    {"tune", "Search faster schedules for a model by measuring", createTuneCommand},
    {"records", "Look at tuning records, and work on files of them", createRecordsCommand},
    {"report", "Make a page about a model or tuning records", createReportCommand},
    {"calibrate", "Measure what schedules depend on of this machine", createCalibrateCommand},
    {"farm", "Let other machines measure for 'cameo tune'", createFarmCommand},
    {"completion", "Print a script that completes commands in the shell", createCompletionCommand},
};

llvm::ArrayRef<CommandEntry> cameo::allCommands() { return commands; }

void cameo::reportError(const llvm::Twine &message) { report(Severity::Error, message); }

char AlreadyReported::ID;

int cameo::fail(llvm::Error error) {
  llvm::handleAllErrors(
      std::move(error), [](const AlreadyReported &) {},
      [](const llvm::ErrorInfoBase &info) { reportError(info.message()); });
  return 1;
}

static void printHelp() {
  llvm::raw_ostream &os = llvm::outs();
  os << "usage: cameo COMMAND [OPTION...] ARGUMENT...\n\nCompiles ONNX models into standalone object "
        "files.\n\ncommands:\n";
  for (const CommandEntry &command : commands) {
    os << "  " << command.name;
    os.indent(12 - StringRef(command.name).size()) << command.summary << '\n';
  }
  os << "\noptions:\n  -h, --help  Print this help; 'cameo COMMAND --help' explains a command.\n"
        "  --version   Print the version.\n\n"
        "examples:\n"
        "  cameo compile resnet18.onnx\n      Writes resnet18.o and resnet18.h.\n"
        "  cameo bench resnet18.onnx --against onnxruntime\n      Compares the speed.\n\n"
        "exit status:\n  0 on success, 1 on any error.\n";
}

static int runCommand(const CommandEntry &entry, llvm::ArrayRef<const char *> arguments) {
  std::unique_ptr<Command> command = entry.create();
  CommandLine line(entry.name, entry.summary);
  command->declare(line);
  if (llvm::Error error = line.parse(arguments))
    return fail(std::move(error));
  if (line.isHelpRequested) {
    line.printHelp(llvm::outs());
    return 0;
  }
  return command->run();
}

static int runDriver(llvm::ArrayRef<const char *> arguments) {
  if (arguments.empty()) {
    reportError("expected a command; see 'cameo --help'");
    return 1;
  }
  StringRef name = arguments.front();
  arguments = arguments.drop_front();
  // "help --man [COMMAND]" prints the manual pages for an installation.
  if (name == "help" && !arguments.empty() && StringRef(arguments.front()) == "--man")
    return printManPage(arguments.size() > 1 ? arguments[1] : "");
  // "help COMMAND" is "COMMAND --help".
  const char *const helpOption[] = {"--help"};
  if (name == "help" && !arguments.empty()) {
    name = arguments.front();
    arguments = helpOption;
  }
  if (name == "--help" || name == "-h" || name == "help") {
    printHelp();
    return 0;
  }
  if (name == "--version") {
    llvm::outs() << "cameo " << CAMEO_VERSION << " (LLVM " << CAMEO_LLVM_VERSION << ", ABI " << CAMEO_ABI_VERSION
                 << ")\n";
    return 0;
  }
  for (const CommandEntry &entry : commands)
    if (name == entry.name)
      return runCommand(entry, arguments);
  auto names = llvm::map_to_vector(commands, [](const CommandEntry &entry) { return StringRef(entry.name); });
  reportError((name.starts_with("-") ? "unknown option '" : "unknown command '") + name + "'" +
              suggestion(name, names) + "; see 'cameo --help'");
  return 1;
}

/// Runs `work` on a deep stack, with the thread that creates files as the one that handles the signals that end the
/// process: LLVM's handler removes the files that are registered, and another thread could create one behind it.
static void runAndHandleSignals(llvm::function_ref<void()> work) {
  sigset_t ending, before;
  sigemptyset(&ending);
  for (int signal : {SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGUSR2, SIGXCPU})
    sigaddset(&ending, signal);
  pthread_sigmask(SIG_BLOCK, &ending, &before);
  runOnDeepStack([&] {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    work();
  });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

int cameo::runProgram(llvm::ArrayRef<const char *> arguments) {
  llvm::setBugReportMsg("cameo: internal error: please report it with the model, the command line and this output\n");
  // Makes a write beyond the limit of file sizes (ulimit -f) an error, which names the file. Set after InitLLVM, whose
  // handler would end the process.
  std::signal(SIGXFSZ, SIG_IGN);
  int status = 1;
  runAndHandleSignals([&] { status = runDriver(arguments); });
  // Output may be lost, for example on a full disk.
  llvm::raw_fd_ostream &os = llvm::outs();
  os.flush();
  if (os.has_error()) {
    reportError("standard output: " + os.error().message());
    os.clear_error();
    status = 1;
  }
  // There is no place left to report errors of standard error. They are cleared because LLVM's destructor would end the
  // process with another exit status.
  llvm::errs().clear_error();
  return status;
}
