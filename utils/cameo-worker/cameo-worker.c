/* The measuring side of the tuner: receives candidates, runs each in a child process and reports what happened. Small and without
 * LLVM, so that it also runs on boards and may be killed at any time. See autotune/Measure/WorkerProtocol.h. */
#define _GNU_SOURCE
#include "buffer.h"
#include "candidate.h"
#include "machine.h"

#include "cameo/abi.h"
#include "cameo/runtime.h"
#include "stream.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Random data for all candidates of a type, made once: filling megabytes would take longer than many a candidate runs. */
static bool keep_random(buffer *self, size_t bytes, int32_t *type, int32_t wanted_type) {
  if (bytes <= self->size && *type == wanted_type)
    return true;
  *type = wanted_type;
  return reserve_random(self, bytes > self->size ? bytes : self->size, wanted_type);
}

static bool send_message(cameo_worker_status status, int detail, const char *message) {
  cameo_worker_reply reply = {.magic = CAMEO_WORKER_MAGIC, .version = CAMEO_WORKER_VERSION, .status = status,
                              .detail = detail, .message_bytes = (uint32_t)strlen(message)};
  return write_all(STDOUT_FILENO, &reply, sizeof(reply)) && write_all(STDOUT_FILENO, message, reply.message_bytes);
}

/* Reads what the child says until it ends or the time is over; false then. */
static bool collect(int descriptor, double timeout_seconds, buffer *reply) {
  uint64_t deadline = cameo_now() + (uint64_t)(timeout_seconds * 1e9);
  reply->size = 0;
  for (;;) {
    uint64_t now = cameo_now();
    struct pollfd poller = {descriptor, POLLIN, 0};
    if (now >= deadline || !reserve(reply, reply->size + 65536))
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

/* False when nobody listens any more. */
static bool describe(const cameo_worker_request *request, const buffer *data) {
  enum { most = 1024 };
  char message[most];
  cameo_worker_target target;
  if (request->data_bytes < sizeof(target))
    return send_message(CAMEO_WORKER_FAILED, 0, "expected a target");
  memcpy(&target, data->bytes, sizeof(target));
  if (!fits_machine(&target, message, most))
    return send_message(CAMEO_WORKER_REFUSED, 0, message);
  describe_machine(message, most);
  return send_message(CAMEO_WORKER_OK, 0, message);
}

static void become_child(const candidate_source *source, int descriptor) {
  /* Nothing that the candidate prints or reads may get into the protocol; it ends when the worker does. */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setpgid(0, 0);
  if (!freopen("/dev/null", "r", stdin) || !freopen("/dev/null", "w", stdout))
    _exit(1);
  run_candidate(source, descriptor);
  _exit(0);
}

/* False when nobody listens any more. */
static bool serve(const candidate_source *source, buffer *reply) {
  int ends[2];
  if (pipe(ends) != 0)
    return send_message(CAMEO_WORKER_FAILED, errno, strerror(errno));
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    become_child(source, ends[1]);
  }
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return send_message(CAMEO_WORKER_FAILED, errno, strerror(errno));
  }
  bool ended = collect(ends[0], source->request->timeout_seconds, reply);
  close(ends[0]);
  if (!ended) {
    kill(-child, SIGKILL);
    kill(child, SIGKILL);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!ended)
    return send_message(CAMEO_WORKER_TIMED_OUT, 0, "still running");
  if (WIFSIGNALED(status))
    return send_message(CAMEO_WORKER_CRASHED, WTERMSIG(status), strsignal(WTERMSIG(status)));
  if (WEXITSTATUS(status) != 0 || reply->size < sizeof(cameo_worker_reply))
    return send_message(CAMEO_WORKER_CRASHED, 0, "ended without a result");
  return write_all(STDOUT_FILENO, reply->bytes, reply->size);
}

/* Run by hand: the only option is --help. */
static int answer_options(int count, char **options) {
  bool is_help = count == 2 && strcmp(options[1], "--help") == 0;
  FILE *to = is_help ? stdout : stderr;
  if (!is_help)
    fprintf(to, "cameo-worker: error: unexpected argument '%s'\n", options[1]);
  fputs("usage: cameo-worker\n\n"
        "Runs the candidates of 'cameo tune', which starts it, here or by --measure=command:... on another machine:\n"
        "requests come through standard input and replies leave through standard output, both in a binary form of\n"
        "this version of Cameo.\n",
        to);
  return is_help ? 0 : 1;
}

int main(int argc, char **argv) {
  if (argc > 1)
    return answer_options(argc, argv);
  buffer image = {0}, data = {0}, random = {0}, reply = {0};
  cameo_worker_request request;
  int32_t random_type = CAMEO_FLOAT32;
  uint64_t *rotation = mmap(NULL, sizeof(uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (rotation == MAP_FAILED)
    return 1;
  signal(SIGPIPE, SIG_IGN);
  while (read_all(STDIN_FILENO, &request, sizeof(request))) {
    if (request.magic != CAMEO_WORKER_MAGIC || request.version != CAMEO_WORKER_VERSION ||
        request.repeats > CAMEO_WORKER_MAX_REPEATS) {
      send_message(CAMEO_WORKER_FAILED, 0, "expected a request of this version");
      return 1;
    }
    if (!reserve(&image, request.image_bytes) || !reserve(&data, request.data_bytes) ||
        !keep_random(&random, request.random_bytes + request.rotation_bytes, &random_type, (int32_t)request.weights_type)) {
      send_message(CAMEO_WORKER_NO_MEMORY, 0, "no memory for the request");
      return 1;
    }
    if (!read_all(STDIN_FILENO, image.bytes, request.image_bytes) ||
        !read_all(STDIN_FILENO, data.bytes, request.data_bytes))
      return 1;
    if (request.kind == CAMEO_WORKER_DESCRIBE) {
      if (!describe(&request, &data))
        return 1;
      continue;
    }
    int file = memfd_create("candidate", MFD_CLOEXEC);
    if (file < 0 || !write_all(file, image.bytes, request.image_bytes)) {
      send_message(CAMEO_WORKER_FAILED, errno, strerror(errno));
      return 1;
    }
    candidate_source source = {&request, file, request.data_bytes ? data.bytes : NULL, random.bytes, rotation};
    bool heard = serve(&source, &reply);
    close(file);
    if (!heard)
      return 1;
    /* fork() copies the tables of all pages: what only winners have, real weights and outputs, must not make each candidate wait. */
    if (request.data_bytes) {
      release(&data);
      release(&reply);
    }
  }
  return 0;
}
