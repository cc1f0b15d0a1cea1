#include "passes/Schedule/Emission/Shared/BufferForm.h"

#include "dialects/Dim/DimLimits.h"
#include "passes/Schedule/Nests/TensorSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace cameo::schedule {

MemRefType flatBufferType(const Size &elements, Type elementType) {
  Type element = elementType.isInteger(1) ? IntegerType::get(elementType.getContext(), 8) : elementType;
  return MemRefType::get({elements.isKnown() ? int64_t(elements) : ShapedType::kDynamic}, element);
}

/// Flattens `values` to one dimension; booleans become bytes.
static DenseElementsAttr flatten(DenseElementsAttr values, MemRefType type) {
  auto flat = RankedTensorType::get(type.getShape(), type.getElementType());
  if (!values.getElementType().isInteger(1))
    return values.reshape(flat);
  SmallVector<int8_t> bytes;
  for (bool value : values.getValues<bool>())
    bytes.push_back(value);
  return DenseElementsAttr::get(flat, ArrayRef<int8_t>(bytes));
}

memref::GlobalOp createTable(OpBuilder &builder, task::DefOp def, unsigned number, DenseElementsAttr values) {
  constexpr int64_t alignment = 64;
  MemRefType type = flatBufferType(values.getNumElements(), values.getElementType());
  std::string name = (def.getSymName() + ".table" + llvm::Twine(number)).str();
  return memref::GlobalOp::create(builder, def.getLoc(), name, builder.getStringAttr("private"), type,
                                  flatten(values, type),
                                  /*constant=*/true, builder.getI64IntegerAttr(alignment));
}

Value rowOf(OpBuilder &builder, Location loc, Value rows, Value index, const Size &apart, const Size &elements) {
  Value offset = arith::MulIOp::create(builder, loc, index, createSize(builder, loc, apart));
  OpFoldResult length =
      elements.isKnown() ? OpFoldResult(builder.getIndexAttr(elements)) : createSize(builder, loc, elements);
  return memref::SubViewOp::create(builder, loc, rows, ArrayRef<OpFoldResult>{offset}, ArrayRef<OpFoldResult>{length},
                                   ArrayRef<OpFoldResult>{builder.getIndexAttr(1)});
}

Block &becomeBufferForm(task::DefOp def, ArrayRef<Type> types) {
  def.setFunctionType(FunctionType::get(def.getContext(), types, {}));
  def.removeArgAttrsAttr();
  def.removeResAttrsAttr();
  def->removeAttr("schedule");
  Block &body = def.getBody().front();
  body.clear();
  body.eraseArguments(0, body.getNumArguments());
  for (Type type : types)
    body.addArgument(type, def.getLoc());
  return body;
}

void createDispatch(OpBuilder &builder, Location loc, StringRef kernel, ValueRange buffers, const Size &extent) {
  task::DispatchOp::create(builder, loc, kernel, buffers, makeSize(extent.exact(), builder.getContext()),
                           /*task_index=*/IntegerAttr());
}

Size unlessEmpty(const Size &extent, const Size &points) {
  llvm::SetVector<StringAttr> names;
  collectNames(points.exact(), names);
  if (names.size() < 2)
    return extent;
  Size guarded = extent * Size(minDims(points.exact(), 1));
  return guarded.isUnknown() ? extent : guarded;
}

} // namespace cameo::schedule
