// Implements the functions of libcuda.so.1 that the runtime calls on the host: device memory is host memory, streams
// execute everything at once, and a launch runs its blocks one after the other.
#include "Check.h"
#include "Cluster.h"
#include "Image.h"
#include "Memory.h"
#include "Resident.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

using namespace emulator;

namespace {

/// Same numbers as in the driver.
enum Result {
  success = 0,
  invalidValue = 1,
  outOfMemory = 2,
  noDevice = 101,
  invalidImage = 200,
  invalidContext = 201,
  notFound = 500,
  illegalAddress = 700,
  launchFailed = 719,
  tooLarge = 720
};

/// The attributes of the device. Its compute capability is a recent one, because the emulator's kernels depend on none.
enum Attribute {
  multiprocessorCount = 16,
  capabilityMajor = 75,
  capabilityMinor = 76,
  cooperativeLaunch = 95,
  mostSharedOfBlock = 97
};
/// The attribute of a function that allows its launches to ask for more shared memory.
constexpr int mostDynamicShared = 8;

/// The bytes of shared memory that a launch may ask for, and those that a function may allow: 227 KB, as of compute
/// capability 9.0.
constexpr unsigned mostThreads = 1024, plainSharedBytes = 48 << 10, mostSharedBytes = 227 << 10;
char oneContext, oneStream;
thread_local int depth = 0; ///< number of contexts that this thread has pushed
std::mutex mutex;           ///< held during a launch, because fibers and memory belong to one launch at a time

struct Function {
  const Image *image;
  Kernel kernel; ///< the checked version if checks are enabled
  std::string name;
  const int32_t *argumentBytes; ///< zero-terminated
  unsigned neededBytes;         ///< shared memory that a launch must ask for
  int32_t clusterBlocks;
  unsigned allowedBytes = plainSharedBytes; ///< shared memory that a launch may ask for
};
struct Module {
  std::unique_ptr<Image> image;
  std::vector<std::unique_ptr<Function>> functions;
};

/// The version of CUDA that the emulator says it has, unless CAMEO_EMULATOR_VERSION says another one: 12.8.
constexpr int newestVersion = 12080;

/// CUlaunchAttribute and CUlaunchConfig.
struct LaunchAttribute {
  int id;
  char padding[4];
  int value[16];
};
struct LaunchConfig {
  unsigned gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes;
  void *stream;
  const LaunchAttribute *attributes;
  unsigned attributeCount;
};
constexpr int programmaticStreamSerialization = 6;

/// The actions of a captured stream.
using Graph = std::vector<std::function<int()>>;
Graph *captured = nullptr; ///< null unless a stream is captured

struct Event {
  double milliseconds;
};

int doOrCapture(std::function<int()> action) {
  if (!captured)
    return action();
  captured->push_back(std::move(action));
  return success;
}

/// A copy of the arguments of a launch, which the caller may change after the call.
struct Arguments {
  std::vector<std::string> bytes;
  std::vector<void *> addresses;
  Arguments(const int32_t *sizes, void **arguments) {
    for (; sizes && *sizes; ++sizes, ++arguments)
      bytes.emplace_back(static_cast<const char *>(*arguments), *sizes);
    for (std::string &each : bytes)
      addresses.push_back(each.data());
  }
  Arguments(const Arguments &) = delete;
};

int say(int result, const std::string &what) {
  fprintf(stderr, "emulator: %s\n", what.c_str());
  return result;
}

/// Returns the order that CAMEO_EMULATOR_ORDER sets. Returns null after an error if it is invalid.
Order *findOrder() {
  static const char *text = getenv("CAMEO_EMULATOR_ORDER");
  static std::optional<Order> order = Order::parse(text ? text : "forward");
  if (!order)
    say(invalidValue,
        std::string("CAMEO_EMULATOR_ORDER: expected forward, backward or random:SEED, got '") + text + "'");
  return order ? &*order : nullptr;
}

/// Calls `move`, which reads or writes these bytes of the device.
template <typename Move> int access(const void *onDevice, size_t bytes, bool isWrite, Move move) {
  std::lock_guard lock(mutex);
  if (depth == 0)
    return invalidContext;
  if (!isInside(onDevice, bytes))
    return say(illegalAddress, "a copy reaches beyond an allocation of the device");
  move();
  if (isChecking() && isWrite)
    markWritten(onDevice, bytes);
  return success;
}

/// Notes that memory is written in the order of a stream, so launches must wait before they read it.
void noteInStream(const void *address) {
  std::lock_guard lock(mutex);
  if (isChecking() && isInside(address, 1))
    markChanged(address);
}

int copy(void *to, const void *from, size_t bytes, const void *onDevice) {
  return access(onDevice, bytes, onDevice == to, [&] { memmove(to, from, bytes); });
}

/// Whether memory of the device, from which a copy reads, is uninitialised.
bool isUnwritten(const void *from, size_t bytes) {
  std::lock_guard lock(mutex);
  return isChecking() && isInside(from, bytes) && !isWritten(from, bytes);
}

/// Blocks of a resident launch run at once. A dependent launch may begin before earlier ones have ended.
enum class LaunchKind { Plain, Resident, Dependent };

/// Runs the blocks one after the other. Returns the first problem, or an empty string.
std::string runBlocks(const Function &launched, const ImageVariables &variables, int32_t blocks, int32_t threads,
                      void **arguments, Order &order, bool isDependent) {
  if (launched.clusterBlocks > 1)
    return runClusters(variables, launched.kernel, arguments, {blocks, launched.clusterBlocks, threads},
                       launched.image->sharedMemory(), order, isDependent);
  beginLaunch(/*residentBlocks=*/0, isDependent);
  for (int32_t block : order.next(blocks)) {
    launched.image->poisonSharedMemory();
    beginBlock(block, launched.image->sharedMemory().begin, isChecking() ? launched.image->sharedMemory().bytes : 0);
    bool isDone = runBlock(variables, launched.kernel, arguments, block, threads, order);
    if (!problem().empty() || !isDone)
      return problem().empty() ? stuckText(block) : problem();
  }
  return "";
}

int launch(const Function &launched, unsigned blockCount, unsigned threadCount, void **arguments, LaunchKind kind) {
  std::lock_guard lock(mutex);
  auto blocks = static_cast<int32_t>(blockCount), threads = static_cast<int32_t>(threadCount);
  Order *order = findOrder();
  if (!order)
    return invalidValue;
  ImageVariables variables = launched.image->variables();
  if (!isChecking())
    variables.access = nullptr;
  bool isResident = kind == LaunchKind::Resident;
  if (isResident)
    beginLaunch(blocks);
  std::string wrong =
      isResident
          ? runResident(variables, launched.kernel, arguments, blocks, threads, launched.image->sharedMemory(), *order)
          : runBlocks(launched, variables, blocks, threads, arguments, *order, kind == LaunchKind::Dependent);
  return wrong.empty() ? success : say(launchFailed, launched.name + ": " + wrong);
}

/// Checks the shared memory that a launch asks for. A device does not check that it is as much as the kernel accesses.
int checkSharedMemory(const Function &launched, unsigned bytes) {
  if (bytes > launched.allowedBytes)
    return say(invalidValue, launched.name + ": a launch asks for " + std::to_string(bytes) +
                                 " bytes of shared memory, and the function allows " +
                                 std::to_string(launched.allowedBytes));
  if (bytes < launched.neededBytes)
    return say(illegalAddress, launched.name + ": a launch asks for " + std::to_string(bytes) +
                                   " bytes of shared memory, and the kernel has " +
                                   std::to_string(launched.neededBytes));
  return success;
}

/// Launches a kernel, or records the launch if the stream is captured.
int launchOrCapture(void *function, unsigned blocks, unsigned threads, unsigned sharedBytes, void **arguments,
                    LaunchKind kind) {
  if (depth == 0)
    return invalidContext;
  if (blocks == 0 || blocks > INT32_MAX || threads == 0 || threads > mostThreads)
    return say(invalidValue, "a launch has a shape that devices or the emulator do not support");
  auto *launched = static_cast<Function *>(function);
  if (int result = checkSharedMemory(*launched, sharedBytes))
    return result;
  if (!captured)
    return launch(*launched, blocks, threads, arguments, kind);
  auto kept = std::make_shared<Arguments>(launched->argumentBytes, arguments);
  return doOrCapture([=] { return launch(*launched, blocks, threads, kept->addresses.data(), kind); });
}

void *pointer(uint64_t address) { return reinterpret_cast<void *>(address); }

} // namespace

