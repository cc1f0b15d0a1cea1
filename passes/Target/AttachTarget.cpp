// --attach-target: the processor as an attribute of the module.
#include "dialects/Target/TargetDialect.h"
#include "passes/Target/Passes.h"

using namespace mlir;

namespace cameo {

#define GEN_PASS_DEF_ATTACHTARGETPASS
#include "passes/Target/Passes.h.inc"

namespace {

struct AttachTarget : impl::AttachTargetPassBase<AttachTarget> {
  using AttachTargetPassBase::AttachTargetPassBase;
  explicit AttachTarget(const TargetInfo &target) : resolved(target) {}

  void runOnOperation() override {
    llvm::Expected<TargetInfo> target = getTarget();
    if (!target) {
      getOperation().emitError() << llvm::toString(target.takeError());
      return signalPassFailure();
    }
    getOperation()->setAttr(targetAttrName, targetAttrOf(getContext(), target->triple, target->cpu, target->features,
                                                         target->gpu, *target));
  }

private:
  llvm::Expected<TargetInfo> getTarget() const {
    if (resolved)
      return *resolved;
    TargetInfo target;
    if (!gpu.empty()) {
      llvm::Expected<GpuMath> math = findGpuMath(gpuMath);
      if (!math)
        return math.takeError();
      llvm::Expected<const GpuMachine *> found = findGpu(gpu, *math);
      if (!found)
        return found.takeError();
      target.gpu = *found;
    }
    if (!triple.empty() || !cpu.empty()) {
      llvm::Expected<TargetInfo> named = resolveTarget(triple, cpu);
      if (!named)
        return named.takeError();
      named->gpu = target.gpu;
      target = *named;
    }
    for (llvm::StringRef parameter : parameters) {
      auto [name, value] = parameter.split('=');
      if (llvm::Error error = setParameter(target, name, value))
        return std::move(error);
    }
    return target;
  }

  std::optional<TargetInfo> resolved;
};

} // namespace

std::unique_ptr<Pass> createAttachTargetPass(const TargetInfo &target) {
  return std::make_unique<AttachTarget>(target);
}

} // namespace cameo
