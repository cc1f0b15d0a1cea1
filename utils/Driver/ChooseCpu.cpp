#include "utils/Driver/ChooseCpu.h"

#include "cameo/abi.h"
#include "passes/Target/CpuList.h"

#include "llvm/ADT/STLExtras.h"

using namespace cameo;

llvm::Error cameo::chooseCpu(CompileOptions &options) {
  if (!isCpuList(options.cpu))
    return llvm::Error::success();
  llvm::Expected<std::vector<TargetInfo>> targets = resolveTargets(options.target, options.cpu);
  if (!targets)
    return targets.takeError();
  std::vector<cameo_cpu> cpus;
  for (const TargetInfo &target : *targets) {
    cameo_cpu &cpu = cpus.emplace_back();
    cpu.name = target.cpu.c_str();
    llvm::copy(target.required, cpu.features);
  }
  int32_t number =
      targets->front().isHostArchitecture ? cameo_choose_cpu(cpus.data(), static_cast<uint32_t>(cpus.size())) : 0;
  if (number == 0)
    return llvm::createStringError("--cpu: expected one CPU, or a list with one that this machine can run, got '" +
                                   options.cpu + "'");
  const TargetInfo &chosen = (*targets)[number - 1];
  options.cpu = chosen.isHost ? "native" : chosen.cpu;
  return llvm::Error::success();
}
