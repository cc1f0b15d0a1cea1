#define _GNU_SOURCE
#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
enum { own_architecture = AUDIT_ARCH_X86_64 };
#elif defined(__aarch64__)
enum { own_architecture = AUDIT_ARCH_AARCH64 };
#elif defined(__arm__)
enum { own_architecture = AUDIT_ARCH_ARM };
#else
enum { own_architecture = AUDIT_ARCH_RISCV64 };
#endif

static const int connections[] = {SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen};
static const int processes[] = {
    SYS_execve,  SYS_execveat, SYS_kill, SYS_ptrace,          SYS_process_vm_readv, SYS_process_vm_writev,
    SYS_unshare, SYS_setns,    SYS_bpf,  SYS_perf_event_open,
#ifdef SYS_fork
    SYS_fork,    SYS_vfork,
#endif
};
/* System calls that modify files regardless of their flags. */
static const int changes[] = {
    SYS_unlinkat,  SYS_mkdirat, SYS_linkat,   SYS_symlinkat, SYS_fchmodat, SYS_fchmod,
    SYS_fchownat,  SYS_mknodat, SYS_truncate, SYS_mount,     SYS_openat2,
#ifdef SYS_renameat
    SYS_renameat,
#endif
    SYS_renameat2,
#ifdef SYS_unlink
    SYS_unlink,    SYS_mkdir,   SYS_rmdir,    SYS_rename,    SYS_link,     SYS_symlink,
    SYS_chmod,     SYS_chown,   SYS_mknod,    SYS_creat,
#endif
};

static void (*on_refusal)(const char *what);

static bool is_one_of(int call, const int *calls, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (calls[i] == call)
      return true;
  return false;
}

static void on_call(int signal, siginfo_t *info, void *context) {
  (void)signal;
  (void)context;
  bool is_connection = is_one_of(info->si_syscall, connections, sizeof(connections) / sizeof(int));
  bool is_process =
      info->si_syscall == SYS_clone || is_one_of(info->si_syscall, processes, sizeof(processes) / sizeof(int));
  on_refusal(is_connection ? "it tried to open a network connection, which candidates are not allowed to do"
             : is_process  ? "it tried to start a process, which candidates are not allowed to do"
                           : "it tried to open a file for writing, which candidates are not allowed to do");
}

typedef struct program {
  struct sock_filter code[256];
  unsigned short size;
} program;

static void add(program *self, uint16_t code, uint32_t k, uint8_t if_true, uint8_t if_false) {
  self->code[self->size++] = (struct sock_filter){code, if_true, if_false, k};
}

static void add_result(program *self, uint32_t result) { add(self, BPF_RET | BPF_K, result, 0, 0); }

static void trap(program *self, const int *calls, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    add(self, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)calls[i], 0, 1);
    add_result(self, SECCOMP_RET_TRAP);
  }
}

/* Traps `call` if its argument `number` has one of `flags` or, if inverted, none of them. Only the low half of the
 * argument is tested; it is first on little-endian machines, which are the only ones supported. */
static void trap_flags(program *self, int call, unsigned number, uint32_t flags, bool is_inverted) {
  add(self, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, 4);
  add(self, BPF_LD | BPF_W | BPF_ABS, (uint32_t)(offsetof(struct seccomp_data, args) + number * sizeof(uint64_t)), 0,
      0);
  add(self, BPF_JMP | BPF_JSET | BPF_K, flags, is_inverted, !is_inverted);
  add_result(self, SECCOMP_RET_TRAP);
  add_result(self, SECCOMP_RET_ALLOW);
}

bool confines_candidates(void) {
  const char *text = getenv("CAMEO_WORKER_CONFINES");
  return text && strcmp(text, "1") == 0;
}

void confine_calls(void (*refuse)(const char *what)) {
  const uint32_t writes = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
  static program self;
  self.size = 0;
  add(&self, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch), 0, 0);
  add(&self, BPF_JMP | BPF_JEQ | BPF_K, own_architecture, 1, 0);
  add_result(&self, SECCOMP_RET_KILL_PROCESS);
  add(&self, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
#if defined(__x86_64__)
  /* System calls of the x32 ABI. */
  add(&self, BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);
  add_result(&self, SECCOMP_RET_KILL_PROCESS);
#endif
  /* A filter cannot read the flags of clone3; after ENOSYS, the C library uses clone for threads. */
  add(&self, BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1);
  add_result(&self, SECCOMP_RET_ERRNO | ENOSYS);
  trap(&self, connections, sizeof(connections) / sizeof(int));
  trap(&self, processes, sizeof(processes) / sizeof(int));
  trap(&self, changes, sizeof(changes) / sizeof(int));
  trap_flags(&self, SYS_clone, 0, CLONE_THREAD, true);
#ifdef SYS_open
  trap_flags(&self, SYS_open, 1, writes, false);
#endif
  trap_flags(&self, SYS_openat, 2, writes, false);
  add_result(&self, SECCOMP_RET_ALLOW);
  struct sock_fprog whole = {self.size, self.code};
  on_refusal = refuse;
  struct sigaction action = {.sa_sigaction = on_call, .sa_flags = SA_SIGINFO | SA_NODEFER};
  sigaction(SIGSYS, &action, NULL);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole);
}
