#include "dialects/Target/GpuMachine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <set>
#include <vector>

using namespace llvm;

namespace cameo {
namespace {

constexpr int64_t KiB = 1 << 10, MiB = 1 << 20, registerCount = 65536;

// sm_100a and sm_120 need PTX 8.6 and 8.7; PTX 8.0 is supported by drivers since CUDA 12.0.
// Products of matrix units are the published peak; on sm_90 and sm_90a 63 % of it, which is what mma.sync reaches
// (arXiv 2501.12084); on sm_100a, which reaches its peak by other instructions only, they are assumed.
constexpr GpuMachine machines[] = {
    {"sm_80", "sm_80", 80, 108, 163 * KiB, registerCount, 40 * MiB, 1410, 2039, 64, 1024},
    {"sm_86", "sm_86", 80, 72, 99 * KiB, registerCount, 6 * MiB, 1695, 600, 128, 512},
    {"sm_89", "sm_89", 80, 58, 99 * KiB, registerCount, 48 * MiB, 2040, 300, 128, 512},
    {"sm_90", "sm_90", 80, 132, 227 * KiB, registerCount, 50 * MiB, 1980, 3352, 128, 1290},
    {"sm_90a", "sm_90a", 80, 132, 227 * KiB, registerCount, 50 * MiB, 1980, 3352, 128, 1290},
    {"sm_100a", "sm_100a", 86, 148, 227 * KiB, registerCount, 126 * MiB, 1965, 8000, 128, 1024},
    {"sm_120", "sm_120", 87, 170, 99 * KiB, registerCount, 96 * MiB, 2407, 1792, 128, 512},
    {"a100", "sm_80", 80, 108, 163 * KiB, registerCount, 40 * MiB, 1410, 2039, 64, 1024},
    {"a30", "sm_80", 80, 56, 163 * KiB, registerCount, 24 * MiB, 1440, 933, 64, 1024},
    {"a10", "sm_86", 80, 72, 99 * KiB, registerCount, 6 * MiB, 1695, 600, 128, 512},
    {"rtx3090", "sm_86", 80, 82, 99 * KiB, registerCount, 6 * MiB, 1695, 936, 128, 512},
    {"l4", "sm_89", 80, 58, 99 * KiB, registerCount, 48 * MiB, 2040, 300, 128, 512},
    {"l40s", "sm_89", 80, 142, 99 * KiB, registerCount, 96 * MiB, 2520, 864, 128, 512},
    {"rtx4090", "sm_89", 80, 128, 99 * KiB, registerCount, 72 * MiB, 2520, 1008, 128, 512},
    {"h100", "sm_90a", 80, 132, 227 * KiB, registerCount, 50 * MiB, 1980, 3352, 128, 1290},
    {"h200", "sm_90a", 80, 132, 227 * KiB, registerCount, 50 * MiB, 1980, 4800, 128, 1290},
    {"b200", "sm_100a", 86, 148, 227 * KiB, registerCount, 126 * MiB, 1965, 8000, 128, 1024},
    {"rtx5090", "sm_120", 87, 170, 99 * KiB, registerCount, 96 * MiB, 2407, 1792, 128, 512},
};

constexpr StringLiteral mathNames[] = {"f32", "3xtf32", "tf32", "f16", "bf16"};

/// Returns the possible limits of shared memory, the least one first.
std::set<int64_t> sharedLimits() {
  std::set<int64_t> limits;
  for (const GpuMachine &machine : machines)
    limits.insert(machine.sharedBytes);
  return limits;
}

/// Returns all machines with each math and each limit of shared memory. Callers keep pointers to them.
std::vector<GpuMachine> makeVariants() {
  std::vector<GpuMachine> all;
  for (size_t number = 0; number < std::size(mathNames); ++number)
    for (int64_t limit : sharedLimits())
      for (const GpuMachine &machine : machines) {
        if (limit > machine.sharedBytes)
          continue;
        all.push_back(machine);
        all.back().math = static_cast<GpuMath>(number);
        all.back().blockSharedBytes = limit;
      }
  return all;
}

} // namespace

unsigned GpuMachine::getCapability() const {
  unsigned number = 0;
  [[maybe_unused]] bool failed = architecture.drop_front(StringRef("sm_").size()).consumeInteger(10, number);
  assert(!failed && "architectures are sm_ and a number");
  return number;
}

int64_t GpuMachine::mostClusterBlocks() const {
  constexpr unsigned firstCapability = 90;
  return getCapability() >= firstCapability ? 8 : 1;
}

int64_t GpuMachine::processorsFor(int64_t clusterBlocks) const {
  constexpr int64_t leastGroup = 16;
  return clusterBlocks == 1 ? processors : processors / leastGroup * (leastGroup / clusterBlocks * clusterBlocks);
}

ArrayRef<GpuMachine> gpuMachines() { return machines; }

std::string gpuNames() {
  return join(map_range(machines, [](const GpuMachine &machine) { return machine.name.str(); }), ", ");
}

Expected<const GpuMachine *> findGpu(StringRef name, GpuMath math, int64_t blockSharedBytes) {
  static const std::vector<GpuMachine> all = makeVariants();
  const GpuMachine *alone = find_if(machines, [&](const GpuMachine &machine) { return machine.name == name; });
  if (alone == std::end(machines))
    return createStringError("unknown GPU '" + name + "': expected one of " + gpuNames());
  int64_t limit = blockSharedBytes == 0 ? leastSharedBytes(alone) : blockSharedBytes;
  auto found = find_if(all, [&](const GpuMachine &machine) {
    return machine.name == name && machine.math == math && machine.blockSharedBytes == limit;
  });
  if (found != all.end())
    return &*found;
  std::set<int64_t> limits = sharedLimits();
  limits.erase(limits.upper_bound(alone->sharedBytes), limits.end());
  return createStringError("expected the bytes of shared memory of an architecture, " +
                           join(map_range(limits, [](int64_t each) { return std::to_string(each); }), " or ") +
                           " for " + name + ", got " + std::to_string(blockSharedBytes));
}

int64_t leastSharedBytes(ArrayRef<const GpuMachine *> gpus) {
  int64_t least = std::numeric_limits<int64_t>::max();
  for (const GpuMachine *gpu : gpus) {
    bool isOneDevice = gpu->name != gpu->architecture || gpu->isSpecific();
    for (const GpuMachine &other : machines)
      if (isOneDevice ? other.name == gpu->name : other.getCapability() >= gpu->getCapability())
        least = std::min(least, other.sharedBytes);
  }
  return least;
}

ArrayRef<StringLiteral> gpuMathNames() { return mathNames; }

StringRef nameOf(GpuMath math) { return mathNames[static_cast<size_t>(math)]; }

Expected<GpuMath> findGpuMath(StringRef name) {
  const StringLiteral *found = find(mathNames, name);
  if (found == std::end(mathNames))
    return createStringError("unknown math of a GPU '" + name + "': expected one of " + join(gpuMathNames(), ", "));
  return static_cast<GpuMath>(found - mathNames);
}

} // namespace cameo
