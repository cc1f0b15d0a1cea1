/* `run` on one thread makes no system call and no allocation: the kernel kills this program at the first call that is
 * not exit_group, and the allocator aborts while `run` is in progress. */
#define _GNU_SOURCE
#include "ModelProgram.h"

#include <dlfcn.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

extern const cameo_model_description MODEL_DESCRIPTION;

static volatile int running;

/* The C library's own allocator under our names. */
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static void check_allocation(void) {
  if (running)
    __builtin_trap();
}

void *malloc(size_t bytes) {
  check_allocation();
  return __libc_malloc(bytes);
}
void *calloc(size_t count, size_t bytes) {
  check_allocation();
  return __libc_calloc(count, bytes);
}
void *realloc(void *memory, size_t bytes) {
  check_allocation();
  return __libc_realloc(memory, bytes);
}
void *aligned_alloc(size_t alignment, size_t bytes) {
  check_allocation();
  return __libc_memalign(alignment, bytes);
}
void free(void *memory) {
  check_allocation();
  __libc_free(memory);
}

/* From here on every system call but exit_group ends the process with SIGSYS. */
static void forbid_system_calls(void) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
  };
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  require(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "no_new_privs");
  require(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0, "seccomp");
}

int main(int argc, char **argv) {
  (void)argv;
  instance it = make_instance(&MODEL_DESCRIPTION, 1);
  cameo_context context;
  cameo_context_init(&context, NULL);
  forbid_system_calls();
  /* With an argument, show that the trap works. */
  if (argc > 1)
    getppid();
  running = 1;
  cameo_status first = run_instance(&it, NULL);
  cameo_status second = run_instance(&it, &context);
  running = 0;
  _exit(first == CAMEO_OK && second == CAMEO_OK ? 0 : 1);
}
