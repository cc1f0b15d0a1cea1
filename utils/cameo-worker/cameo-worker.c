/* The measuring side of the tuner: runs the candidates of packages, each in a child process, and reports what happened.
 * Small and without LLVM, so that it also runs on boards and may be killed at any time. See
 * autotune/Measure/PackageFormat.h. */
#define _GNU_SOURCE
#include "buffer.h"
#include "package.h"
#include "result_line.h"
#include "run_package.h"
#include "stream.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char usage[] = "usage: cameo-worker [PACKAGE]\n\n"
                            "Runs the candidates of 'cameo tune', which starts it, here or by --measure=command:... on "
                            "another machine: packages come\n"
                            "through standard input, and results leave through standard output as lines of JSON. With "
                            "a package, or a bundle of\n"
                            "--measure=bundle:..., it measures what that holds, and ends.\n";
static const char usage_of_bundle[] =
    "usage: BUNDLE > RESULTS.jsonl\n\n"
    "Measures the candidates of 'cameo tune' that it holds, for which this machine has to be that of --target. The "
    "same\n"
    "'cameo tune' command, with --resume, takes the results up from the file BUNDLE.jsonl beside the bundle.\n";

static int fail(const char *name, const char *what) {
  fprintf(stderr, "cameo-worker: error: %s%s%s\n", name, *name ? ": " : "", what);
  return 1;
}

/* Measures packages until the input ends. */
static int serve_input(void) {
  buffer room = {0};
  cameo_package header;
  while (read_all(STDIN_FILENO, &header, sizeof(header))) {
    package each;
    bool is_heard = true;
    const char *wrong = check_header(&header);
    if (!wrong && !reserve(&room, header.bytes))
      wrong = "no memory for the package";
    if (wrong) {
      write_refusal(STDOUT_FILENO, header.digest, wrong);
      return 1;
    }
    memcpy(room.bytes, &header, sizeof(header));
    if (!read_all(STDIN_FILENO, room.bytes + sizeof(header), header.bytes - sizeof(header)))
      return 1;
    wrong = open_package(&each, room.bytes, header.bytes);
    if (!wrong)
      wrong = run_package(&each, STDOUT_FILENO, &is_heard);
    if (wrong)
      is_heard = write_refusal(STDOUT_FILENO, header.digest, wrong);
    if (!is_heard)
      return 1;
    /* fork() copies the page tables: a large package, which only confirmations with real weights need, must not slow
     * down each candidate. */
    if (header.bytes > 4 << 20)
      release(&room);
  }
  return 0;
}

static int run_file(int file, const char *name, uint64_t offset, uint64_t count) {
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), begin = offset / page * page;
  const char *mapped = mmap(NULL, (size_t)(offset - begin + count), PROT_READ, MAP_PRIVATE, file, (off_t)begin);
  if (mapped == MAP_FAILED)
    return fail(name, strerror(errno));
  package self;
  bool is_heard = true;
  const char *wrong = open_package(&self, mapped + (offset - begin), count);
  if (!wrong)
    wrong = run_package(&self, STDOUT_FILENO, &is_heard);
  if (wrong)
    return fail(name, wrong);
  return is_heard ? 0 : fail(name, "the results cannot be written");
}

/* Handles arguments of the command line: a package, or --help. */
static int answer_arguments(int count, char **arguments, bool is_bundle) {
  bool is_help = count == 2 && strcmp(arguments[1], "--help") == 0;
  if (is_help) {
    fputs(is_bundle ? usage_of_bundle : usage, stdout);
    return 0;
  }
  if (is_bundle || count > 2 || arguments[1][0] == '-') {
    fprintf(stderr, "cameo-worker: error: unexpected argument '%s'\n%s", arguments[count > 2 ? 2 : 1],
            is_bundle ? usage_of_bundle : usage);
    return 1;
  }
  uint64_t offset, size;
  int file = open(arguments[1], O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return fail(arguments[1], strerror(errno));
  return find_package(file, &offset, &size) ? run_file(file, arguments[1], offset, size)
                                            : fail(arguments[1], "expected a measurement package");
}

int main(int argc, char **argv) {
  uint64_t offset, count;
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  int self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  bool is_bundle = self >= 0 && find_package(self, &offset, &count);
  if (argc > 1)
    return answer_arguments(argc, argv, is_bundle);
  return is_bundle ? run_file(self, argv[0], offset, count) : serve_input();
}
