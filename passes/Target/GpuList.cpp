#include "passes/Target/GpuList.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace cameo {

Expected<std::vector<const GpuMachine *>> findGpus(StringRef list, GpuMath math) {
  std::vector<const GpuMachine *> found;
  SmallVector<StringRef> names;
  list.split(names, ',');
  for (StringRef name : names) {
    Expected<const GpuMachine *> gpu = findGpu(name, math);
    if (!gpu)
      return gpu.takeError();
    if (any_of(found, [&](const GpuMachine *other) { return other->architecture == (*gpu)->architecture; }))
      return createStringError("the architecture " + (*gpu)->architecture + " is given twice in '" + list + "'");
    found.push_back(*gpu);
  }
  llvm::sort(found, [](const GpuMachine *a, const GpuMachine *b) {
    return std::pair(a->getCapability(), a->isSpecific()) < std::pair(b->getCapability(), b->isSpecific());
  });
  // Code for sm_90a has instructions that newer architectures lack.
  if (found.front()->architecture == "sm_90a")
    std::rotate(found.begin(), found.begin() + 1, found.end());
  int64_t limit = leastSharedBytes(found);
  for (const GpuMachine *&gpu : found)
    gpu = cantFail(findGpu(gpu->name, math, limit));
  return found;
}

bool hasDependentLaunch(const GpuMachine &gpu) {
  constexpr unsigned firstCapability = 90;
  return gpu.getCapability() >= firstCapability;
}

} // namespace cameo
