#include "frontend/Import/Graph/ImportAttribute.h"

#include "frontend/Import/Model/SparseTensor.h"
#include "frontend/Import/Model/TensorData.h"

#include "dialects/Onnx/OnnxDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"

#include <onnx/onnx_pb.h>

using namespace mlir;
using namespace cameo;
using ::onnx::AttributeProto;

namespace {

/// Returns the kind of an attribute. Files of the first IR versions do not state it, so it follows from the set field.
AttributeProto::AttributeType getKind(const AttributeProto &attribute) {
  if (attribute.type() != AttributeProto::UNDEFINED)
    return attribute.type();
  if (attribute.has_f())
    return AttributeProto::FLOAT;
  if (attribute.has_i())
    return AttributeProto::INT;
  if (attribute.has_s())
    return AttributeProto::STRING;
  if (attribute.has_t())
    return AttributeProto::TENSOR;
  if (attribute.has_g())
    return AttributeProto::GRAPH;
  if (attribute.floats_size())
    return AttributeProto::FLOATS;
  if (attribute.strings_size())
    return AttributeProto::STRINGS;
  return attribute.ints_size() ? AttributeProto::INTS : AttributeProto::UNDEFINED;
}

ElementsAttr makeTensor(Type elementType, ArrayRef<int64_t> shape, ArrayRef<StringRef> strings) {
  return cast<ElementsAttr>(DenseElementsAttr::get(RankedTensorType::get(shape, elementType), strings));
}

template <typename T> ElementsAttr makeTensor(Type elementType, ArrayRef<int64_t> shape, ArrayRef<T> values) {
  return cast<ElementsAttr>(DenseElementsAttr::get(RankedTensorType::get(shape, elementType), values));
}

/// Fails after an error if a string contains a zero byte, which would end the string in memory.
LogicalResult expectStrings(const AttributeProto &attribute, Location loc) {
  auto hasZero = [](StringRef string) { return string.contains('\0'); };
  if (hasZero(attribute.s()) || llvm::any_of(attribute.strings(), hasZero))
    return emitError(loc) << "expected attribute '" << attribute.name()
                          << "' without zero bytes, which terminate a string";
  return success();
}

} // namespace

FailureOr<Attribute> cameo::importAttribute(const AttributeProto &attribute, ModelFile &file, Location loc,
                                            bool loadWeights) {
  Builder builder(loc.getContext());
  if (failed(expectStrings(attribute, loc)))
    return failure();
  switch (getKind(attribute)) {
  case AttributeProto::FLOAT:
    return Attribute(builder.getF32FloatAttr(attribute.f()));
  case AttributeProto::INT:
    return Attribute(builder.getI64IntegerAttr(attribute.i()));
  case AttributeProto::STRING:
    return Attribute(builder.getStringAttr(attribute.s()));
  case AttributeProto::TENSOR: {
    FailureOr<ElementsAttr> tensor = importTensor(attribute.t(), file, loc, loadWeights);
    if (failed(tensor))
      return failure();
    return Attribute(*tensor);
  }
  case AttributeProto::FLOATS:
    return Attribute(builder.getDenseF32ArrayAttr(ArrayRef(attribute.floats().data(), attribute.floats_size())));
  case AttributeProto::INTS:
    return Attribute(
        builder.getDenseI64ArrayAttr(SmallVector<int64_t>(attribute.ints().begin(), attribute.ints().end())));
  case AttributeProto::STRINGS: {
    SmallVector<Attribute> strings;
    for (const std::string &string : attribute.strings())
      strings.push_back(builder.getStringAttr(string));
    return Attribute(builder.getArrayAttr(strings));
  }
  case AttributeProto::SPARSE_TENSOR:
  case AttributeProto::SPARSE_TENSORS:
    return emitError(loc) << "attribute '" << attribute.name() << "': sparse tensors are not supported";
  case AttributeProto::GRAPH:
  case AttributeProto::GRAPHS:
    return emitError(loc) << "attribute '" << attribute.name() << "': graphs are not supported";
  default:
    return emitError(loc) << "expected attribute '" << attribute.name() << "' of a known kind, got kind "
                          << int(attribute.type());
  }
}

FailureOr<ElementsAttr> cameo::importConstantValue(const AttributeProto &attribute, ModelFile &file, Location loc,
                                                   bool loadWeights) {
  Builder builder(loc.getContext());
  if (failed(expectStrings(attribute, loc)))
    return failure();
  StringRef name = attribute.name();
  if (name == "value")
    return importTensor(attribute.t(), file, loc, loadWeights);
  if (name == "value_float")
    return makeTensor<float>(builder.getF32Type(), {}, attribute.f());
  if (name == "value_floats")
    return makeTensor<float>(builder.getF32Type(), attribute.floats_size(),
                             ArrayRef(attribute.floats().data(), attribute.floats_size()));
  if (name == "value_int")
    return makeTensor<int64_t>(builder.getI64Type(), {}, int64_t(attribute.i()));
  if (name == "value_ints")
    return makeTensor<int64_t>(builder.getI64Type(), attribute.ints_size(),
                               SmallVector<int64_t>(attribute.ints().begin(), attribute.ints().end()));
  Type stringType = cameo::onnx::StringType::get(loc.getContext());
  if (name == "value_string")
    return makeTensor(stringType, {}, ArrayRef<StringRef>(StringRef(attribute.s())));
  if (name == "value_strings") {
    SmallVector<StringRef> strings(attribute.strings().begin(), attribute.strings().end());
    return makeTensor(stringType, int64_t(strings.size()), ArrayRef<StringRef>(strings));
  }
  if (name == "sparse_value")
    return importSparseTensor(attribute.sparse_tensor(), file, loc);
  return emitError(loc) << "expected an attribute with the value, got '" << name << "'";
}
