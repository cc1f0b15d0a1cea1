// Threads switch stacks by setjmp and longjmp. swapcontext would save the signal mask with a system call, so setcontext
// only starts each stack. A thread that reaches no barrier leaves its stack to the next thread.
#undef _FORTIFY_SOURCE
#include "Block.h"

#include "Check.h"
#include "Memory.h"
#include "Products.h"

#include <algorithm>
#include <csetjmp>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sys/mman.h>
#include <ucontext.h>
#include <vector>

namespace emulator {
namespace {

constexpr size_t stackBytes = 256 * 1024;

/// An asynchronous copy that has not completed.
struct Copy {
  void *to;
  const void *from;
  int32_t bytes, copiedBytes, group;
};

} // namespace

/// The stack of a thread, and its state while it waits.
struct Fiber {
  jmp_buf place;
  ucontext_t first;
  bool isStarted = false, isStuck = false;
  bool hasEnded = false;
  int32_t barrierThreads = 0; ///< threads of the barrier at which it waits; 0: none
  bool isInWarp = false;      ///< whether it waits for the other threads of its warp only
  uint32_t exchanged = 0;     ///< number of these waits
  std::vector<Copy> copies;   ///< asynchronous copies of the thread that have not completed
  int32_t groups = 0;         ///< number of copy groups that the thread has committed
  ThreadProducts products;    ///< of the thread's group of warps
  /// The counter that the thread has read last, and its value. The thread waits until the value changes.
  const int32_t *counter = nullptr;
  int32_t seen = 0;
  bool isAtCounter = false;
  bool isAtMeeting = false; ///< whether it waits for the other blocks of its cluster
};

namespace {

struct Scheduler {
  ~Scheduler() {
    for (Fiber *fiber : idle) {
      munmap(fiber->first.uc_stack.ss_sp, fiber->first.uc_stack.ss_size);
      delete fiber;
    }
  }

