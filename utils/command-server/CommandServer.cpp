// Runs many command lines of `cameo` without starting a program for each: what is the same in all of them (loading the
// libraries of LLVM and MLIR, registering targets) is done once. A child runs them one after the other, and a fresh one
// what ended it. README.md describes the lines.
#include "passes/Target/TargetInfo.h"
#include "utils/cameo/ChildProcess.h"
#include "utils/cameo/CommandLine/Command.h"

#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/ManagedStatic.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#if __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#endif

namespace json = llvm::json;
using Clock = std::chrono::steady_clock;

namespace {

struct Request {
  std::vector<std::string> arguments;
  std::string output, errors; ///< files for what the command prints
  double seconds = 0;         ///< of processor time that it may take
  int64_t memoryBytes = 0;    ///< of address space; 0: no limit
  bool alone = false;         ///< in a child that runs nothing else
};

bool fromJSON(const json::Value &value, Request &request, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("arguments", request.arguments) && map.map("output", request.output) &&
         map.map("errors", request.errors) && map.map("seconds", request.seconds) &&
         map.map("memory", request.memoryBytes) && map.map("alone", request.alone);
}

/// What a child that runs more than one command says of one.
struct Answer {
  int status = 0;
  double peakMb = 0;
  bool isLast = false; ///< the child ends now
};

/// A process that runs commands, in a group with all that it starts, and the socket to it.
struct Child {
  pid_t process = -1;
  int socket = -1;
};

} // namespace

// ---- in the child ----

/// A child begins anew after so many commands, or when so much is left of them.
static constexpr unsigned maxCommands = 500;
static constexpr double maxLeftMb = 768;

static void redirect(const char *path, int flags, int descriptor) {
  int file = open(path, flags | O_CLOEXEC, 0666);
  if (file < 0 || dup2(file, descriptor) < 0)
    _exit(127);
  close(file);
}

/// A child of many commands ends without looking for leaks, and would report each once more with every command. What
/// leaked is told by the child of its own.
static void endIfLeaking() {
#if __has_feature(address_sanitizer)
  if (__lsan_do_recoverable_leak_check())
    _exit(99);
#endif
}

