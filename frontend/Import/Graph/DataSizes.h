// Replaces slices and ranges of data-dependent size by their largest possible result, of which a prefix is valid.
#ifndef CAMEO_FRONTEND_IMPORT_GRAPH_DATASIZES_H
#define CAMEO_FRONTEND_IMPORT_GRAPH_DATASIZES_H

#include "frontend/Import/Versions/NodeDraft.h"

#include "dialects/Onnx/DimList.h"

namespace cameo {

/// The sizes that the model states for an output.
struct SizeStatement {
  std::optional<cameo::onnx::DimList> dims;
  /// Whether all symbols of the dimension are known before the run or have been computed.
  llvm::function_ref<bool(const cameo::Dim &dim)> isGiven;
  /// Returns an unused name.
  llvm::function_ref<std::string(int64_t axis)> nameSize;
};

/// Returns the replacement for the result of an onnx.Slice or onnx.Range whose size is neither inferred nor stated but
/// bounded; returns all other results unchanged. Fails after an error.
mlir::FailureOr<mlir::Value> countDataSizes(NodeDraft &draft, mlir::Value result, const SizeStatement &statement);

/// Replaces the results of an onnx.Split into parts whose sizes data decides by slices, whose sizes countDataSizes
/// finds. A run whose sizes are negative or do not add up to the data ends with CAMEO_INVALID_ARGUMENT. `nameSize`
/// returns an unused name of a size. Fails after an error.
llvm::LogicalResult splitByData(NodeDraft &draft, llvm::MutableArrayRef<mlir::Value> results,
                                llvm::function_ref<std::string()> nameSize);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_GRAPH_DATASIZES_H
