#include "frontend/Import/Graph/GuardValue.h"

#include "frontend/Import/Written/NodeWriter.h"

#include "dialects/Onnx/DimList.h"
#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;
using namespace cameo;

FailureOr<Value> cameo::guardValue(NodeDraft &draft, Value value, Value condition, bool required, StringRef sizeName) {
  NodeWriter w(draft);
  auto type = cast<RankedTensorType>(value.getType());
  // The value is a prefix of itself with all its rows, or with -1 rows, which ends the run.
  Value whole = type.getRank() == 0 ? w.reshape(value, {1}) : value, rows = w.sizeOf(whole, 0), none = w.scalar(-1);
  Value count =
      w.make("Where", {w.make("Reshape", {condition, w.ints({})}), required ? rows : none, required ? none : rows});
  if (w.hasFailed())
    return failure();
  cameo::onnx::DimList dims = *cameo::onnx::getDims(whole);
  dims.front() = cameo::Dim::named(draft.builder.getStringAttr(sizeName));
  Type partType = cameo::onnx::makeTensorType(dims, type.getElementType());
  Value prefix = cameo::onnx::PrefixOp::create(draft.builder, draft.loc, TypeRange(partType), {whole, count},
                                               ArrayRef<NamedAttribute>{});
  return Value(cameo::onnx::ReshapeOp::create(draft.builder, draft.loc, TypeRange(type),
                                              {prefix, w.make("Shape", value)}, ArrayRef<NamedAttribute>{}));
}
