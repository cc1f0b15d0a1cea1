#include "WorkerProcess.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cameo::farm {

static double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static void tell(int report, const std::string &text) {
  [[maybe_unused]] ssize_t ignored = write(report, text.data(), text.size());
}

/// Waits for `child` in a process between the agent and the worker. Ends with its exit status, and with the agent.
[[noreturn]] static void waitFor(pid_t child, int lock) {
  for (int each : {STDIN_FILENO, STDOUT_FILENO})
    close(each);
  syscall(SYS_close_range, lock + 1, ~0U, 0);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

/// Turns the child process into the worker. Closes the agent's open files, such as connections.
void WorkerProcess::become(int childInput, int childOutput, int report) {
  constexpr int ownLock = 3, ownReport = 4;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGPIPE, SIG_DFL);
  // Above all target numbers.
  int from[] = {fcntl(childInput, F_DUPFD, 16), fcntl(childOutput, F_DUPFD, 16), fcntl(lock, F_DUPFD, 16),
                fcntl(report, F_DUPFD, 16)};
  int to[] = {STDIN_FILENO, STDOUT_FILENO, ownLock, ownReport};
  for (int i = 0; i < 4; ++i)
    if (from[i] >= 0)
      dup2(from[i], to[i]);
  syscall(SYS_close_range, ownReport + 1, ~0U, 0);
  fcntl(ownReport, F_SETFD, FD_CLOEXEC);
  std::string lacks;
  Failure failure = enterNamespaces(limits, lacks);
  if (failure.empty()) {
    pid_t first = fork();
    if (first != 0)
      waitFor(first, ownLock);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setsid();
    failure = dropRights(limits, lacks);
  }
  if (failure.empty()) {
    tell(ownReport, "-" + lacks);
    if (!limits.isOff && !limits.hasGpu)
      setenv("CAMEO_WORKER_CONFINES", "1", 1);
    if (limits.hasGpu)
      setenv("CAMEO_WORKER_GPU", "1", 1);
    execl("/bin/sh", "sh", "-c", ("exec " + command).c_str(), static_cast<char *>(nullptr));
    failure = std::string("/bin/sh: ") + std::strerror(errno);
  }
  tell(ownReport, "!" + failure);
  _exit(1);
}

/// Reads what the child reports before it becomes the worker.
Failure WorkerProcess::readReport(int report) {
  std::string text;
  char part[512];
  for (ssize_t got; (got = read(report, part, sizeof(part))) != 0;) {
    if (got < 0 && errno != EINTR)
      break;
    text.append(part, got > 0 ? static_cast<size_t>(got) : 0);
  }
  size_t failed = text.find('!');
  if (failed != std::string::npos)
    return text.substr(failed + 1);
  missing = text.empty() ? "" : text.substr(1);
  return "";
}

Failure WorkerProcess::start() {
  int in[2], out[2], report[2];
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0 || pipe2(report, O_CLOEXEC) != 0)
    return std::string("cannot make a pipe: ") + std::strerror(errno);
  process = fork();
  if (process == 0)
    become(in[0], out[1], report[1]);
  for (int each : {in[0], out[1], report[1]})
    close(each);
  input = in[1];
  output = out[0];
  fcntl(input, F_SETFL, O_NONBLOCK);
  Failure failure = process < 0 ? std::strerror(errno) : readReport(report[0]);
  close(report[0]);
  if (!failure.empty())
    stop();
  return failure;
}

void WorkerProcess::stop() {
  if (input >= 0)
    close(input);
  if (process > 0) {
    kill(process, SIGKILL);
    while (waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  // The worker's remaining processes end a moment later, and hold its output open until then.
  char rest[4096];
  for (double deadline = now() + 2; output >= 0 && now() < deadline;) {
    pollfd end = {output, POLLIN, 0};
    if (poll(&end, 1, 100) > 0 && read(output, rest, sizeof(rest)) <= 0)
      break;
  }
  if (output >= 0)
    close(output);
  input = output = process = -1;
}

Failure WorkerProcess::measure(std::string_view package, double seconds, const std::function<bool()> &meanwhile,
                               std::string &lines) {
  // Longer than all lines of a package.
  constexpr size_t mostBytes = 64 << 20;
  if (process < 0)
    if (Failure failure = start(); !failure.empty())
      return failure;
  lines.clear();
  auto give = [&](const Failure &failure) {
    stop();
    return failure;
  };
  size_t line = 0;
  for (double deadline = now() + seconds, next = now() + 0.5;;) {
    pollfd ends[2] = {{output, POLLIN, 0}, {input, POLLOUT, 0}};
    poll(ends, package.empty() ? 1 : 2, 250);
    if (now() >= next) {
      next = now() + 0.5;
      if (!meanwhile())
        return give("cancelled");
    }
    if (now() > deadline)
      return give("the worker exceeded its time limit");
    if (!package.empty() && ends[1].revents) {
      ssize_t put = write(input, package.data(), package.size());
      if (put < 0 && errno != EAGAIN && errno != EINTR)
        package = {}; // the worker reports the reason, or ends
      package.remove_prefix(put > 0 ? static_cast<size_t>(put) : 0);
    }
    if (!ends[0].revents)
      continue;
    char part[1 << 16];
    ssize_t got = read(output, part, sizeof(part));
    if (got == 0 || (got < 0 && errno != EINTR) || lines.size() > mostBytes)
      return give("the worker ended without results" +
                  (lines.empty() ? "" : ", after '" + lines.substr(0, std::min(lines.find('\n'), size_t(80))) + "'"));
    lines.append(part, got > 0 ? static_cast<size_t>(got) : 0);
    for (size_t end; (end = lines.find('\n', line)) != std::string::npos; line = end + 1) {
      std::string_view last = std::string_view(lines).substr(line, end - line);
      if (last.find("\"end\":") < 4 || last.find("\"refused\":") != std::string_view::npos) {
        lines.resize(end + 1);
        return "";
      }
    }
  }
}

} // namespace cameo::farm
