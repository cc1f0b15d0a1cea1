// A switch saves the signal mask where ucontext does it, which is a system call; only the first one to each stack is
// such. A thread that meets no barrier leaves its stack to the next one.
#undef _FORTIFY_SOURCE
#include "Block.h"

#include "Check.h"
#include "Matrices.h"

#include <algorithm>
#include <array>
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
  bool isInWarp = false;    ///< waits for the others of its warp alone
  uint32_t exchanged = 0;   ///< how often it did
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
  WarpRegisters *warp = nullptr; ///< what the threads of the current one hand on
  int32_t lane = 0;              ///< of the current thread
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

/// What all threads of the warp have given, when they have. Twice in turns: a thread that goes on may give the next one
/// before others have looked at this one.
WarpRegisters &exchange(const void *given, size_t bytes) {
  Fiber *fiber = scheduler.current;
  WarpRegisters &registers = scheduler.warp[fiber->exchanged++ % 2];
  memcpy(registers[scheduler.lane].data(), given, bytes);
  fiber->isInWarp = true;
  leave();
  return registers;
}

void loadMatrices(const void *row, int32_t count, int32_t isTransposed, uint32_t *registers) {
  WarpRegisters &rows = exchange(&row, sizeof row);
  ReadHook noteRead = nullptr;
  if (scheduler.isChecked)
    noteRead = [](const void *from, size_t bytes) {
      access(const_cast<void *>(from), static_cast<int64_t>(bytes), readAccess);
    };
  for (int32_t matrix = 0; matrix < count; ++matrix)
    registers[matrix] = loadPart(rows, matrix, scheduler.lane, isTransposed != 0, noteRead);
}

void multiply(int32_t kind, uint32_t *registers) {
  const WarpRegisters &all = exchange(registers, sizeof(WarpRegisters::value_type));
  auto numbers = static_cast<Numbers>(kind);
  if (!areNumbers(all[static_cast<size_t>(scheduler.lane)], numbers)) {
    noteProblem("multiplies a number as tf32 that was not converted to it");
    scheduler.current->isStuck = true;
    leave();
  }
  multiplyMatrices(all, scheduler.lane, numbers, registers + sumPlace);
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

namespace {

/// The threads of a block, which of them wait, and what those of a warp exchange.
class BlockThreads {
public:
  BlockThreads(const ImageVariables &variables, int32_t threads, bool isBackward)
      : variables(variables), waiting(threads, nullptr), isBackward(isBackward) {}

  /// False where some threads wait for others that do not come.
  bool run();

private:
  bool runWarp(int32_t first, int32_t count, uint32_t phase);
  bool runThread(int32_t thread, uint32_t phase);

  const ImageVariables &variables;
  std::vector<Fiber *> waiting; ///< null: has ended, or not begun
  bool isBackward, isFirst = true;
  int32_t waitingCount = 0;
};

/// Until it waits or ends.
bool BlockThreads::runThread(int32_t thread, uint32_t phase) {
  Fiber *fiber = waiting[thread];
  if (!fiber && scheduler.idle.empty())
    scheduler.idle.push_back(createFiber());
  if (!fiber) {
    fiber = scheduler.idle.back();
    scheduler.idle.pop_back();
    fiber->copies.clear();
    fiber->groups = 0;
    fiber->exchanged = 0;
  }
  *variables.thread = thread;
  setThread(thread, phase);
  fiber->isInWarp = false;
  enter(fiber);
  // Its stack, and those of threads that wait, stay as they are.
  if (fiber->isStuck)
    return false;
  bool goesOn = fiber->isWaiting || fiber->isInWarp;
  waiting[thread] = goesOn ? fiber : nullptr;
  if (!goesOn)
    scheduler.idle.push_back(fiber);
  return true;
}

/// All threads of a warp up to the next barrier of the block, or the end.
bool BlockThreads::runWarp(int32_t first, int32_t count, uint32_t phase) {
  std::array<WarpRegisters, 2> registers;
  scheduler.warp = registers.data();
  for (bool begins = true;; begins = false) {
    int32_t inWarp = 0;
    for (int32_t number = 0; number < count; ++number) {
      scheduler.lane = isBackward ? count - 1 - number : number;
      int32_t thread = first + scheduler.lane;
      if (!waiting[thread] && !(isFirst && begins))
        continue;
      if (!runThread(thread, phase))
        return false;
      inWarp += waiting[thread] && waiting[thread]->isInWarp;
    }
    if (inWarp > 0 && inWarp < count)
      return false;
    if (inWarp == 0)
      break;
  }
  for (int32_t lane = 0; lane < count; ++lane)
    waitingCount += waiting[first + lane] != nullptr;
  return true;
}

bool BlockThreads::run() {
  auto threads = static_cast<int32_t>(waiting.size());
  int32_t warps = (threads + warpThreads - 1) / warpThreads;
  for (uint32_t phase = 0; isFirst || waitingCount > 0; isFirst = false, ++phase) {
    int32_t before = isFirst ? threads : waitingCount;
    waitingCount = 0;
    for (int32_t number = 0; number < warps; ++number) {
      int32_t first = (isBackward ? warps - 1 - number : number) * warpThreads;
      if (!runWarp(first, std::min(warpThreads, threads - first), phase))
        return false;
    }
    // Stacks of threads that wait for ever stay as they are.
    if (waitingCount > 0 && waitingCount < before)
      return false;
  }
  return true;
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
  if (variables.multiply) {
    *variables.loadMatrices = loadMatrices;
    *variables.multiply = multiply;
  }
  scheduler.isChecked = variables.access;
  scheduler.isEarly = isEarly();
  return BlockThreads(variables, threads, isBackward).run();
}

} // namespace emulator
