#include "dialects/Target/GpuMachine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <vector>

using namespace llvm;

namespace cameo {
namespace {

constexpr int64_t KiB = 1 << 10, MiB = 1 << 20, registerCount = 65536;

// sm_100a and sm_120 need PTX 8.6 and 8.7; PTX 8.0 is supported by drivers since CUDA 12.0.
// Products of matrix units are the published peak; on sm_90a 63 % of it, which is what mma.sync reaches (arXiv
// 2501.12084); on sm_100a, which reaches its peak by other instructions only, they are assumed.
constexpr GpuMachine machines[] = {
    {"sm_80", "sm_80", 80, 108, 163 * KiB, registerCount, 40 * MiB, 1410, 2039, 64, 1024},
    {"sm_86", "sm_86", 80, 72, 99 * KiB, registerCount, 6 * MiB, 1695, 600, 128, 512},
    {"sm_89", "sm_89", 80, 58, 99 * KiB, registerCount, 48 * MiB, 2040, 300, 128, 512},
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

} // namespace

unsigned GpuMachine::getCapability() const {
  unsigned number = 0;
  [[maybe_unused]] bool failed = architecture.drop_front(StringRef("sm_").size()).consumeInteger(10, number);
  assert(!failed && "architectures are sm_ and a number");
  return number;
}

ArrayRef<GpuMachine> gpuMachines() { return machines; }

std::string gpuNames() {
  return join(map_range(machines, [](const GpuMachine &machine) { return machine.name.str(); }), ", ");
}

Expected<const GpuMachine *> findGpu(StringRef name, GpuMath math) {
  // Callers keep pointers to machines, so these have static lifetime.
  static const std::vector<GpuMachine> all = [] {
    std::vector<GpuMachine> each;
    for (size_t number = 0; number < std::size(mathNames); ++number)
      for (const GpuMachine &machine : machines) {
        each.push_back(machine);
        each.back().math = static_cast<GpuMath>(number);
      }
    return each;
  }();
  auto found = find_if(all, [&](const GpuMachine &machine) { return machine.name == name && machine.math == math; });
  if (found == all.end())
    return createStringError("unknown GPU '" + name + "': expected one of " + gpuNames());
  return &*found;
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
