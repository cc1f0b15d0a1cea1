#include "passes/Lower/LoweringTable.h"

#include "passes/Lower/Builders/StringBuilder.h"
#include "passes/Lower/DialectLowerings.h"
#include "passes/Lower/Formulas/NarrowNumbers.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"
#include "dialects/Task/TaskDialect.h"

#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

namespace cameo::lower {

const LoweringTable &LoweringTable::of(Operation *op) {
  static const LoweringTable table = [] {
    LoweringTable table;
    for (auto add :
         {addActivations, addAffineGrids,     addArgExtrema,     addArithmetic, addBlockedProducts, addCasts,
          addCausalConvs, addCol2Ims,         addConvTransposes, addConvs,      addCounted,         addCumulations,
          addDeformConvs, addDeterminants,    addEinsums,        addExterns,    addGathers,         addGenerators,
          addGridSamples, addLinearAttention, addLosses,         addMatMuls,    addMovements,       addNormalizations,
          addPads,        addPools,           addQuantization,   addRecurrent,  addReductions,      addReshapes,
          addResizes,     addRoiAligns,       addScatters,       addSignals,    addSlices,          addSoftmaxes,
          addStrings,     addTopSelections,   addTrees,          addUnaries})
      add(table);
    return table;
  }();
  auto *own = op->getDialect() ? op->getDialect()->getRegisteredInterface<DialectLowerings>() : nullptr;
  return own ? own->getTable() : table;
}

/// Whether the operation only moves elements, or handles elements of all types.
static bool takesAnything(Operation *op) {
  if (auto scatter = dyn_cast<onnx::ScatterElementsOp>(op))
    return scatter.getReduction() == "none";
  if (auto scatter = dyn_cast<onnx::ScatterNDOp>(op))
    return scatter.getReduction() == "none";
  return isa<onnx::CastOp, onnx::CastLikeOp, onnx::CenterCropPadOp, onnx::ConcatOp, onnx::ConstantOp,
             onnx::ConstantOfShapeOp, onnx::DepthToSpaceOp, onnx::ExpandOp, onnx::ExternOp, onnx::FlattenOp,
             onnx::GatherOp, onnx::GatherElementsOp, onnx::GatherNDOp, onnx::IdentityOp, onnx::PadOp, onnx::ReshapeOp,
             onnx::ReverseSequenceOp, onnx::ShapeOp, onnx::SizeOp, onnx::SliceOp, onnx::SpaceToDepthOp, onnx::SplitOp,
             onnx::SqueezeOp, onnx::TensorScatterOp, onnx::TileOp, onnx::TransposeOp, onnx::TriluOp, onnx::UnsqueezeOp,
             onnx::WhereOp, task::PlaceOp>(op);
}

static bool takesNarrow(Operation *op) {
  return takesAnything(op) || isa<onnx::BitCastOp, onnx::DequantizeLinearOp, onnx::IsInfOp, onnx::IsNaNOp,
                                  onnx::QLinearMatMulOp, onnx::QuantizeLinearOp>(op);
}

static bool takesStrings(Operation *op) {
  return takesAnything(op) || isa<onnx::ChangeCaseOp, onnx::CountPartsOp, onnx::CountedNonZeroOp, onnx::CountedUniqueOp,
                                  onnx::EqualOp, onnx::FindTextOp, onnx::OneHotOp, onnx::RegexFullMatchOp,
                                  onnx::StringConcatOp, onnx::StringSplitOp, onnx::TakePartOp>(op);
}

static bool takes(Operation *op, Type element) {
  if (isNarrow(element))
    return takesNarrow(op);
  if (isString(element))
    return takesStrings(op);
  return element.isF16() || element.isBF16() || element.isF32() || element.isF64() || element.isInteger();
}

/// Fails unless `type` is absent, or a tensor whose element type the operation supports and whose sizes are static or
/// symbolic.
static LogicalResult checkType(Operation *op, Type type) {
  if (isa<NoneType>(type))
    return success();
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !onnx::areKnown(*onnx::getDims(type)))
    return unsupported(op, "a tensor of unknown shape");
  Type element = tensor.getElementType();
  if (!takes(op, element))
    return unsupported(op, [&] {
      std::string text;
      llvm::raw_string_ostream(text) << "elements of type " << element;
      return text;
    }());
  return success();
}

/// Whether no result has elements. Such an operation is not lowered, because its indices might be out of bounds.
static bool isEmpty(Operation *op) {
  return op->getNumResults() > 0 && llvm::all_of(op->getResultTypes(), [](Type type) {
           auto tensor = dyn_cast<RankedTensorType>(type);
           return isa<NoneType>(type) || (tensor && llvm::is_contained(tensor.getShape(), 0));
         });
}

static Lowered emptyResults(Operation *op, GenericBuilder &b) {
  Values results;
  for (auto [number, result] : llvm::enumerate(op->getResults()))
    results.push_back(isa<NoneType>(result.getType()) ? Value()
                                                      : b.empty(resultShape(op, number), resultElement(op, number)));
  return results;
}

Lowered LoweringTable::lower(Operation *op, Operands operands, GenericBuilder &b) const {
  auto it = functions.find(op->getName().getStringRef());
  if (it == functions.end()) {
    op->emitError() << "lowering of " << op->getName() << " is not supported";
    return failure();
  }
  for (Type type : op->getOperandTypes())
    if (failed(checkType(op, type)))
      return failure();
  for (Type type : op->getResultTypes())
    if (failed(checkType(op, type)))
      return failure();
  if (isEmpty(op))
    return emptyResults(op, b);
  return it->second(op, operands, b);
}

LogicalResult unsupported(Operation *op, const Twine &what) {
  op->emitError() << "lowering of " << op->getName() << " with " << what << " is not supported";
  return failure();
}

LogicalResult expectStatic(Operation *op, ShapeRef sizes, const Twine &what) {
  for (const Dim &dim : sizes)
    if (!dim.isStatic())
      return unsupported(op, "a symbolic dimension (" + dim.getText() + ") of " + what);
  return success();
}

Sign signOf(Value onnxValue) {
  auto type = dyn_cast<RankedTensorType>(onnxValue.getType());
  return type && type.getElementType().isUnsignedInteger() ? Sign::Unsigned : Sign::Signed;
}

Type toSignless(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return type;
  Type element = tensor.getElementType();
  if (isNarrow(element))
    element = IntegerType::get(type.getContext(), 8);
  else if (isString(element))
    element = IntegerType::get(type.getContext(), 64);
  else if (element.isUnsignedInteger() || element.isSignedInteger())
    element = IntegerType::get(type.getContext(), element.getIntOrFloatBitWidth());
  return RankedTensorType::get(tensor.getShape(), element, tensor.getEncoding());
}

ElementsAttr toSignless(ElementsAttr value) {
  auto type = cast<RankedTensorType>(toSignless(value.getType()));
  if (type == value.getType())
    return value;
  if (ElementsAttr resource = onnx::retypeResource(value, type.getElementType()))
    return resource;
  auto dense = cast<DenseElementsAttr>(value);
  if (isNarrow(dense.getElementType()))
    return DenseElementsAttr::getFromRawBuffer(type, dense.getRawData());
  return dense.bitcast(type.getElementType());
}

Shape resultShape(Operation *op, unsigned result) { return shapeOf(op->getResult(result)); }

Type resultElement(Operation *op, unsigned result) {
  return cast<RankedTensorType>(toSignless(op->getResult(result).getType())).getElementType();
}

} // namespace cameo::lower
