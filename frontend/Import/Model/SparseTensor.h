// Sparse constants. They are expanded here, because no operator supports them.
#ifndef CAMEO_FRONTEND_IMPORT_MODEL_SPARSETENSOR_H
#define CAMEO_FRONTEND_IMPORT_MODEL_SPARSETENSOR_H

#include "frontend/Import/Model/ModelFile.h"

#include "mlir/IR/BuiltinAttributes.h"

namespace onnx {
class SparseTensorProto;
}

namespace cameo {

/// Returns the dense tensor. Fails after an error if the indices are out of bounds or not ascending.
mlir::FailureOr<mlir::ElementsAttr> importSparseTensor(const ::onnx::SparseTensorProto &tensor, ModelFile &file,
                                                       mlir::Location loc);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_MODEL_SPARSETENSOR_H
