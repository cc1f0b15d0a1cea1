// Operators that the import writes as operations of the default domain: passes and lowering never hear of them.
#ifndef CAMEO_FRONTEND_IMPORT_WRITTEN_WRITTENOPERATORS_H
#define CAMEO_FRONTEND_IMPORT_WRITTEN_WRITTENOPERATORS_H

#include "frontend/Import/Written/NodeWriter.h"

namespace cameo {

constexpr llvm::StringLiteral kMlDomain = "ai.onnx.ml", kTrainingDomain = "ai.onnx.preview.training",
                              kMicrosoftDomain = "com.microsoft";
constexpr int64_t kLastMlOpset = 5, kLastTrainingOpset = 1, kLastMicrosoftOpset = 1;

/// One value per output, null for one that nobody may ask for; what they are matters only where the writer has not
/// failed.
using WrittenResults = llvm::SmallVector<mlir::Value>;

constexpr unsigned kAnyNumber = ~0u;

struct WrittenOperator {
  llvm::StringRef name;
  unsigned inputs; ///< or kAnyNumber of 1 or more
  WrittenResults (*write)(NodeWriter &);
  bool takesMaps = false;         ///< instead of tensors
  unsigned required = kAnyNumber; ///< of the inputs: those behind them may be absent
};

/// Null for an operator that is not written like this. The default domain is "".
const WrittenOperator *findWrittenOperator(llvm::StringRef domain, llvm::StringRef opType);

/// Whether an operator of the default domain is of no operator set of it.
bool isUnnumberedOperator(llvm::StringRef opType);

/// One value per output of the operator. Fails after an error at the node.
mlir::FailureOr<llvm::SmallVector<mlir::Value>> writeNode(const WrittenOperator &op, NodeDraft &draft);

// The operators of a domain.
llvm::ArrayRef<WrittenOperator> getMlOperators();
llvm::ArrayRef<WrittenOperator> getTrainingOperators();
llvm::ArrayRef<WrittenOperator> getMicrosoftOperators();
/// The newest operator set of a domain whose operators are written.
int64_t getLastWrittenOpset(llvm::StringRef domain);
/// Of the default domain.
llvm::ArrayRef<WrittenOperator> getRandomOperators();

WrittenResults importMaxRoiPool(NodeWriter &w);
WrittenResults writeSimplifiedLayerNormalization(NodeWriter &w);
WrittenResults importTfIdfVectorizer(NodeWriter &w);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_WRITTEN_WRITTENOPERATORS_H
