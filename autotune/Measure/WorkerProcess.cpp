#include "autotune/Measure/WorkerProcess.h"

#include "cameo/runtime.h"

#include "llvm/Support/MathExtras.h"

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

llvm::Error WorkerProcess::start() {
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

void WorkerProcess::stop() {
  if (channel >= 0)
    close(channel);
  channel = -1;
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

bool WorkerProcess::send(const void *bytes, size_t count) {
  for (size_t done = 0; done < count;) {
    ssize_t put = ::send(channel, static_cast<const char *>(bytes) + done, count - done, MSG_NOSIGNAL);
    if (put < 0 && errno != EINTR)
      return false;
    done += put > 0 ? static_cast<size_t>(put) : 0;
  }
  return true;
}

bool WorkerProcess::receive(void *bytes, size_t count, double deadlineSeconds) {
  for (size_t done = 0; done < count;) {
    double left = deadlineSeconds - now();
    pollfd poller = {channel, POLLIN, 0};
    if (left <= 0)
      return false;
    if (poll(&poller, 1, static_cast<int>(left * 1000) + 1) <= 0)
      continue;
    ssize_t got = recv(channel, static_cast<char *>(bytes) + done, count - done, 0);
    if (got == 0 || (got < 0 && errno != EINTR))
      return false;
    done += got > 0 ? static_cast<size_t>(got) : 0;
  }
  return true;
}

llvm::Expected<WorkerReply> WorkerProcess::exchange(const cameo_worker_request &header, llvm::ArrayRef<char> image,
                                                    llvm::ArrayRef<llvm::ArrayRef<char>> data) {
  static const char zeros[64] = {};
  bool sent = send(&header, sizeof(header)) && send(image.data(), image.size());
  for (llvm::ArrayRef<char> piece : data)
    sent = sent && send(piece.data(), piece.size()) && send(zeros, llvm::alignTo(piece.size(), 64) - piece.size());
  // The worker keeps to the time itself; this is for a worker that does not.
  double deadline = now() + header.timeout_seconds + 10;
  WorkerReply reply;
  bool received = sent && receive(&reply.header, sizeof(reply.header), deadline);
  if (received && (reply.header.magic != CAMEO_WORKER_MAGIC || reply.header.version != CAMEO_WORKER_VERSION))
    return llvm::createStringError(command.text + ": expected a cameo-worker of this version");
  if (received) {
    reply.message.resize(reply.header.message_bytes);
    reply.costs.resize(reply.header.cost_count);
    reply.outputs.resize(reply.header.output_bytes);
    received = receive(reply.message.data(), reply.message.size(), deadline) &&
               receive(reply.costs.data(), reply.costs.size() * sizeof(double), deadline) &&
               receive(reply.outputs.data(), reply.outputs.size(), deadline);
  }
  if (!received)
    return llvm::createStringError(command.text + " ended without a reply");
  return reply;
}

llvm::Expected<WorkerReply> WorkerProcess::request(cameo_worker_request header, llvm::ArrayRef<char> image,
                                                   llvm::ArrayRef<llvm::ArrayRef<char>> data) {
  if (channel < 0)
    if (llvm::Error error = start())
      return std::move(error);
  header.magic = CAMEO_WORKER_MAGIC;
  header.version = CAMEO_WORKER_VERSION;
  header.image_bytes = image.size();
  header.data_bytes = 0;
  for (llvm::ArrayRef<char> piece : data)
    header.data_bytes += llvm::alignTo(piece.size(), 64);
  llvm::Expected<WorkerReply> reply = exchange(header, image, data);
  if (!reply)
    stop();
  return reply;
}
