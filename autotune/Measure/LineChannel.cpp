#include "autotune/Measure/LineChannel.h"

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

double cameo::autotune::secondsNow() { return static_cast<double>(cameo_now()) * 1e-9; }

llvm::Error LineChannel::start() {
  int ends[2];
  // A socket instead of a pipe: writing to a worker that has exited is then an error and not a signal.
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return llvm::createStringError(std::string("cannot make a socket: ") + std::strerror(errno));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  // A separate process group, so that Ctrl-C on the terminal only reaches the tuner, which finishes the current round.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::vector<char *> words;
  for (std::string &each : arguments)
    words.push_back(each.data());
  words.push_back(nullptr);
  int error = posix_spawn(&process, words[0], &actions, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (error != 0) {
    close(ends[0]);
    process = -1;
    return llvm::createStringError(name + ": " + std::strerror(error));
  }
  channel = ends[0];
  return llvm::Error::success();
}

void LineChannel::stop(unsigned patienceMs) {
  if (channel >= 0)
    close(channel);
  channel = -1;
  received.clear();
  if (process <= 0)
    return;
  for (unsigned wait = 0; wait < patienceMs; ++wait) {
    if (waitpid(process, nullptr, WNOHANG) != 0) {
      process = -1;
      return;
    }
    usleep(1000);
  }
  // Including the children of a shell.
  kill(-process, SIGKILL);
  while (waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
  }
  process = -1;
}

bool LineChannel::send(llvm::ArrayRef<char> bytes) {
  while (!bytes.empty()) {
    ssize_t put = ::send(channel, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (put < 0 && errno != EINTR)
      return false;
    bytes = bytes.drop_front(put > 0 ? static_cast<size_t>(put) : 0);
  }
  return true;
}

llvm::Error LineChannel::fail(const llvm::Twine &what) {
  stop();
  return llvm::createStringError(name + what);
}

llvm::Expected<std::optional<ResultLine>> LineChannel::receiveLine(double deadlineSeconds) {
  // Exceeds the length of any line.
  constexpr size_t most = 1 << 20;
  for (;;) {
    if (size_t end = received.find('\n'); end != std::string::npos) {
      llvm::Expected<ResultLine> line = reader.read(llvm::StringRef(received).take_front(end));
      received.erase(0, end + 1);
      if (!line)
        return fail(": expected a cameo-worker of this version: " + llvm::toString(line.takeError()));
      return std::optional(std::move(*line));
    }
    double left = deadlineSeconds - secondsNow();
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