/// What `main` of the program does, from its first line to its end.
static int runCommand(const Request &request) {
  redirect("/dev/null", O_RDONLY, STDIN_FILENO);
  redirect(request.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
  redirect(request.errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
  rlimit memory{};
  getrlimit(RLIMIT_AS, &memory);
  memory.rlim_cur = request.memoryBytes > 0 ? static_cast<rlim_t>(request.memoryBytes) : memory.rlim_max;
  setrlimit(RLIMIT_AS, &memory);
  std::vector<const char *> arguments;
  for (const std::string &argument : request.arguments)
    arguments.push_back(argument.c_str());
  int status = cameo::runProgram(arguments);
  endIfLeaking();
  return status;
}

/// Lets the kernel forget the most memory that this process ever had.
static void resetPeak() {
  if (FILE *file = std::fopen("/proc/self/clear_refs", "w")) {
    std::fputs("5", file);
    std::fclose(file);
  }
}

static void enterChild() {
  setpgid(0, 0);
  rlimit noCore{0, 0};
  setrlimit(RLIMIT_CORE, &noCore);
}

[[noreturn]] static void runAlone(const Request &request) {
  enterChild();
  int status = runCommand(request);
  llvm::llvm_shutdown();
  std::exit(status);
}

[[noreturn]] static void runSeries(int socket) {
  enterChild();
  std::vector<char> message(1 << 20);
  for (unsigned count = 1;; ++count) {
    ssize_t bytes = recv(socket, message.data(), message.size(), 0);
    if (bytes <= 0)
      _exit(0);
    Request request = llvm::cantFail(json::parse<Request>(llvm::StringRef(message.data(), static_cast<size_t>(bytes))));
    resetPeak();
    int status = runCommand(request);
    Answer answer{status, cameo::peakResidentMb(), count >= maxCommands || cameo::residentMb() > maxLeftMb};
    if (send(socket, &answer, sizeof answer, MSG_NOSIGNAL) < 0 || answer.isLast)
      _exit(0);
  }
}

// ---- in the server ----

static Child startChild(llvm::function_ref<void(int)> run) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    return {};
  pid_t process = fork();
  if (process == 0) {
    close(ends[0]);
    run(ends[1]);
  }
  close(ends[1]);
  return {process, ends[0]};
}

/// Processor time that the child has taken; 0 where it is gone.
static double processorSeconds(const Child &child) {
  clockid_t clock;
  timespec taken{};
  if (clock_getcpuclockid(child.process, &clock) != 0 || clock_gettime(clock, &taken) != 0)
    return 0;
  return static_cast<double>(taken.tv_sec) + 1e-9 * static_cast<double>(taken.tv_nsec);
}

/// Whether the child said something or ended in time: so many seconds of its own, however busy the machine is, and ten
/// times as many in all for what waits.
static bool awaitChild(const Child &child, double seconds) {
  auto deadline = Clock::now() + std::chrono::duration<double>(10 * seconds);
  double limit = processorSeconds(child) + seconds;
  pollfd entry{child.socket, POLLIN, 0};
  constexpr int intervalMs = 100;
  while (processorSeconds(child) <= limit && Clock::now() < deadline) {
    int ready = poll(&entry, 1, intervalMs);
    if (ready > 0 || (ready < 0 && errno != EINTR))
      return ready > 0;
  }
  return false;
}

/// Ends the child, if it did not itself, and what it started; its status as wait4 has it.
static int endChild(Child &child, rusage &usage) {
  char nothing;
  if (recv(child.socket, &nothing, 1, MSG_DONTWAIT) != 0)
    kill(child.process, SIGKILL);
  int status = 0;
  while (wait4(child.process, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  kill(-child.process, SIGKILL);
  close(child.socket);
  child = {};
  return status;
}

namespace {

class Server {
public:
  ~Server() { endSeries(); }
  json::Value serve(llvm::StringRef line);

private:
  std::optional<json::Value> serveInSeries(const Request &request, llvm::StringRef line);
  static json::Value serveAlone(const Request &request);
  void endSeries();

  Child series;
};

} // namespace

void Server::endSeries() {
  rusage usage{};
  if (series.process >= 0)
    endChild(series, usage);
}

static json::Value resultOf(int status, bool isTimedOut, Clock::time_point begin, double peakBytes) {
  std::chrono::duration<double> seconds = Clock::now() - begin;
  return json::Object{{"status", status},
                      {"timed_out", isTimedOut},
                      {"seconds", seconds.count()},
                      {"peak_bytes", static_cast<int64_t>(peakBytes)}};
}

/// Nothing when the command ended the child or took too long: whether that was its fault, a child of its own tells.
std::optional<json::Value> Server::serveInSeries(const Request &request, llvm::StringRef line) {
  if (series.process < 0)
    series = startChild(runSeries);
  Clock::time_point begin = Clock::now();
  Answer answer;
  if (send(series.socket, line.data(), line.size(), MSG_NOSIGNAL) < 0 || !awaitChild(series, request.seconds) ||
      recv(series.socket, &answer, sizeof answer, 0) != sizeof answer) {
    endSeries();
    return std::nullopt;
  }
  json::Value result = resultOf(answer.status, false, begin, answer.peakMb * 0x1p20);
  if (answer.isLast)
    endSeries();
  return result;
}

json::Value Server::serveAlone(const Request &request) {
  Clock::time_point begin = Clock::now();
  Child child = startChild([&](int) { runAlone(request); });
  if (child.process < 0)
    return json::Object{{"failure", std::strerror(errno)}};
  bool isInTime = awaitChild(child, request.seconds);
  rusage usage{};
  int status = endChild(child, usage);
  return resultOf(WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), !isInTime, begin,
                  static_cast<double>(usage.ru_maxrss) * 1024);
}

json::Value Server::serve(llvm::StringRef line) {
  llvm::Expected<Request> request = json::parse<Request>(line);
  if (!request)
    return json::Object{{"failure", llvm::toString(request.takeError())}};
  if (!request->alone)
    if (std::optional<json::Value> result = serveInSeries(*request, line))
      return std::move(*result);
  return serveAlone(*request);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  // Registers LLVM's targets. No thread may be started, and nothing printed by LLVM's streams, before a child is forked
  // off.
  llvm::consumeError(cameo::resolveTarget("", "").takeError());
  Server server;
  for (std::string line; std::getline(std::cin, line);) {
    std::string answer;
    llvm::raw_string_ostream(answer) << server.serve(line);
    std::printf("%s\n", answer.c_str());
    std::fflush(stdout);
  }
  return 0;
}
