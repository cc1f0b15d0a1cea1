// What the operators of ai.onnx.ml share, and those that have a file of their own.
#ifndef CAMEO_FRONTEND_IMPORT_WRITTEN_MLOPERATORS_H
#define CAMEO_FRONTEND_IMPORT_WRITTEN_MLOPERATORS_H

#include "frontend/Import/Written/WrittenOperators.h"

namespace cameo {

/// The last step of classifiers and regressors: "NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO" or "PROBIT" of each row.
mlir::Value transformScores(NodeWriter &w, mlir::Value scores, llvm::StringRef transform);

/// The labels of a classifier as a vector: texts, or the integers of another attribute. Fails the writer where there
/// are none.
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
