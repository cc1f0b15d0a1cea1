// Operators that the import rewrites to operations of the default domain, so that passes and lowerings need not know
// them.
#ifndef CAMEO_FRONTEND_IMPORT_WRITTEN_WRITTENOPERATORS_H
#define CAMEO_FRONTEND_IMPORT_WRITTEN_WRITTENOPERATORS_H

#include "frontend/Import/Written/NodeWriter.h"

namespace cameo {

constexpr llvm::StringLiteral kMlDomain = "ai.onnx.ml", kTrainingDomain = "ai.onnx.preview.training",
                              kMicrosoftDomain = "com.microsoft", kOpenVinoDomain = "org.openvinotoolkit",
                              kQonnxDomain = "qonnx.custom_op.general", kBrevitasDomain = "onnx.brevitas";
constexpr int64_t kLastMlOpset = 5, kLastTrainingOpset = 1, kLastMicrosoftOpset = 1, kLastOpenVinoOpset = 1,
                  kLastQonnxOpset = 2;

/// One value per output, null for outputs that nothing may read. The values are ignored if the writer has failed.
using WrittenResults = llvm::SmallVector<mlir::Value>;

constexpr unsigned kAnyNumber = ~0u;

struct WrittenOperator {
  llvm::StringRef name;
  unsigned inputs; ///< number of inputs, or kAnyNumber for at least 1
  WrittenResults (*write)(NodeWriter &);
  bool takesMaps = false;         ///< whether inputs are maps instead of tensors
  unsigned required = kAnyNumber; ///< number of required inputs; later ones may be absent
};

/// Returns null if the operator is not rewritten. The default domain is "".
const WrittenOperator *findWrittenOperator(llvm::StringRef domain, llvm::StringRef opType);

/// Whether the operator of the default domain is in none of its operator sets.
bool isUnnumberedOperator(llvm::StringRef opType);

/// Returns one value per output of the operator. Fails after an error at the node.
mlir::FailureOr<llvm::SmallVector<mlir::Value>> writeNode(const WrittenOperator &op, NodeDraft &draft);

// The operators of a domain.
llvm::ArrayRef<WrittenOperator> getMlOperators();
llvm::ArrayRef<WrittenOperator> getTrainingOperators();
llvm::ArrayRef<WrittenOperator> getMicrosoftOperators();
llvm::ArrayRef<WrittenOperator> getOpenVinoOperators();
llvm::ArrayRef<WrittenOperator> getQonnxOperators();
/// Returns the newest supported operator set of a domain.
int64_t getLastWrittenOpset(llvm::StringRef domain);
/// Operators of the default domain.
llvm::ArrayRef<WrittenOperator> getRandomOperators();

WrittenResults importMaxRoiPool(NodeWriter &w);
WrittenResults writeSimplifiedLayerNormalization(NodeWriter &w);
WrittenResults importTfIdfVectorizer(NodeWriter &w);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_WRITTEN_WRITTENOPERATORS_H
