// The schedule step #com_acme.square: square tiles, as a transposition likes them.
#include "AcmeOps.h"

#include "llvm/Support/FormatVariadic.h"

using namespace cameo::schedule;

/// The two innermost dimensions of `nest` that are no reductions.
static llvm::SmallVector<unsigned> sides(const LoopNest &nest, unsigned rowDims) {
  llvm::SmallVector<unsigned> dims;
  for (unsigned dim = nest.dims.size(); dim-- > rowDims && dims.size() < 2;)
    if (!nest.dims[dim].reduction)
      dims.insert(dims.begin(), dim);
  return dims;
}

/// What comes of it is verified as that of any other step is: sizes that leave too much to unroll are refused.
llvm::Error acme::SquareAttr::apply(ScheduledProgram &state, const cameo::Machine &) const {
  auto [group, nest] = findNest(state.program, getNest());
  llvm::SmallVector<unsigned> dims = sides(*nest, group->rowDims);
  if (dims.size() < 2)
    return llvm::createStringError("expected two parallel dimensions for square tiles, got %zu", dims.size());
  for (unsigned dim : dims)
    state.schedules[getNest()].loops.push_back({dim, getSize()});
  return llvm::Error::success();
}

std::string acme::SquareAttr::explain(const ScheduledProgram &) const {
  return llvm::formatv("squares of {0}", getSize());
}
