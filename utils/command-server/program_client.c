/* Stands in for cameo and cameo-opt in tests: hands its command line, folder, environment, limits and streams to the
 * server (ProgramServer.cpp), passes signals on, and ends as the program there did. It loads no library but the C
 * library, which is what makes it quick. */
#define _GNU_SOURCE
#include "program_request.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static volatile sig_atomic_t program;

static void pass_on(int number) { kill(program, number); }

static int fail(const char *what) {
  fprintf(stderr, "program-client: error: %s: %s\n", what, strerror(errno));
  return 127;
}

static int connect_to(const char *name) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  size_t length = strlen(name);
  if (length + 1 > sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  memcpy(address.sun_path + 1, name, length);
  int stream = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
  if (stream >= 0 && connect(stream, (struct sockaddr *)&address, size) != 0)
    return -1;
  return stream;
}

static int send_all(int stream, const char *data, size_t bytes) {
  while (bytes > 0) {
    ssize_t sent = send(stream, data, bytes, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      return 0;
    data += sent;
    bytes -= (size_t)sent;
  }
  return 1;
}

static int receive(int stream, int *value) {
  ssize_t got;
  while ((got = recv(stream, value, sizeof *value, MSG_WAITALL)) < 0 && errno == EINTR)
    ;
  return got == sizeof *value;
}

static int send_request(int stream, cameo_program_request *request) {
  int descriptors[CAMEO_PROGRAM_DESCRIPTORS] = {open(".", O_PATH | O_DIRECTORY | O_CLOEXEC)};
  size_t count = 1;
  for (int each = 0; each < CAMEO_PROGRAM_STREAMS; ++each)
    if (fcntl(each, F_GETFD) >= 0) {
      descriptors[count++] = each;
      request->open_streams |= 1u << each;
    }
  _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof descriptors)] = {0};
  struct iovec data = {request, sizeof *request};
  struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = control};
  message.msg_controllen = CMSG_SPACE(count * sizeof(int));
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(count * sizeof(int));
  memcpy(CMSG_DATA(header), descriptors, count * sizeof(int));
  return sendmsg(stream, &message, MSG_NOSIGNAL) == (ssize_t)sizeof *request;
}

/* Ends this process by the signal that ended the program, which has left a core already if one was wanted. */
static int end_by(int number) {
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  signal(number, SIG_DFL);
  raise(number);
  return 128 + number;
}

int main(int argc, char **argv) {
  const char *name = getenv(CAMEO_PROGRAM_SERVER_VARIABLE);
  if (!name) {
    errno = ENOENT;
    return fail(CAMEO_PROGRAM_SERVER_VARIABLE);
  }
  int stream = connect_to(name);
  if (stream < 0)
    return fail(name);
  cameo_program_request request = {.argument_count = (uint32_t)argc};
  for (char **word = argv; *word; ++word)
    request.bytes += (uint32_t)strlen(*word) + 1;
  for (char **word = environ; *word; ++word)
    request.bytes += (uint32_t)strlen(*word) + 1;
  request.mask = umask(0);
  umask(request.mask);
  for (int each = 0; each < RLIM_NLIMITS; ++each)
    getrlimit(each, &request.limits[each]);
  int sent = send_request(stream, &request);
  for (char **word = argv; sent && *word; ++word)
    sent = send_all(stream, *word, strlen(*word) + 1);
  for (char **word = environ; sent && *word; ++word)
    sent = send_all(stream, *word, strlen(*word) + 1);
  int process, status;
  if (!sent || !receive(stream, &process))
    return fail("expected a process of the server");
  program = process;
  const int passed[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
  for (size_t each = 0; each < sizeof passed / sizeof *passed; ++each)
    signal(passed[each], pass_on);
  /* What reads the program's output sees its end when that has ended. */
  for (int each = 0; each < CAMEO_PROGRAM_STREAMS - 1; ++each)
    close(each);
  if (!receive(stream, &status))
    return fail("expected a status of the server");
  return WIFSIGNALED(status) ? end_by(WTERMSIG(status)) : WEXITSTATUS(status);
}
