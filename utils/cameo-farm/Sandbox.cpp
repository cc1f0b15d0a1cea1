#include "Sandbox.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/mount.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace cameo::farm {

/// The user "nobody", as whom root's workers run.
constexpr uid_t nobody = 65534;
constexpr int ownNamespaces = CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWPID | CLONE_NEWIPC;

static Failure failOf(const char *what) { return std::string(what) + ": " + std::strerror(errno); }

static bool writeFile(const char *path, const std::string &text) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  bool isWritten = file >= 0 && write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  if (file >= 0)
    close(file);
  return isWritten;
}

/// Maps one user in a new user namespace, whose count of processes starts at 0.
static bool mapUser(uid_t user, gid_t group) {
  return writeFile("/proc/self/setgroups", "deny") &&
         writeFile("/proc/self/uid_map", std::to_string(user) + ' ' + std::to_string(user) + " 1\n") &&
         writeFile("/proc/self/gid_map", std::to_string(group) + ' ' + std::to_string(group) + " 1\n");
}

Failure enterNamespaces(const SandboxLimits &limits, std::string &missing) {
  if (limits.isOff)
    return "";
  uid_t user = geteuid();
  gid_t group = getegid();
  if (unshare(ownNamespaces | (user == 0 ? 0 : CLONE_NEWUSER)) != 0 || (user != 0 && !mapUser(user, group))) {
    missing =
        std::string("no separate namespaces (") + std::strerror(errno) +
        "): network, files and processes are protected from candidates only by the worker's filter of system calls";
    return "";
  }
  mount_attr readOnly = {};
  readOnly.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID;
  if (mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
    return failOf("sandbox: mount");
  for (const std::string &each : limits.hidden)
    if (mount("/dev/null", each.c_str(), nullptr, MS_BIND, nullptr) != 0)
      return "sandbox: cannot hide " + each + ": " + std::strerror(errno);
  if (syscall(SYS_mount_setattr, AT_FDCWD, "/", AT_RECURSIVE, &readOnly, sizeof(readOnly)) != 0)
    missing = std::string("file systems stay as they are (") + std::strerror(errno) +
              "): files are protected from candidates only by the worker's filter of system calls";
  return "";
}

static void limit(int which, rlim_t value) {
  rlimit old = {};
  getrlimit(static_cast<__rlimit_resource>(which), &old);
  value = old.rlim_max == RLIM_INFINITY ? value : std::min(value, old.rlim_max);
  rlimit limits = {value, value};
  setrlimit(static_cast<__rlimit_resource>(which), &limits);
}

#if defined(__x86_64__)
constexpr uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t architecture = AUDIT_ARCH_AARCH64;
#elif defined(__arm__)
constexpr uint32_t architecture = AUDIT_ARCH_ARM;
#elif defined(__riscv)
constexpr uint32_t architecture = AUDIT_ARCH_RISCV64;
#endif

/// Denies sockets of all kinds, changes of namespaces and mounts, and access to other processes or the kernel.
static bool filterCalls() {
  static const int denied[] = {SYS_socket,
                               SYS_socketpair,
                               SYS_connect,
                               SYS_bind,
                               SYS_listen,
                               SYS_sendto,
                               SYS_ptrace,
                               SYS_mount,
                               SYS_umount2,
                               SYS_unshare,
                               SYS_setns,
                               SYS_process_vm_readv,
                               SYS_process_vm_writev,
                               SYS_keyctl,
                               SYS_add_key,
                               SYS_bpf,
                               SYS_perf_event_open,
                               SYS_userfaultfd,
                               SYS_io_uring_setup,
                               SYS_kexec_load,
                               SYS_init_module,
                               SYS_finit_module,
                               SYS_reboot,
                               SYS_swapon,
                               SYS_pivot_root,
                               SYS_chroot,
                               SYS_open_by_handle_at};
  auto statement = [](uint16_t code, uint32_t k) { return sock_filter{code, 0, 0, k}; };
  std::vector<sock_filter> program = {statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
                                      {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, architecture},
                                      statement(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
                                      statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                                      // A filter cannot see the flags of clone3. The C library falls back to clone.
                                      {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_clone3},
                                      statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS)};
#if defined(__x86_64__)
  // System calls of the x32 ABI.
  program.push_back({BPF_JMP | BPF_JGE | BPF_K, 0, 1, 0x40000000});
  program.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS));
#endif
  for (int call : denied) {
    program.push_back({BPF_JMP | BPF_JEQ | BPF_K, 0, 1, static_cast<uint32_t>(call)});
    program.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES));
  }
  program.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  sock_fprog whole = {static_cast<unsigned short>(program.size()), program.data()};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole) == 0;
}

Failure dropRights(const SandboxLimits &limits, std::string &missing) {
  if (limits.isOff)
    return "";
  // A /proc with the processes of this namespace only. May fail, because without it only names are visible. If root
  // mounts it, it is writable, so that root can still write the user map below.
  mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC | (geteuid() == 0 ? 0 : MS_RDONLY), nullptr);
  rlim_t memory = limits.memoryMb > 0
                      ? static_cast<rlim_t>(limits.memoryMb) << 20
                      : static_cast<rlim_t>(sysconf(_SC_PHYS_PAGES)) / 2 * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
  if (!limits.hasGpu || limits.memoryMb > 0)
    limit(RLIMIT_AS, memory);
  limit(RLIMIT_FSIZE, memory); // also limits the memory files of workers
  limit(RLIMIT_NPROC, static_cast<rlim_t>(limits.processes));
  limit(RLIMIT_NOFILE, 256);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_MEMLOCK, 0);
  limit(RLIMIT_MSGQUEUE, 0);
  auto lack = [&](const std::string &what) { missing += (missing.empty() ? "" : "; ") + what; };
  if (geteuid() == 0) {
    // In a container, root may be the only user.
    if (setgroups(0, nullptr) != 0 || setresgid(nobody, nobody, nobody) != 0 || setresuid(nobody, nobody, nobody) != 0)
      lack(std::string("no other user (") + std::strerror(errno) + "): the worker is root");
    prctl(PR_SET_DUMPABLE, 1);        // otherwise its own entries of /proc would belong to root
    prctl(PR_SET_PDEATHSIG, SIGKILL); // the change of the user has cleared it
    if (geteuid() != 0 && (unshare(CLONE_NEWUSER) != 0 || !mapUser(nobody, nobody)))
      lack("no namespace of users: its processes count together with those of other workers");
  }
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !filterCalls())
    return failOf("sandbox: expected a kernel with seccomp filters");
  return "";
}

} // namespace cameo::farm
