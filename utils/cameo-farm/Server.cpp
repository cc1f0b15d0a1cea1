#include "Server.h"

#include "Connection.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iostream>
#include <netinet/in.h>
#include <random>
#include <sstream>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cameo::farm {

static volatile sig_atomic_t isStopped = 0;

/// Searches PATH and the folder of Debian's package, which is not in every PATH.
static std::string findServer() {
  std::string path = std::string(std::getenv("PATH") ? std::getenv("PATH") : "") + ":/usr/sbin:/usr/local/bin";
  for (size_t begin = 0; begin <= path.size();) {
    size_t end = std::min(path.find(':', begin), path.size());
    std::string program = path.substr(begin, end - begin) + "/nats-server";
    if (access(program.c_str(), X_OK) == 0)
      return program;
    begin = end + 1;
  }
  return "";
}

/// Returns a port on which nobody listens; 0 if there is none.
static int freePort() {
  int probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  bool isBound = bind(probe, reinterpret_cast<sockaddr *>(&address), size) == 0 &&
                 getsockname(probe, reinterpret_cast<sockaddr *>(&address), &size) == 0;
  close(probe);
  return isBound ? ntohs(address.sin_port) : 0;
}

static std::string randomWord() {
  std::random_device random;
  uint8_t bytes[16];
  for (uint8_t &each : bytes)
    each = static_cast<uint8_t>(random());
  return hexOf(bytes, sizeof(bytes));
}

/// Writes a file that only its owner can read, because it holds passwords. If there is no room, the old file stays.
static Failure writePrivate(const std::string &path, const std::string &text) {
  std::string fresh = path + ".new";
  errno = 0;
  int file = open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  bool isWritten = file >= 0 && write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
                   rename(fresh.c_str(), path.c_str()) == 0;
  // A short write sets no error.
  int error = errno ? errno : ENOSPC;
  if (file >= 0)
    close(file);
  if (isWritten)
    return "";
  unlink(fresh.c_str());
  return path + ": " + std::strerror(error);
}

/// Returns the size limit of the server's streams, which the first start computes. By default a server takes three
/// quarters of the free space at each start, and drops streams that no longer fit.
static uint64_t findRoom(const std::string &folder) {
  std::stringstream old;
  old << std::ifstream(folder + "/nats-server.conf").rdbuf();
  std::string text = old.str(), word = "max_file_store: ";
  if (size_t at = text.find(word); at != std::string::npos)
    return std::strtoull(text.c_str() + at + word.size(), nullptr, 10);
  struct statvfs disk = {};
  return statvfs(folder.c_str(), &disk) == 0 ? uint64_t(disk.f_bavail) * disk.f_frsize / 4 * 3 : uint64_t(1) << 30;
}

/// Creates the configuration of the server. `url` is that of an earlier start, if there was one, and is in DIR/url.
static Failure configure(const std::string &folder, const Arguments &arguments, std::string &url) {
  long port = -1;
  if (Failure failure = arguments.get("--port", 0, 65535, port); !failure.empty())
    return failure;
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    return folder + ": " + std::strerror(errno);
  std::ifstream old(folder + "/url");
  std::getline(old, url);
  size_t at = url.rfind('@'), colon = url.rfind(':');
  std::string password =
      url.rfind("nats://cameo:", 0) == 0 && at != std::string::npos ? url.substr(13, at - 13) : randomWord();
  if (port < 0)
    port = at != std::string::npos && colon > at ? std::atol(url.c_str() + colon + 1) : 4222;
  if (port == 0 && (port = freePort()) == 0)
    return "no free port";
  url = "nats://cameo:" + password + "@127.0.0.1:" + std::to_string(port);
  if (Failure failure = writePrivate(folder + "/url", url + '\n'); !failure.empty())
    return failure;
  return writePrivate(folder + "/nats-server.conf",
                      "# Written by 'cameo farm start'.\nlisten: \"127.0.0.1:" + std::to_string(port) +
                          "\"\nmax_payload: 8MB\njetstream { store_dir: \"store\", max_file_store: " +
                          std::to_string(findRoom(folder)) + " }\nauthorization { user: cameo, password: \"" +
                          password + "\" }\n");
}

static pid_t launch(const std::string &program, const std::string &folder, bool isDetached) {
  pid_t server = fork();
  if (server != 0)
    return server;
  if (isDetached)
    setsid();
  else
    prctl(PR_SET_PDEATHSIG, SIGTERM);
  // Ctrl-C on the terminal goes to this process, which ends the server.
  setpgid(0, 0);
  int log = open((folder + "/log").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600), null = open("/dev/null", O_RDONLY);
  dup2(null, STDIN_FILENO);
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  if (chdir(folder.c_str()) == 0)
    execl(program.c_str(), "nats-server", "-c", "nats-server.conf", static_cast<char *>(nullptr));
  _exit(127);
}

/// The server need not be a child of this process.
static bool isRunning(pid_t server) {
  pid_t ended = waitpid(server, nullptr, WNOHANG);
  return ended == 0 || (ended < 0 && errno == ECHILD && kill(server, 0) == 0);
}

static void endServer(pid_t server) {
  kill(server, SIGTERM);
  for (int tries = 0; tries < 100 && isRunning(server); ++tries)
    usleep(100000);
  // A hanging server does not react to SIGTERM.
  if (isRunning(server))
    kill(server, SIGKILL);
}

