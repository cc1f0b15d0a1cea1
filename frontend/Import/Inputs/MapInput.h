// Inputs that are maps, which become vectors of their values.
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

/// Returns the keys of an input of map type, distinct and ascending as in MapSequence: the union of the keys that the
/// nodes which use it state, including those in bodies and behind an Identity. Returns none if these use its values
/// alone. Fails after an error at `loc` if no node states the keys, or nodes contradict each other.
mlir::FailureOr<mlir::Attribute> findMapKeys(const ::onnx::GraphProto &graph, llvm::StringRef name,
                                             const ::onnx::TypeProto &type, mlir::Location loc);

/// Returns the number of values; ShapedType::kDynamic if it is dynamic.
int64_t countKeys(mlir::Attribute keys);

} // namespace cameo

#endif // CAMEO_FRONTEND_IMPORT_INPUTS_MAPINPUT_H