extern "C" {

int cuInit(unsigned) { return success; }

int cuDriverGetVersion(int *version) {
  const char *text = getenv("CAMEO_EMULATOR_VERSION");
  *version = text ? atoi(text) : newestVersion;
  return success;
}

int cuDeviceGet(int *device, int ordinal) {
  *device = ordinal;
  return ordinal == 0 ? success : noDevice;
}

int cuDeviceGetName(char *name, int bytes, int) {
  snprintf(name, static_cast<size_t>(bytes), "emulator");
  return success;
}

int cuDeviceGetAttribute(int *value, int attribute, int) {
  *value = attribute == capabilityMajor       ? 9
           : attribute == multiprocessorCount ? multiprocessors
           : attribute == cooperativeLaunch   ? 1
           : attribute == mostSharedOfBlock   ? static_cast<int>(mostSharedBytes)
                                              : 0;
  return success;
}

int cuDevicePrimaryCtxRetain(void **context, int) {
  *context = &oneContext;
  return success;
}

int cuDevicePrimaryCtxRelease_v2(int) { return success; }

int cuCtxPushCurrent_v2(void *context) {
  if (context != &oneContext)
    return invalidContext;
  ++depth;
  return success;
}

int cuCtxPopCurrent_v2(void **context) {
  if (depth == 0)
    return invalidContext;
  --depth;
  *context = &oneContext;
  return success;
}

int cuModuleLoadDataEx(void **module, const void *bytes, unsigned, int *, void **) {
  if (depth == 0)
    return invalidContext;
  std::string reason;
  std::unique_ptr<Image> image = Image::open(bytes, reason);
  if (!image)
    return say(invalidImage, reason);
  *module = new Module{std::move(image)};
  return success;
}

int cuModuleUnload(void *module) {
  delete static_cast<Module *>(module);
  return success;
}

// A function lives as long as its module, which owns it.
int cuModuleGetFunction(void **function, void *module, const char *name) {
  auto &[owned, functions] = *static_cast<Module *>(module);
  const Image *image = owned.get();
  Kernel kernel = isChecking() ? image->findChecked(name) : image->find(name);
  if (!kernel)
    return notFound;
  functions.emplace_back(new Function{image, kernel, name, image->argumentBytes(name), image->dynamicBytes(name),
                                      image->clusterBlocks(name)});
  *function = functions.back().get();
  return success;
}

int cuFuncSetAttribute(void *function, int attribute, int value) {
  if (attribute != mostDynamicShared || value < 0 || static_cast<unsigned>(value) > mostSharedBytes)
    return say(invalidValue, "expected a function to allow at most " + std::to_string(mostSharedBytes) +
                                 " bytes of shared memory, which the device has, got " + std::to_string(value));
  static_cast<Function *>(function)->allowedBytes = static_cast<unsigned>(value);
  return success;
}

int cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  std::lock_guard lock(mutex);
  if (depth == 0)
    return invalidContext;
  if (bytes == 0)
    return invalidValue;
  void *memory = allocate(bytes);
  *address = reinterpret_cast<uint64_t>(memory);
  return memory ? success : outOfMemory;
}

