// Functions that the operators of ai.onnx.ml share, and operators with files of their own.
#ifndef CAMEO_FRONTEND_IMPORT_WRITTEN_MLOPERATORS_H
#define CAMEO_FRONTEND_IMPORT_WRITTEN_MLOPERATORS_H

#include "frontend/Import/Written/WrittenOperators.h"

namespace cameo {

/// Applies the last step of classifiers and regressors to each row: "NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO" or
/// "PROBIT".
mlir::Value transformScores(NodeWriter &w, mlir::Value scores, llvm::StringRef transform);

/// Returns the labels of a classifier as a vector: strings, or the integers of the other attribute. Fails the writer if
/// there are none.
mlir::Value takeClassLabels(NodeWriter &w, llvm::StringRef integersName);

WrittenResults importCastMap(NodeWriter &w);
WrittenResults importCategoryMapper(NodeWriter &w);
WrittenResults importDictVectorizer(NodeWriter &w);
WrittenResults importLabelEncoder(NodeWriter &w);
WrittenResults importOneHotEncoder(NodeWriter &w);
WrittenResults importSupportClassifier(NodeWriter &w);
WrittenResults importSupportRegressor(NodeWriter &w);
WrittenResults importTreeEnsemble(NodeWriter &w);
WrittenResults importTreeRegressor(NodeWriter &w);
WrittenResults importTreeClassifier(NodeWriter &w);
WrittenResults importZipMap(NodeWriter &w);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_WRITTEN_MLOPERATORS_H
