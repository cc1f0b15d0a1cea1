// Inputs that are maps, as the vectors of values that stand for them.
#ifndef CAMEO_FRONTEND_IMPORT_INPUTS_MAPINPUT_H
#define CAMEO_FRONTEND_IMPORT_INPUTS_MAPINPUT_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/StringRef.h"

namespace onnx {
class GraphProto;
class TypeProto;
} // namespace onnx

namespace cameo {

/// The keys of the values of an input of a map, distinct and ascending, as MapSequence has them: all that the nodes
/// know which take it. None where these take its values alone. Fails after an error at `loc` where no node says what
/// the keys are, or nodes contradict each other.
mlir::FailureOr<mlir::Attribute> findMapKeys(const ::onnx::GraphProto &graph, llvm::StringRef name,
                                             const ::onnx::TypeProto &type, mlir::Location loc);

/// How many values there are; ShapedType::kDynamic where it is known only at run time.
int64_t countKeys(mlir::Attribute keys);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_INPUTS_MAPINPUT_H