int cuMemFree_v2(uint64_t address) {
  std::lock_guard lock(mutex);
  return release(pointer(address)) ? success : say(invalidValue, "the freed address was not allocated");
}

int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) { return copy(pointer(to), from, bytes, pointer(to)); }
int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *) {
  noteInStream(pointer(to));
  return copy(pointer(to), from, bytes, pointer(to));
}
int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *) {
  if (isUnwritten(pointer(from), bytes))
    return say(launchFailed, "a copy to the host reads bytes that were never written");
  return copy(to, pointer(from), bytes, pointer(from));
}
int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void *) {
  return doOrCapture([=]() -> int {
    std::lock_guard lock(mutex);
    if (depth == 0)
      return invalidContext;
    if (!isInside(pointer(to), bytes) || !isInside(pointer(from), bytes))
      return say(illegalAddress, "a copy reaches beyond an allocation of the device");
    memmove(pointer(to), pointer(from), bytes);
    if (isChecking()) {
      copyMarks(pointer(to), pointer(from), bytes);
      markChanged(pointer(to));
    }
    return success;
  });
}

int cuMemsetD8Async(uint64_t to, unsigned char value, size_t bytes, void *) {
  return doOrCapture([=] {
    noteInStream(pointer(to));
    return access(pointer(to), bytes, /*isWrite=*/true, [=] { memset(pointer(to), value, bytes); });
  });
}

int cuStreamCreate(void **stream, unsigned) {
  *stream = &oneStream;
  return depth == 0 ? invalidContext : success;
}

