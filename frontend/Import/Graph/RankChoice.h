// Values whose rank a condition decides that is known only at run time: PyTorch writes `x.squeeze(1)` as an If that
// squeezes where the size is 1. Both values are kept until what is made of them has one rank.
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

/// Nothing for another value. As a sequence it is one value of a tuple type, so that it can be bound to a name.
std::optional<RankChoice> getRankChoice(mlir::Value value);

mlir::Value makeRankChoice(mlir::OpBuilder &builder, const RankChoice &choice);

/// What a condition is, before its shape was changed.
mlir::Value getRoot(mlir::Value condition);

/// The condition, or an earlier one of a choice in the same block that has its root, or compares the same two sizes.
mlir::Value findEqualCondition(mlir::OpBuilder &builder, mlir::Value condition);

/// Whether these are numbers that shapes are computed with.
bool isOfShapes(mlir::Value value);

/// Whether the values stay apart: their ranks differ, or they are numbers that a rank may be told from. False where one
/// of them is no tensor of known rank.
bool staysApart(mlir::Value whenTrue, mlir::Value whenFalse, bool areNumbersApart);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_GRAPH_RANKCHOICE_H
