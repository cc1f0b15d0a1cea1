// The operators of ai.onnx.ml, which the import writes as operations of the default domain.
#ifndef CAMEO_FRONTEND_IMPORT_MLOPERATORS_H
#define CAMEO_FRONTEND_IMPORT_MLOPERATORS_H

#include "frontend/Import/NodeWriter.h"

namespace cameo {

constexpr llvm::StringLiteral kMlDomain = "ai.onnx.ml";
constexpr int64_t kLastMlOpset = 5;

bool isMlOperator(llvm::StringRef opType);

/// One value per output of the operator. Fails after an error at the node.
mlir::FailureOr<llvm::SmallVector<mlir::Value>> importMlNode(NodeDraft &draft);

/// The last step of classifiers and regressors: "NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO" or "PROBIT" of each row.
mlir::Value transformScores(NodeWriter &w, mlir::Value scores, llvm::StringRef transform);

using MlResults = llvm::SmallVector<mlir::Value>;
MlResults importTreeEnsemble(NodeWriter &w);
MlResults importTreeRegressor(NodeWriter &w);
MlResults importTreeClassifier(NodeWriter &w);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_MLOPERATORS_H
