#define _GNU_SOURCE
#include "child.h"

#include "cameo/runtime.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Reads the reply of the child until it exits. Returns false if the time limit is exceeded. */
static bool collect(int descriptor, double timeout_seconds, buffer *reply) {
  uint64_t deadline = cameo_now() + (uint64_t)(timeout_seconds * 1e9);
  reply->size = 0;
  for (;;) {
    uint64_t now = cameo_now();
    struct pollfd poller = {descriptor, POLLIN, 0};
    if (now >= deadline || !reserve(reply, reply->size + 4096))
      return false;
    int ready = poll(&poller, 1, (int)((deadline - now) / 1000000 + 1));
    if (ready <= 0)
      continue;
    ssize_t got = read(descriptor, reply->bytes + reply->size, reply->capacity - reply->size);
    if (got == 0)
      return true;
    if (got < 0 && errno != EINTR)
      return true;
    reply->size += got > 0 ? (size_t)got : 0;
  }
}

static void become_child(const candidate_source *source, int descriptor) {
  /* Output and input of the candidate must not interfere with the results; it is killed when the worker exits. */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setpgid(0, 0);
  if (!freopen("/dev/null", "r", stdin) || !freopen("/dev/null", "w", stdout))
    _exit(1);
  run_candidate(source, descriptor);
  _exit(0);
}

static outcome without_reply(candidate_status status, const char *message) {
  return (outcome){.reply = {.status = status}, .message = message};
}

/* Parses the reply of a child that exited by itself. */
static outcome read_reply(buffer *text) {
  outcome found = {.message = ""};
  if (text->size < sizeof(found.reply))
    return without_reply(CANDIDATE_CRASHED, "ended without a result");
  memcpy(&found.reply, text->bytes, sizeof(found.reply));
  size_t costs = found.reply.cost_count * sizeof(double), message = found.reply.message_bytes;
  if (found.reply.cost_count > CAMEO_PACKAGE_MAX_REPEATS || found.reply.status > CANDIDATE_FAILED ||
      text->size != sizeof(found.reply) + message + costs)
    return without_reply(CANDIDATE_CRASHED, "ended without a result");
  /* Moves the costs to an address that is aligned for doubles, and makes room for the terminating zero of the message.
   */
  if (!reserve(text, text->size + costs + 2 * sizeof(double)))
    return without_reply(CANDIDATE_FAILED, "no memory for the reply");
  char *end = text->bytes + sizeof(found.reply) + message,
       *aligned = text->bytes + (text->size / sizeof(double) + 1) * sizeof(double);
  memcpy(aligned, end, costs);
  *end = 0;
  found.costs = (const double *)aligned;
  found.message = text->bytes + sizeof(found.reply);
  return found;
}

outcome run_child(const candidate_source *source, double timeout_seconds, buffer *text) {
  int ends[2];
  if (pipe(ends) != 0)
    return without_reply(CANDIDATE_FAILED, strerror(errno));
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    become_child(source, ends[1]);
  }
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return without_reply(CANDIDATE_FAILED, strerror(errno));
  }
  bool ended = collect(ends[0], timeout_seconds, text);
  close(ends[0]);
  if (!ended) {
    kill(-child, SIGKILL);
    kill(child, SIGKILL);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!ended)
    return without_reply(CANDIDATE_TIMED_OUT, "still running at its time limit");
  if (WIFSIGNALED(status))
    return without_reply(CANDIDATE_CRASHED, strsignal(WTERMSIG(status)));
  if (WEXITSTATUS(status) != 0)
    return without_reply(CANDIDATE_CRASHED, "ended without a result");
  return read_reply(text);
}
