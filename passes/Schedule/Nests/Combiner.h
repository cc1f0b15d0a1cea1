// Finds the associative operation of a reduction, which allows one partial result per vector lane.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_COMBINER_H
#define CAMEO_PASSES_SCHEDULE_NESTS_COMBINER_H

#include "passes/Schedule/Nests/LoopNest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace cameo::schedule {

struct Combiner {
  mlir::vector::CombiningKind kind;
  mlir::TypedAttr identity;
};

/// Returns the kind of a reduction whose update is `combine(accumulator, value)`, where `value` does not use the
/// accumulator. It creates no attribute, because a search calls it for every candidate.
std::optional<mlir::vector::CombiningKind> matchCombiningKind(const LoopNest &nest, unsigned reduction);

/// Returns the combiner of a reduction whose update is `combine(accumulator, value)`, where `value` does not use the
/// accumulator.
std::optional<Combiner> matchCombiner(const LoopNest &nest, unsigned reduction);

} // namespace cameo::schedule

#endif
