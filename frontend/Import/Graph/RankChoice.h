// Values whose rank depends on a dynamic condition: PyTorch exports `x.squeeze(1)` as an If that squeezes where the
// size is 1. Both values are kept until results computed from them have one rank.
#ifndef CAMEO_FRONTEND_IMPORT_GRAPH_RANKCHOICE_H
#define CAMEO_FRONTEND_IMPORT_GRAPH_RANKCHOICE_H

#include "mlir/IR/Builders.h"

#include <optional>

namespace cameo {

struct RankChoice {
  mlir::Location loc; ///< of the If
  mlir::Value condition, whenTrue, whenFalse;

  mlir::Value of(bool isTrue) const { return isTrue ? whenTrue : whenFalse; }
};

/// Returns nothing for other values. Like a sequence, a choice is one value of a tuple type, so that it can be bound to
/// a name.
std::optional<RankChoice> getRankChoice(mlir::Value value);

mlir::Value makeRankChoice(mlir::OpBuilder &builder, const RankChoice &choice);

/// Returns the condition before changes of its shape.
mlir::Value getRoot(mlir::Value condition);

/// Returns the condition, or an earlier condition of a choice in the same block that has the same root or compares the
/// same two sizes.
mlir::Value findEqualCondition(mlir::OpBuilder &builder, mlir::Value condition);

/// Whether the value is an integer that shapes are computed from.
bool isOfShapes(mlir::Value value);

/// Whether the two values must be kept: their ranks differ, or they are integers on which a rank may depend. False if
/// one of them is not a tensor of known rank.
bool staysApart(mlir::Value whenTrue, mlir::Value whenFalse, bool areNumbersApart);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_GRAPH_RANKCHOICE_H
