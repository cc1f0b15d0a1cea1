// A switch saves the signal mask where ucontext does it, which is a system call; only the first one to each stack is such. A thread that meets no barrier leaves its stack to the
// next one.
#undef _FORTIFY_SOURCE
#include "Block.h"

#include "Check.h"

#include <csetjmp>
#include <cstdlib>
#include <sys/mman.h>
#include <ucontext.h>
#include <vector>

namespace emulator {
namespace {

constexpr size_t stackBytes = 256 * 1024;

struct Fiber {
  jmp_buf place;
  ucontext_t first;
  bool isStarted = false, isWaiting = false, isStuck = false;
};

struct Scheduler {
  jmp_buf place;
  std::vector<Fiber *> idle;
  Fiber *current = nullptr;
  Kernel kernel = nullptr;
  void **arguments = nullptr;
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
  fiber->first.uc_stack.ss_sp = mmap(nullptr, stackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
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

bool runBlock(const ImageVariables &variables, Kernel kernel, void **arguments, int32_t block, int32_t threads, bool isBackward) {
  scheduler.kernel = kernel;
  scheduler.arguments = arguments;
  *variables.barrier = wait;
  *variables.block = block;
  if (variables.access)
    *variables.access = access;
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
