// Runs cameo and cameo-opt for tests, each command in a child of its own: what all of them begin with, loading the
// libraries of LLVM and MLIR, is done once. program_client.c asks for it in the programs' place; program_request.h says
// how. Prints the name of its socket, and ends with its input.
#include "passes/Target/TargetInfo.h"
#include "utils/cameo-opt/Optimizer.h"
#include "utils/cameo/CommandLine/Command.h"
#include "utils/command-server/program_request.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"

#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

/// A command as it came, with the descriptors that came along: the folder, then the streams that are open.
struct Received {
  cameo_program_request request{};
  std::vector<int> descriptors;
  std::vector<char> words;
};

/// A process, and the connection to the client that waits for it.
struct Running {
  pid_t process;
  int client;
};

} // namespace

[[noreturn]] static void fail(const char *what) {
  std::fprintf(stderr, "program-server: error: %s: %s\n", what, std::strerror(errno));
  std::exit(1);
}

// ---- in the child ----

static int runAsProgram(std::vector<char *> &arguments) {
  int count = static_cast<int>(arguments.size()) - 1;
  if (llvm::sys::path::filename(arguments.front()) == "cameo-opt")
    return cameo::runOptimizer(count, arguments.data());
  char **begin = arguments.data();
  llvm::InitLLVM init(count, begin);
  return cameo::runProgram(llvm::ArrayRef<const char *>(begin + 1, static_cast<size_t>(count) - 1));
}

/// Becomes what the client would be: its streams, folder, limits and environment.
[[noreturn]] static void runChild(Received &received) {
  const cameo_program_request &request = received.request;
  setpgid(0, 0); // with all that it starts
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  if (fchdir(received.descriptors.front()) != 0)
    _exit(127);
  const int *next = received.descriptors.data() + 1;
  for (int stream = 0; stream < CAMEO_PROGRAM_STREAMS; ++stream)
    if (request.open_streams >> stream & 1)
      dup2(*next++, stream);
    else
      close(stream);
  close_range(CAMEO_PROGRAM_STREAMS, ~0U, 0);
  umask(request.mask);
  for (int limit = 0; limit < RLIM_NLIMITS; ++limit)
    setrlimit(static_cast<__rlimit_resource>(limit), &request.limits[limit]);

  std::vector<char *> arguments, environment;
  for (char *word = received.words.data(), *end = word + request.bytes; word != end; word += std::strlen(word) + 1)
    (arguments.size() < request.argument_count ? arguments : environment).push_back(word);
  arguments.push_back(nullptr);
  environment.push_back(nullptr);
  environ = environment.data();
  std::exit(runAsProgram(arguments));
}

// ---- in the server ----

/// False when the client is gone.
static bool receiveAll(int client, char *data, size_t bytes) {
  return recv(client, data, bytes, MSG_WAITALL) == static_cast<ssize_t>(bytes);
}

static bool receive(int client, Received &received) {
  cameo_program_request &request = received.request;
  alignas(cmsghdr) char control[CMSG_SPACE(CAMEO_PROGRAM_DESCRIPTORS * sizeof(int))];
  iovec data{&request, sizeof request};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  if (recvmsg(client, &message, MSG_WAITALL | MSG_CMSG_CLOEXEC) != static_cast<ssize_t>(sizeof request))
    return false;
  if (cmsghdr *header = CMSG_FIRSTHDR(&message)) {
    received.descriptors.resize((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
    std::memcpy(received.descriptors.data(), CMSG_DATA(header), received.descriptors.size() * sizeof(int));
  }
  received.words.resize(request.bytes);
  return !received.descriptors.empty() && receiveAll(client, received.words.data(), request.bytes);
}

static void begin(int listener, std::vector<Running> &running) {
  int client = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
  if (client < 0)
    return;
  Received received;
  pid_t process = receive(client, received) ? fork() : -1;
  if (process == 0)
    runChild(received);
  for (int descriptor : received.descriptors)
    close(descriptor);
  if (process > 0 && send(client, &process, sizeof process, MSG_NOSIGNAL) == sizeof process)
    running.push_back({process, client});
  else
    close(client);
}

/// Tells clients how their programs ended.
static void reap(std::vector<Running> &running) {
  int status = 0;
  for (pid_t process; (process = waitpid(-1, &status, WNOHANG)) > 0;)
    llvm::erase_if(running, [&](const Running &each) {
      if (each.process != process)
        return false;
      send(each.client, &status, sizeof status, MSG_NOSIGNAL);
      close(each.client);
      return true;
    });
}

static int listenTo(const std::string &name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (listener < 0 || bind(listener, reinterpret_cast<sockaddr *>(&address), size) != 0 || listen(listener, 128) != 0)
    fail(name.c_str());
  return listener;
}

int main() {
  // Registers LLVM's targets. No thread may be started, and nothing printed by LLVM's streams, before a child is forked
  // off.
  llvm::consumeError(cameo::resolveTarget("", "").takeError());
  sigset_t children;
  sigemptyset(&children);
  sigaddset(&children, SIGCHLD);
  sigprocmask(SIG_BLOCK, &children, nullptr);
  int ends = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
  std::string name = "cameo-program-server-" + std::to_string(getpid());
  int listener = listenTo(name);
  std::printf("%s\n", name.c_str());
  std::fflush(stdout);

  std::vector<Running> running;
  for (;;) {
    std::vector<pollfd> waiting = {{STDIN_FILENO, POLLIN, 0}, {listener, POLLIN, 0}, {ends, POLLIN, 0}};
    for (const Running &each : running)
      waiting.push_back({each.client, 0, 0}); // which says nothing, and hangs up when it is killed
    if (poll(waiting.data(), waiting.size(), -1) < 0)
      continue;
    for (auto [entry, each] : llvm::zip(llvm::ArrayRef(waiting).drop_front(3), running))
      if (entry.revents & (POLLHUP | POLLERR))
        kill(-each.process, SIGKILL);
    signalfd_siginfo info;
    while (read(ends, &info, sizeof info) > 0) {
    }
    reap(running);
    if (waiting[1].revents)
      begin(listener, running);
    if (waiting[0].revents)
      break;
  }
  for (const Running &each : running)
    kill(-each.process, SIGKILL);
  return 0;
}