  jmp_buf place;
  std::vector<Fiber *> idle; ///< stacks without a thread; stacks of stuck threads never return
  Fiber *current = nullptr;
  Kernel kernel = nullptr;
  void **arguments = nullptr;
  bool isChecked = false, isEarly = false;
  WarpRegisters *warp = nullptr;          ///< registers that the threads of the current warp exchange
  int32_t lane = 0;                       ///< of the current thread
  int32_t threads = 0;                    ///< of the current block
  int32_t thread = 0;                     ///< number of the current thread
  std::vector<Fiber *> *groups = nullptr; ///< of the current block
  GroupDescriptors *multiplied = nullptr; ///< likewise
  const char *shared = nullptr;           ///< begin of shared memory
  FindNeighbour findNeighbour;            ///< null outside of clusters
};
Scheduler scheduler;

void leave() {
  if (_setjmp(scheduler.current->place) == 0)
    _longjmp(scheduler.place, 1);
}

/// No loop that waits for a counter has a barrier. So behind one the same value may be read again.
void waitOf(int32_t threads) {
  scheduler.current->counter = nullptr;
  scheduler.current->barrierThreads = threads;
  leave();
}

void wait() { waitOf(scheduler.threads); }

/// Records a problem; the thread never continues.
void stick(const char *problem) {
  reportProblem(problem);
  scheduler.current->isStuck = true;
  leave();
}

/// Whether a product of the block that is under way reads any of these bytes.
bool isMultiplied(const void *address, size_t bytes) {
  return std::any_of(scheduler.groups->begin(), scheduler.groups->end(),
                     [&](const Fiber *fiber) { return fiber->products.reads(scheduler.shared, address, bytes); });
}

constexpr char overwrites[] = "writes to a matrix of a product that is under way";

/// Notes an access. A thread whose access is impossible never continues.
void access(void *address, int64_t bytes, int32_t kind) {
  if ((kind == writeAccess || kind == copyToAccess) && isMultiplied(address, static_cast<size_t>(bytes)))
    stick(overwrites);
  if (noteAccess(address, static_cast<size_t>(bytes), static_cast<AccessKind>(kind)))
    return;
  scheduler.current->isStuck = true;
  leave();
}

/// Counters have no cells, because they order accesses and are not checked themselves.
void touchCounter(const int32_t *counter) {
  if (!isInside(counter, sizeof *counter))
    stick("accesses a counter outside of allocated memory");
}

/// A thread that reads an unchanged counter again waits, because otherwise no other thread would run.
int32_t acquire(const int32_t *counter) {
  Fiber *fiber = scheduler.current;
  touchCounter(counter);
  if (fiber->counter == counter && fiber->seen == *counter) {
    fiber->isAtCounter = true;
    leave();
  }
  fiber->counter = counter;
  fiber->seen = *counter;
  if (scheduler.isChecked)
    noteAcquire(counter);
  return fiber->seen;
}

int32_t release(int32_t *counter, int32_t increment) {
  touchCounter(counter);
  if (scheduler.isChecked)
    noteRelease(counter);
  int32_t before = *counter;
  *counter += increment;
  return before;
}

/// Increments a counter. Orders the block after all blocks that arrived before, and later arrivals after this thread.
int32_t arrive(int32_t *counter, int32_t count) {
  touchCounter(counter);
  if (scheduler.isChecked) {
    checkOrder("counts", counter, sizeof *counter, /*isRead=*/false);
    noteRelease(counter);
    noteAcquire(counter);
  }
  bool isLast = ++*counter == count;
  if (isLast)
    *counter = 0;
  return isLast;
}

/// Whether asynchronous copies complete at once, or as late as possible.
bool isEarly() {
  const char *copies = getenv("CAMEO_EMULATOR_COPIES");
  return copies && strcmp(copies, "early") == 0;
}

void move(const Copy &copy) {
  memcpy(copy.to, copy.from, copy.copiedBytes);
  memset(static_cast<char *>(copy.to) + copy.copiedBytes, 0, copy.bytes - copy.copiedBytes);
}

/// The copy may write at any time until it is awaited, so the target counts as uninitialised until then.
void beginCopy(void *to, const void *from, int32_t bytes, int32_t copiedBytes) {
  Fiber *fiber = scheduler.current;
  Copy copy{to, from, bytes, copiedBytes, fiber->groups};
  if (isMultiplied(to, static_cast<size_t>(bytes)))
    stick(overwrites);
  if (scheduler.isChecked) {
    if (copiedBytes > 0)
      checkOrder("copies", from, static_cast<size_t>(copiedBytes), /*isRead=*/true);
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

/// Waits until all threads of the warp have called it, and returns their values. There are two buffers, because a
/// thread that continues may call it again before the others have read the values.
WarpRegisters &exchange(const void *given, size_t bytes) {
  Fiber *fiber = scheduler.current;
  WarpRegisters &registers = scheduler.warp[fiber->exchanged++ % 2];
  memcpy(registers[scheduler.lane].data(), given, bytes);
  fiber->isInWarp = true;
  leave();
  return registers;
}

/// Returns what notes reads of a kind; null if accesses are not checked.
template <AccessKind kind> ReadHook hookOf() {
  if (!scheduler.isChecked)
    return nullptr;
  return [](const void *from, size_t bytes) { access(const_cast<void *>(from), static_cast<int64_t>(bytes), kind); };
}

void loadMatrices(const void *row, int32_t count, int32_t isTransposed, uint32_t *registers) {
  WarpRegisters &rows = exchange(&row, sizeof row);
  for (int32_t matrix = 0; matrix < count; ++matrix)
    registers[matrix] = loadPart(rows, matrix, scheduler.lane, isTransposed != 0, hookOf<readAccess>());
}

void multiply(int32_t kind, uint32_t *registers) {
  const WarpRegisters &all = exchange(registers, sizeof(WarpRegisters::value_type));
  auto numbers = static_cast<Numbers>(kind);
  if (!areNumbers(all[static_cast<size_t>(scheduler.lane)], numbers))
    stick("multiplies a number as tf32 that was not converted to tf32");
  multiplyMatrices(all, scheduler.lane, numbers, registers + sumPlace);
}

/// All threads of a group of warps come, with the same matrices.
void multiplyInGroup(uint64_t left, uint64_t right, int32_t isLeftTransposed, int32_t isRightTransposed, int32_t isBf16,
                     int32_t count, float *registers) {
  std::array own = {left, right};
  exchange(own.data(), sizeof own);
  Fiber *fiber = scheduler.current;
  auto &others = (*scheduler.multiplied)[scheduler.thread / groupThreads];
  if (fiber->products.count() == others.size())
    others.push_back(own);
  if (others[fiber->products.count()] != own)
    stick("multiplies other matrices than the first thread of its group of warps");
  Descriptor leftMatrix(left, isLeftTransposed != 0), rightMatrix(right, isRightTransposed != 0);
  int32_t thread = scheduler.thread % groupThreads;
  if (const char *problem =
          fiber->products.multiply(scheduler.shared, leftMatrix, rightMatrix, thread, static_cast<Numbers>(isBf16),
                                   registers, count, hookOf<matrixAccess>()))
    stick(problem);
  if (thread == 0 && std::find(scheduler.groups->begin(), scheduler.groups->end(), fiber) == scheduler.groups->end())
    scheduler.groups->push_back(fiber);
}

void fenceProducts() { scheduler.current->products.fence(); }
void commitProducts() { scheduler.current->products.commit(); }

void awaitProducts(int32_t groups, int32_t count, float *registers) {
  if (!scheduler.current->products.await(groups, registers, count))
    stick("reads sums of a product that is under way");
}

void meetCluster() {
  scheduler.current->isAtMeeting = true;
  leave();
}

void readNeighbour(const void *address, int32_t number, int32_t count, uint32_t *registers) {
  size_t bytes = static_cast<size_t>(count) * sizeof *registers;
  const void *from = scheduler.findNeighbour ? scheduler.findNeighbour(address, number) : nullptr;
  if (!from)
    stick("reads shared memory of a block that is not in its cluster");
  if (scheduler.isChecked && !noteNeighbourRead(address, number, bytes)) {
    scheduler.current->isStuck = true;
    leave();
  }
  memcpy(registers, from, bytes);
}

void runThreads() {
  for (;;) {
    scheduler.kernel(scheduler.arguments);
    noteEnd();
    scheduler.current->hasEnded = true;
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

BlockThreads::BlockThreads(const ImageVariables &variables, Kernel kernel, void **arguments, int32_t block,
                           int32_t threads, Order &order)
    : variables(variables), kernel(kernel), arguments(arguments), block(block), order(order),
      threads(static_cast<size_t>(threads)), registers(static_cast<size_t>((threads + warpThreads - 1) / warpThreads)) {
}

/// Runs a thread until it waits or ends. Returns false if it cannot continue.
bool BlockThreads::runThread(int32_t number) {
  Thread &thread = threads[number];
  if (!thread.fiber && scheduler.idle.empty())
    scheduler.idle.push_back(createFiber());
  if (!thread.fiber) {
    thread.fiber = scheduler.idle.back();
    scheduler.idle.pop_back();
    thread.fiber->copies.clear();
    thread.fiber->products = {};
    thread.fiber->groups = 0;
    thread.fiber->exchanged = 0;
    thread.fiber->counter = nullptr;
  }
  Fiber &fiber = *thread.fiber;
  fiber.hasEnded = fiber.isInWarp = fiber.isAtCounter = fiber.isAtMeeting = false;
  fiber.barrierThreads = 0;
  *variables.thread = scheduler.thread = number;
  setThread(number, phase);
  enter(&fiber);
  // Its stack is kept, and so are the stacks of waiting threads.
  if (fiber.isStuck)
    return false;
  thread.state = fiber.hasEnded      ? State::Ended
                 : fiber.isInWarp    ? State::InWarp
                 : fiber.isAtCounter ? State::AtCounter
                 : fiber.isAtMeeting ? State::AtMeeting
                                     : State::AtBarrier;
  if (!fiber.hasEnded)
    return true;
  scheduler.idle.push_back(&fiber);
  thread.fiber = nullptr;
  return true;
}

/// Runs all threads of a warp until each waits or ends. Returns false if one cannot continue.
bool BlockThreads::runWarp(int32_t warp) {
  int32_t first = warp * warpThreads, lanes = std::min(warpThreads, static_cast<int32_t>(threads.size()) - first);
  scheduler.warp = registers[warp].data();
  for (;;) {
    for (int32_t lane : order.next(lanes)) {
      scheduler.lane = lane;
      if (threads[first + lane].state == State::Ready && !runThread(first + lane))
        return false;
    }
    auto begin = threads.begin() + first, end = begin + lanes;
    auto inWarp = std::count_if(begin, end, [](const Thread &thread) { return thread.state == State::InWarp; });
    if (inWarp == 0)
      return true;
    if (inWarp < lanes)
      return false;
    for (auto each = begin; each != end; ++each)
      each->state = State::Ready;
  }
}

size_t BlockThreads::count(State state) const {
  return static_cast<size_t>(
      std::count_if(threads.begin(), threads.end(), [&](const Thread &thread) { return thread.state == state; }));
}

/// Releases threads at a barrier that all of its threads have reached. Returns whether there was such a barrier.
bool BlockThreads::meet() {
  std::map<int32_t, int32_t> waiting; ///< number of waiting threads, by the size of their barrier
  for (const Thread &thread : threads)
    if (thread.state == State::AtBarrier)
      ++waiting[thread.fiber->barrierThreads];
  bool hasMet = false;
  for (Thread &thread : threads)
    if (thread.state == State::AtBarrier && waiting[thread.fiber->barrierThreads] == thread.fiber->barrierThreads) {
      thread.state = State::Ready;
      hasMet = true;
    }
  phase += hasMet;
  return hasMet;
}

bool BlockThreads::isWaiting() const {
  return std::all_of(threads.begin(), threads.end(), [](const Thread &thread) {
    return thread.state != State::Ready &&
           (thread.state != State::AtCounter || *thread.fiber->counter == thread.fiber->seen);
  });
}

void BlockThreads::passMeeting() {
  for (Thread &thread : threads)
    if (thread.state == State::AtMeeting)
      thread.state = State::Ready;
  noteMeeting(block, ++phase);
}

BlockThreads::Progress BlockThreads::advance() {
  scheduler.kernel = kernel;
  scheduler.arguments = arguments;
  scheduler.threads = static_cast<int32_t>(threads.size());
  scheduler.groups = &groups;
  scheduler.multiplied = &multiplied;
  *variables.block = block;
  for (Thread &thread : threads)
    if (thread.state == State::AtCounter && *thread.fiber->counter != thread.fiber->seen)
      thread.state = State::Ready;
  for (int32_t warp : order.next(static_cast<int32_t>(registers.size())))
    if (!runWarp(warp))
      return Progress::Stuck;
  if (meet())
    return Progress::GoesOn;
  if (count(State::AtCounter) > 0)
    return Progress::AtCounter;
  if (count(State::AtMeeting) == threads.size())
    return Progress::AtMeeting;
  // The stacks of threads that wait forever are kept.
  return count(State::Ended) == threads.size() ? Progress::Ended : Progress::Stuck;
}

std::string stuckText(int32_t block) {
  return "some threads of block " + std::to_string(block) + " wait at a barrier that others never reach";
}

void setFunctions(const ImageVariables &variables, FindNeighbour findNeighbour) {
  *variables.barrier = wait;
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
  if (variables.sharedBegin) {
    scheduler.shared = *variables.sharedBegin;
    *variables.fenceProducts = fenceProducts;
    *variables.multiplyGroup = multiplyInGroup;
    *variables.commitProducts = commitProducts;
    *variables.awaitProducts = awaitProducts;
    *variables.publish = notePublish;
  }
  if (variables.meetCluster) {
    *variables.meetCluster = meetCluster;
    *variables.readNeighbour = readNeighbour;
  }
  scheduler.findNeighbour = std::move(findNeighbour);
  if (variables.acquire) {
    *variables.barrierOf = waitOf;
    *variables.acquire = acquire;
    *variables.release = release;
  }
  if (variables.wait)
    *variables.wait = noteWait;
  if (variables.arrive)
    *variables.arrive = arrive;
  scheduler.isChecked = variables.access;
  scheduler.isEarly = isEarly();
}

bool runBlock(const ImageVariables &variables, Kernel kernel, void **arguments, int32_t block, int32_t threads,
              Order &order) {
  setFunctions(variables);
  BlockThreads running(variables, kernel, arguments, block, threads, order);
  BlockThreads::Progress progress;
  do
    progress = running.advance();
  while (progress == BlockThreads::Progress::GoesOn);
  return progress == BlockThreads::Progress::Ended;
}

} // namespace emulator
