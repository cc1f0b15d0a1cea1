// Slices and ranges whose sizes only the data of a run tell: as many elements as there may be, of which as many count
// as the run finds.
#ifndef CAMEO_FRONTEND_IMPORT_GRAPH_DATASIZES_H
#define CAMEO_FRONTEND_IMPORT_GRAPH_DATASIZES_H

#include "frontend/Import/Versions/NodeDraft.h"

#include "dialects/Onnx/DimList.h"

namespace cameo {

/// What the model says of the sizes of an output.
struct SizeStatement {
  std::optional<cameo::onnx::DimList> dims;
  /// Whether a run knows all names of this dimension before it begins, or has found them before.
  llvm::function_ref<bool(const cameo::Dim &dim)> isGiven;
  /// A name that no other size has.
  llvm::function_ref<std::string(int64_t axis)> nameSize;
};

/// What stands for the result of an onnx.Slice or onnx.Range where inference does not know its sizes, the statement
/// does not give them and something bounds them; else the result itself, and so for every other operation. Fails after
/// an error.
mlir::FailureOr<mlir::Value> countDataSizes(NodeDraft &draft, mlir::Value result, const SizeStatement &statement);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_GRAPH_DATASIZES_H
