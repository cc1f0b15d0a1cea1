// Definitions that stand in for another one in runs with some sizes: they compute the same with another schedule.
#ifndef CAMEO_DIALECTS_TASK_VARIANTS_H
#define CAMEO_DIALECTS_TASK_VARIANTS_H

#include "dialects/Task/TaskDialect.h"

#include <optional>

namespace cameo::task {

/// Values of a size, both numbers among them; without the second there is no greatest.
struct SizeRange {
  DimExprAttr size;
  int64_t least = 0;
  std::optional<int64_t> most;
};

/// Two attributes of a definition that nothing calls: `variant_of` names the one that it stands in for, and `ranges`
/// says in which runs, those where all sizes are inside: `[[#dim.expr<"seq">, 0, 45], [#dim.expr<"batch">, 8]]`.
struct Variant {
  mlir::FlatSymbolRefAttr task;
  llvm::SmallVector<SizeRange, 1> ranges;
};

/// Nothing where `def` is no variant of another one. Its attributes must be as verifyVariants wants them.
std::optional<Variant> getVariant(DefOp def);
void setVariant(DefOp def, const Variant &variant);
/// The variants of `def` in its module, in their order.
llvm::SmallVector<DefOp> variantsOf(DefOp def);

/// "seq from 0 to 45, batch from 8".
std::string rangesText(const Variant &variant);

/// Fails after a diagnostic on a variant of `module` that breaks one of these rules:
/// - variant_c1: it names a definition that is no variant itself.
/// - variant_c2: each of its ranges has an expression, a least number of at least 0 and perhaps a greatest that is no
///   less; there is one at least, and one for each expression.
/// - variant_c3: it has the types of what it stands in for; in buffer form as many buffers.
/// - variant_c4: no run has sizes for two variants of one definition.
llvm::LogicalResult verifyVariants(mlir::Operation *module);

} // namespace cameo::task

#endif