namespace {

/// Runs a server from its start to its end.
class Server {
public:
  Server(std::string program, std::string folder, bool isDetached)
      : program(std::move(program)), folder(std::move(folder)), isDetached(isDetached) {}

  /// Returns when the server answers at `url`.
  Failure start(std::string url);
  /// Returns when the server has ended, or when this process is told to end it. Restarts the server if it does not
  /// report on one of its streams for `patienceMilliseconds`.
  Failure watch(int64_t patienceMilliseconds);

private:
  Failure writeId() const { return writePrivate(folder + "/pid", std::to_string(server) + '\n'); }

  std::string program, folder;
  bool isDetached;
  pid_t server = 0;
  std::unique_ptr<Connection> connection;
};

} // namespace

Failure Server::start(std::string url) {
  server = launch(program, folder, isDetached);
  char *words[] = {nullptr, const_cast<char *>("start"), const_cast<char *>("--server"), url.data()};
  Arguments own;
  if (Failure failure = Arguments::parse(4, words, own); !failure.empty())
    return failure;
  Failure failure = "the server ended at once";
  for (int tries = 0; tries < 100 && isRunning(server) && !failure.empty() && !isStopped; ++tries, usleep(100000))
    failure = Connection::open(own, "cameo farm start", 0.1, connection);
  if (!failure.empty() || !isRunning(server))
    failure = (failure.empty() ? "the server ended at once" : failure) + "; " + folder + "/log says more";
  else
    failure = writeId();
  // Without its process id nobody could stop it.
  if (!failure.empty())
    kill(server, SIGTERM);
  return failure;
}

Failure Server::watch(int64_t patienceMilliseconds) {
  constexpr int64_t pauseMilliseconds = 1000;
  int64_t heard = steadyNow(), asked = heard;
  bool isNamed = true;
  while (!isStopped && isRunning(server)) {
    usleep(100000);
    if (steadyNow() < asked + pauseMilliseconds)
      continue;
    isNamed = isNamed || writeId().empty();
    std::string stream = connection->findSilentStream();
    asked = steadyNow();
    if (stream.empty())
      heard = asked;
    if (asked < heard + patienceMilliseconds || !isRunning(server))
      continue;
    say("start: no answer about stream " + stream + ": restarting the server");
    endServer(server);
    server = launch(program, folder, isDetached);
    isNamed = writeId().empty(); // a full disk is no reason to end
    heard = steadyNow();
  }
  if (!isStopped)
    return "the server ended; " + folder + "/log says more";
  endServer(server);
  unlink((folder + "/pid").c_str());
  return "";
}

/// Detaches this process from its terminal. Its messages go to the server's log.
static void detach(const std::string &folder) {
  setsid();
  int log = open((folder + "/log").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(null, STDIN_FILENO);
  dup2(log >= 0 ? log : null, STDOUT_FILENO);
  dup2(log >= 0 ? log : null, STDERR_FILENO);
}

/// Forks a child that keeps running after this process. Returns 0 in the child. Returns in the parent the status that
/// the child writes to the pipe `ready`, plus one.
static int runBehind(int &ready) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return 2;
  // Must happen before threads are started.
  pid_t child = fork();
  close(ends[child == 0 ? 0 : 1]);
  ready = ends[1];
  if (child == 0)
    return 0;
  char status = 1;
  while (read(ends[0], &status, 1) < 0 && errno == EINTR) {
  }
  close(ends[0]);
  return status + 1;
}

int startServer(const Arguments &arguments) {
  if (arguments.getRest().size() != 1)
    return fail("start: expected a folder for the server's store");
  std::string folder = arguments.getRest().front(), program = findServer(), url;
  if (program.empty())
    return fail("start: no nats-server on this machine; it is in Debian's package nats-server");
  long patience = 30;
  if (Failure failure = arguments.get("--patience", 1, 1000000, patience); !failure.empty())
    return fail("start: " + failure);
  if (Failure failure = configure(folder, arguments, url); !failure.empty())
    return fail("start: " + failure);
  bool isDetached = arguments.has("--detach");
  int ready = -1;
  if (int ended = isDetached ? runBehind(ready) : 0)
    return ended - 1;
  signal(SIGINT, [](int) { isStopped = 1; });
  signal(SIGTERM, [](int) { isStopped = 1; });
  signal(SIGPIPE, SIG_IGN);
  Server server(program, folder, isDetached);
  if (Failure failure = server.start(url); !failure.empty())
    return fail("start: " + failure);
  std::cout << "server: " << url << "\nalso in " << folder << "/url, which --server and --measure=farm: take, too"
            << std::endl;
  if (isDetached) {
    detach(folder);
    char status = 0;
    (void)!write(ready, &status, 1);
    close(ready);
  }
  if (Failure failure = server.watch(patience * 1000); !failure.empty())
    return fail("start: " + failure);
  return 0;
}

int stopServer(const Arguments &arguments) {
  if (arguments.getRest().size() != 1)
    return fail("stop: expected the folder of 'cameo farm start'");
  std::string folder = arguments.getRest().front(), name;
  long server = 0;
  std::ifstream(folder + "/pid") >> server;
  std::ifstream(server > 0 ? "/proc/" + std::to_string(server) + "/comm" : "") >> name;
  if (name != "nats-server")
    return fail("stop: no server of " + folder + " is running");
  endServer(static_cast<pid_t>(server));
  unlink((folder + "/pid").c_str());
  return 0;
}

} // namespace cameo::farm
