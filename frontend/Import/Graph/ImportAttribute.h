// Imports attributes of nodes as attributes of the onnx dialect.
#ifndef CAMEO_FRONTEND_IMPORT_GRAPH_IMPORTATTRIBUTE_H
#define CAMEO_FRONTEND_IMPORT_GRAPH_IMPORTATTRIBUTE_H

#include "frontend/Import/Model/ModelFile.h"

#include "mlir/IR/BuiltinAttributes.h"

namespace onnx {
class AttributeProto;
}

namespace cameo {

/// Imports an attribute that is not a reference. Fails after an error for graphs, sparse tensors and types.
mlir::FailureOr<mlir::Attribute> importAttribute(const ::onnx::AttributeProto &attribute, ModelFile &file,
                                                 mlir::Location loc, bool loadWeights);

/// Returns the value of a Constant node with this attribute. Fails after an error.
mlir::FailureOr<mlir::ElementsAttr> importConstantValue(const ::onnx::AttributeProto &attribute, ModelFile &file,
                                                        mlir::Location loc, bool loadWeights);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_GRAPH_IMPORTATTRIBUTE_H