int cuStreamDestroy_v2(void *) { return success; }
int cuStreamSynchronize(void *) { return success; }

int cuLaunchKernel(void *function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,
                   unsigned blockZ, unsigned sharedBytes, void *, void **arguments, void **) {
  bool isLine = gridY == 1 && gridZ == 1 && blockY == 1 && blockZ == 1;
  return launchOrCapture(function, isLine ? gridX : 0, blockX, sharedBytes, arguments, LaunchKind::Plain);
}

int cuLaunchKernelEx(const LaunchConfig *config, void *function, void **arguments, void **) {
  LaunchKind kind = LaunchKind::Plain;
  for (unsigned number = 0; number < config->attributeCount; ++number) {
    const LaunchAttribute &attribute = config->attributes[number];
    if (attribute.id != programmaticStreamSerialization)
      return say(invalidValue, "a launch has an attribute that the emulator does not support");
    if (attribute.value[0] != 0)
      kind = LaunchKind::Dependent;
  }
  bool isLine = config->gridY == 1 && config->gridZ == 1 && config->blockY == 1 && config->blockZ == 1;
  return launchOrCapture(function, isLine ? config->gridX : 0, config->blockX, config->sharedBytes, arguments, kind);
}

int cuLaunchCooperativeKernel(void *function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                              unsigned blockY, unsigned blockZ, unsigned sharedBytes, void *, void **arguments) {
  bool isLine = gridY == 1 && gridZ == 1 && blockY == 1 && blockZ == 1;
  if (gridX > multiprocessors * blocksOfMultiprocessor)
    return say(tooLarge, "a launch has more blocks that wait for each other than the device can run at once");
  return launchOrCapture(function, isLine ? gridX : 0, blockX, sharedBytes, arguments, LaunchKind::Resident);
}

int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int, size_t sharedBytes) {
  *blocks = sharedBytes <= static_cast<Function *>(function)->allowedBytes ? blocksOfMultiprocessor : 0;
  return depth == 0 ? invalidContext : success;
}

int cuStreamBeginCapture_v2(void *, unsigned) {
  if (captured)
    return invalidValue;
  captured = new Graph;
  return success;
}

int cuStreamEndCapture(void *, void **graph) {
  *graph = std::exchange(captured, nullptr);
  return *graph ? success : invalidValue;
}

int cuGraphInstantiateWithFlags(void **executable, void *graph, unsigned long long) {
  *executable = new Graph(*static_cast<Graph *>(graph));
  return success;
}

int cuGraphLaunch(void *executable, void *) {
  for (const std::function<int()> &action : *static_cast<Graph *>(executable))
    if (int result = action())
      return result;
  return success;
}

int cuGraphDestroy(void *graph) {
  delete static_cast<Graph *>(graph);
  return success;
}
int cuGraphExecDestroy(void *executable) { return cuGraphDestroy(executable); }

int cuEventCreate(void **event, unsigned) {
  *event = new Event{0};
  return success;
}

int cuEventDestroy_v2(void *event) {
  delete static_cast<Event *>(event);
  return success;
}

int cuEventRecord(void *event, void *) {
  auto now = std::chrono::steady_clock::now().time_since_epoch();
  static_cast<Event *>(event)->milliseconds = std::chrono::duration<double, std::milli>(now).count();
  return success;
}

int cuEventElapsedTime(float *milliseconds, void *begin, void *end) {
  *milliseconds =
      static_cast<float>(static_cast<Event *>(end)->milliseconds - static_cast<Event *>(begin)->milliseconds);
  return success;
}

int cuGetErrorString(int result, const char **text) {
  switch (result) {
  case success:
    *text = "no error";
    return success;
  case invalidValue:
    *text = "invalid argument";
    return success;
  case outOfMemory:
    *text = "out of memory";
    return success;
  case noDevice:
    *text = "invalid device ordinal";
    return success;
  case invalidImage:
    *text = "device kernel image is invalid";
    return success;
  case invalidContext:
    *text = "invalid device context";
    return success;
  case notFound:
    *text = "named symbol not found";
    return success;
  case illegalAddress:
    *text = "an illegal memory access was encountered";
    return success;
  case launchFailed:
    *text = "unspecified launch failure";
    return success;
  case tooLarge:
    *text = "too many blocks in cooperative launch";
    return success;
  }
  return invalidValue;
}
}
