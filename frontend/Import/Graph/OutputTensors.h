// What the compiled model has in place of an output of the graph: the tensors of a sequence, its length, and whether an
// optional value is present.
#ifndef CAMEO_FRONTEND_IMPORT_GRAPH_OUTPUTTENSORS_H
#define CAMEO_FRONTEND_IMPORT_GRAPH_OUTPUTTENSORS_H

#include "mlir/IR/Builders.h"

namespace cameo {

struct OutputTensor {
  std::string name;
  bool isElement; ///< of the sequence that is the output
  mlir::Value value;
};

/// Returns the tensors of the output `name`. A tensor is one of its own name. A sequence is one per element, and its
/// length if the run decides it; slices of one tensor are that tensor, with the slices along the first axis. An
/// optional value also has its presence if the run decides it. Fails after an error.
mlir::FailureOr<llvm::SmallVector<OutputTensor>> findOutputTensors(mlir::OpBuilder &builder, mlir::Location loc,
                                                                   llvm::StringRef name, mlir::Value value);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_GRAPH_OUTPUTTENSORS_H
