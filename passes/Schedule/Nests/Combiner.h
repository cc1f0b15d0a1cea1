// Which associative operation a reduction repeats: what makes it possible to keep one partial result per vector lane.
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

/// What a reduction repeats whose update is `combine(accumulator, value)`, the accumulator nowhere else. Asked of every
/// candidate of a search, so it makes no attribute.
std::optional<mlir::vector::CombiningKind> matchCombiningKind(const LoopNest &nest, unsigned reduction);

/// The combiner of a reduction whose update is `combine(accumulator, value)`, the accumulator nowhere else.
std::optional<Combiner> matchCombiner(const LoopNest &nest, unsigned reduction);

} // namespace cameo::schedule

#endif
