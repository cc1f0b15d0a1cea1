#include "autotune/Measure/WorkerTransport.h"

#include "cameo/runtime.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace cameo::autotune;

extern char **environ;

static double now() { return static_cast<double>(cameo_now()) * 1e-9; }

llvm::Error WorkerTransport::start() {
  int ends[2];
  // A socket and no pipe: writing to a worker that is gone is an error then, and no signal.
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return llvm::createStringError(std::string("cannot make a socket: ") + std::strerror(errno));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  // A Ctrl-C on the terminal is for the tuner alone, which ends after the running round.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  char shell[] = "/bin/sh", option[] = "-c";
  char *ofShell[] = {shell, option, command.text.data(), nullptr}, *ofProgram[] = {command.text.data(), nullptr};
  char **arguments = command.isShell ? ofShell : ofProgram;
  int error = posix_spawn(&process, arguments[0], &actions, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (error != 0) {
    close(ends[0]);
    process = -1;
    return llvm::createStringError(command.text + ": " + std::strerror(error));
  }
  channel = ends[0];
  return llvm::Error::success();
}

void WorkerTransport::stop() {
  if (channel >= 0)
    close(channel);
  channel = -1;
  received.clear();
  isBusy = false;
  if (process <= 0)
    return;
  // It ends by itself when its input does, unless it hangs.
  for (int wait = 0; wait < 100; ++wait) {
    if (waitpid(process, nullptr, WNOHANG) != 0) {
      process = -1;
      return;
    }
    usleep(1000);
  }
  // With what a shell started.
  kill(-process, SIGKILL);
  while (waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
  }
  process = -1;
}

bool WorkerTransport::send(llvm::ArrayRef<char> bytes) {
  while (!bytes.empty()) {
    ssize_t put = ::send(channel, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (put < 0 && errno != EINTR)
      return false;
    bytes = bytes.drop_front(put > 0 ? static_cast<size_t>(put) : 0);
  }
  return true;
}

llvm::Error WorkerTransport::fail(const llvm::Twine &what) {
  stop();
  return llvm::createStringError(command.text + what);
}

/// None: the time is over.
llvm::Expected<std::optional<ResultLine>> WorkerTransport::receiveLine(double deadlineSeconds) {
  // Longer than any line.
  constexpr size_t most = 1 << 20;
  for (;;) {
    if (size_t end = received.find('\n'); end != std::string::npos) {
      llvm::Expected<ResultLine> line = parseResultLine(llvm::StringRef(received).take_front(end));
      received.erase(0, end + 1);
      if (!line)
        return fail(": expected a cameo-worker of this version: " + llvm::toString(line.takeError()));
      return std::optional(std::move(*line));
    }
    double left = deadlineSeconds - now();
    if (left <= 0)
      return std::nullopt;
    pollfd poller = {channel, POLLIN, 0};
    if (poll(&poller, 1, static_cast<int>(std::min(left, 1e5) * 1000) + 1) <= 0)
      continue;
    char part[4096];
    ssize_t got = recv(channel, part, sizeof(part), 0);
    if (got == 0 || (got < 0 && errno != EINTR) || received.size() > most)
      return fail(" ended without a reply");
    received.append(part, got > 0 ? static_cast<size_t>(got) : 0);
  }
}

llvm::Error WorkerTransport::submit(const MeasurementPackage &package) {
  // It keeps to the time itself; this is for a worker that does not.
  if (isBusy)
    stop();
  if (channel < 0)
    if (llvm::Error error = start())
      return error;
  isBusy = true;
  return send(package.serialize()) ? llvm::Error::success() : fail(" ended without a reply");
}

llvm::Expected<std::vector<MeasurementResult>> WorkerTransport::receive(double seconds) {
  std::vector<MeasurementResult> results;
  double deadline = now() + seconds;
  while (isBusy) {
    llvm::Expected<std::optional<ResultLine>> line = receiveLine(deadline);
    if (!line)
      return line.takeError();
    if (!*line)
      break;
    if (auto *head = std::get_if<ResultsHead>(&**line); head && !head->refusal.empty())
      return fail(": " + head->refusal);
    if (auto *result = std::get_if<MeasurementResult>(&**line))
      results.push_back(std::move(*result));
    isBusy = !std::holds_alternative<ResultsEnd>(**line);
  }
  return results;
}

llvm::Expected<MachineFacts> WorkerTransport::describe(const cameo_package_target &target) {
  // For a connection to be made.
  constexpr double describeSeconds = 60;
  if (llvm::Error error = submit(MeasurementPackage(target)))
    return std::move(error);
  llvm::Expected<std::optional<ResultLine>> line = receiveLine(now() + describeSeconds);
  if (!line)
    return line.takeError();
  auto *head = *line ? std::get_if<ResultsHead>(&**line) : nullptr;
  if (!head)
    return fail(" ended without a reply");
  if (!head->refusal.empty())
    return fail(": " + head->refusal);
  if (llvm::Error error = receive(describeSeconds).takeError())
    return std::move(error);
  return std::move(head->machine);
}
