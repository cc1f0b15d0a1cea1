// Constants of which the file has only the elements that are not zero. They are filled up here: no operator knows them.
#ifndef CAMEO_FRONTEND_IMPORT_MODEL_SPARSETENSOR_H
#define CAMEO_FRONTEND_IMPORT_MODEL_SPARSETENSOR_H

#include "frontend/Import/Model/ModelFile.h"

#include "mlir/IR/BuiltinAttributes.h"

namespace onnx {
class SparseTensorProto;
}

namespace cameo {

/// The tensor with all its elements. Fails after an error for indices that do not lie inside of it in ascending order.
mlir::FailureOr<mlir::ElementsAttr> importSparseTensor(const ::onnx::SparseTensorProto &tensor, ModelFile &file,
                                                       mlir::Location loc);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_MODEL_SPARSETENSOR_H
