// The step `chain`: the blocks of a product compute another one that reads its result.
#include "passes/Schedule/Rules/Gpu/Chain.h"
#include "passes/Schedule/Steps/StepEffect.h"

#include "llvm/Support/FormatVariadic.h"

namespace cameo::schedule {
namespace {

struct ChainEffect : StepEffectInterface::ExternalModel<ChainEffect, ChainAttr> {
  llvm::Error apply(mlir::Attribute attr, ScheduledProgram &state, const Machine &) const {
    state.gpuSchedules[llvm::cast<ChainAttr>(attr).getNest()].chained = true;
    return llvm::Error::success();
  }

  std::string verify(mlir::Attribute attr, const ScheduledProgram &state, const Machine &) const {
    unsigned second = llvm::cast<ChainAttr>(attr).getNest();
    std::optional<Chain> chain = state.gpu ? findChain(state.program, second) : std::nullopt;
    if (!chain)
      return "expected a product whose left operand, of 16 bits, is the whole result of another product, with the same "
             "rows";
    // Blocks hand the rows of one product on.
    for (unsigned other = 0; other < state.schedules.size(); ++other)
      if (other != second && state.gpuSchedules[other].chained)
        if (std::optional<Chain> before = findChain(state.program, other);
            before && before->firstNest == chain->firstNest)
          return llvm::formatv("expected one product in the blocks of nest {0}, got also nest {1}", chain->firstNest,
                               other);
    Chains chains = findChains(state.program, state.gpuSchedules, second);
    if (chains.empty())
      return llvm::formatv("expected a second product in the blocks of nest {0}", chain->firstNest);
    return findChainFault(chains, schedulesOf(chains, state.schedules, state.gpuSchedules), *state.gpu);
  }

  std::string explain(mlir::Attribute attr, const ScheduledProgram &state) const {
    unsigned second = llvm::cast<ChainAttr>(attr).getNest();
    return llvm::formatv("in the blocks of nest {0}", findChain(state.program, second)->firstNest);
  }
};

} // namespace

template <> void attachEffect<ChainAttr>(mlir::MLIRContext &context) {
  ChainAttr::attachInterface<ChainEffect>(context);
}

} // namespace cameo::schedule
