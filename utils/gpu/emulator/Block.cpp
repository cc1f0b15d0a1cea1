// A switch saves the signal mask where ucontext does it, which is a system call; only the first one to each stack is
// such. A thread that meets no barrier leaves its stack to the next one.
#undef _FORTIFY_SOURCE
#include "Block.h"

#include "Check.h"

#include <csetjmp>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <ucontext.h>
#include <vector>

namespace emulator {
namespace {

constexpr size_t stackBytes = 256 * 1024;

/// A copy past registers that has not arrived.
struct Copy {
  void *to;
  const void *from;
  int32_t bytes, copiedBytes, group;
};

struct Fiber {
  jmp_buf place;
  ucontext_t first;
  bool isStarted = false, isWaiting = false, isStuck = false;
  std::vector<Copy> copies; ///< of its thread, which are under way
  int32_t groups = 0;       ///< that the thread has ended
};

struct Scheduler {
  jmp_buf place;
  std::vector<Fiber *> idle;
  Fiber *current = nullptr;
  Kernel kernel = nullptr;
  void **arguments = nullptr;
  bool isChecked = false, isEarly = false;
};
Scheduler scheduler;

void leave() {
  if (_setjmp(scheduler.current->place) == 0)
    _longjmp(scheduler.place, 1);
}

void wait() {
  scheduler.current->isWaiting = true;
  leave();
}

/// A thread whose access cannot be made stays where it is.
void access(void *address, int64_t bytes, int32_t kind) {
  if (noteAccess(address, static_cast<size_t>(bytes), static_cast<AccessKind>(kind)))
    return;
  scheduler.current->isStuck = true;
  leave();
}

/// Whether copies arrive as they begin, or as late as they may.
bool isEarly() {
  const char *copies = getenv("CAMEO_EMULATOR_COPIES");
  return copies && strcmp(copies, "early") == 0;
}

void move(const Copy &copy) {
  memcpy(copy.to, copy.from, copy.copiedBytes);
  memset(static_cast<char *>(copy.to) + copy.copiedBytes, 0, copy.bytes - copy.copiedBytes);
}

/// It may write from here on until it is waited for; nobody may read what is there meanwhile.
void beginCopy(void *to, const void *from, int32_t bytes, int32_t copiedBytes) {
  Fiber *fiber = scheduler.current;
  Copy copy{to, from, bytes, copiedBytes, fiber->groups};
  if (scheduler.isChecked) {
    access(to, bytes, writeAccess);
    markInFlight(to, static_cast<size_t>(bytes));
  }
  if (scheduler.isEarly)
    move(copy);
  fiber->copies.push_back(copy);
}

void commitCopies() { ++scheduler.current->groups; }

void awaitCopies(int32_t groups) {
  Fiber *fiber = scheduler.current;
  std::vector<Copy> left;
  for (const Copy &copy : fiber->copies) {
    if (copy.group >= fiber->groups - groups) {
      left.push_back(copy);
      continue;
    }
    if (scheduler.isChecked && copy.copiedBytes > 0)
      access(const_cast<void *>(copy.from), copy.copiedBytes, readAccess);
    if (scheduler.isChecked)
      access(copy.to, copy.bytes, writeAccess);
    if (!scheduler.isEarly)
      move(copy);
  }
  fiber->copies = std::move(left);
}

void runThreads() {
  for (;;) {
    scheduler.kernel(scheduler.arguments);
    scheduler.current->isWaiting = false;
    leave();
  }
}

Fiber *createFiber() {
  auto *fiber = new Fiber;
  getcontext(&fiber->first);
  fiber->first.uc_stack.ss_sp =
      mmap(nullptr, stackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (fiber->first.uc_stack.ss_sp == MAP_FAILED)
    abort();
  fiber->first.uc_stack.ss_size = stackBytes;
  makecontext(&fiber->first, runThreads, 0);
  return fiber;
}

/// Lets `fiber` run until it waits or its thread ends.
void enter(Fiber *fiber) {
  scheduler.current = fiber;
  if (_setjmp(scheduler.place) != 0)
    return;
  if (fiber->isStarted)
    _longjmp(fiber->place, 1);
  fiber->isStarted = true;
  setcontext(&fiber->first);
}

} // namespace

bool runBlock(const ImageVariables &variables, Kernel kernel, void **arguments, int32_t block, int32_t threads,
              bool isBackward) {
  scheduler.kernel = kernel;
  scheduler.arguments = arguments;
  *variables.barrier = wait;
  *variables.block = block;
  if (variables.access)
    *variables.access = access;
  if (variables.copy) {
    *variables.copy = beginCopy;
    *variables.commit = commitCopies;
    *variables.await = awaitCopies;
  }
  scheduler.isChecked = variables.access;
  scheduler.isEarly = isEarly();
  std::vector<Fiber *> waiting(threads, nullptr);
  bool isFirst = true;
  uint32_t phase = 0;
  for (int32_t waitingCount = 0; isFirst || waitingCount > 0; isFirst = false, ++phase) {
    int32_t before = isFirst ? threads : waitingCount;
    waitingCount = 0;
    for (int32_t number = 0; number < threads; ++number) {
      int32_t thread = isBackward ? threads - 1 - number : number;
      Fiber *fiber = waiting[thread];
      if (!isFirst && !fiber)
        continue;
      if (!fiber && scheduler.idle.empty())
        scheduler.idle.push_back(createFiber());
      if (!fiber) {
        fiber = scheduler.idle.back();
        scheduler.idle.pop_back();
        fiber->copies.clear();
        fiber->groups = 0;
      }
      *variables.thread = thread;
      setThread(thread, phase);
      enter(fiber);
      // Its stack, and those of threads that wait, stay as they are.
      if (fiber->isStuck)
        return false;
      waiting[thread] = fiber->isWaiting ? fiber : nullptr;
      waitingCount += fiber->isWaiting;
      if (!fiber->isWaiting)
        scheduler.idle.push_back(fiber);
    }
    // Stacks of threads that wait for ever stay as they are.
    if (waitingCount > 0 && waitingCount < before)
      return false;
  }
  return true;
}

} // namespace emulator
