// Variants of a task definition: they compute the same with another schedule, and run instead of it for some sizes.
#ifndef CAMEO_DIALECTS_TASK_VARIANTS_H
#define CAMEO_DIALECTS_TASK_VARIANTS_H

#include "dialects/Task/TaskDialect.h"

#include <optional>

namespace cameo::task {

/// The range of a size, both ends included; unbounded without `most`.
struct SizeRange {
  DimExprAttr size;
  int64_t least = 0;
  std::optional<int64_t> most;
};

/// The two attributes of a variant, which nothing calls: `variant_of` names the definition that it replaces, and
/// `ranges` the runs in which it does so, those where all sizes are in range: `[[#dim.expr<"seq">, 0, 45],
/// [#dim.expr<"batch">, 8]]`.
struct Variant {
  mlir::FlatSymbolRefAttr task;
  llvm::SmallVector<SizeRange, 1> ranges;
};

/// Returns nothing if `def` is not a variant. Its attributes must satisfy verifyVariants.
std::optional<Variant> getVariant(DefOp def);
void setVariant(DefOp def, const Variant &variant);
/// Returns the variants of `def` in its module, in their order.
llvm::SmallVector<DefOp> variantsOf(DefOp def);

/// Returns "seq from 0 to 45, batch from 8".
std::string rangesText(const Variant &variant);

/// Fails after a diagnostic on a variant of `module` that breaks one of these rules:
/// - variant_c1: it names a definition that is not a variant itself.
/// - variant_c2: each of its ranges has an expression, a minimum of at least 0 and optionally a maximum that is no
/// less;
///   there is at least one range, and one per expression.
/// - variant_c3: it has the types of the definition that it replaces; in buffer form as many buffers.
/// - variant_c4: no run has sizes in range of two variants of one definition.
llvm::LogicalResult verifyVariants(mlir::Operation *module);

} // namespace cameo::task

#endif
