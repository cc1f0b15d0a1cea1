#include "utils/Plugin/PluginRegistry.h"

#include "dialects/Onnx/OnnxOps.h"
#include "dialects/Onnx/ShapeRules.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "RowOpsDialect.h.inc"
#define GET_OP_CLASSES
#include "RowOps.h.inc"

#include "RowOpsDialect.cpp.inc"
#define GET_OP_CLASSES
#include "RowOps.cpp.inc"

using namespace mlir;
using namespace cameo::lower;

void rows::RowsDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "RowOps.cpp.inc"
      >();
}

LogicalResult rows::ConvOp::inferResultTypes(SmallVectorImpl<Type> &types, cameo::onnx::SizeConstraints &) {
  std::optional<cameo::onnx::DimList> dims = cameo::onnx::getDims(getX());
  if (dims && dims->empty())
    return emitOpError() << "expected rows, got a number";
  Type element = cameo::onnx::elementTypeOf(getX());
  if (dims)
    dims->pop_back();
  Type type = dims ? Type(cameo::onnx::makeTensorType(*dims, element)) : Type(UnrankedTensorType::get(element));
  types.push_back(type);
  types.push_back(cameo::onnx::isAbsent(getLargest()) ? Type(NoneType::get(getContext())) : type);
  return success();
}

static Lowered lowerConv(rows::ConvOp op, Operands operands, GenericBuilder &b) {
  int64_t axis = rankOf(operands[0]) - 1;
  Type element = computeType(elementOf(operands[0]));
  Value sums = b.reduce(operands[0], axis, false, numberAttr(element, 0),
                        [](ScalarBuilder &s, ValueRange x) { return s.add(x[0], x[1]); });
  if (operands[1])
    sums = b.elementwise(shapeOf(sums), elementOf(sums), {sums, operands[1]},
                         [](ScalarBuilder &s, ValueRange x) { return s.add(x[0], x[1]); });
  Values results = {b.convert(sums, resultElement(op)), Value()};
  if (!cameo::onnx::isAbsent(op.getLargest()))
    results[1] = b.convert(b.reduce(operands[0], axis, false, lowestAttr(element),
                                    [](ScalarBuilder &s, ValueRange x) { return s.max(x[0], x[1]); }),
                           resultElement(op, 1));
  return results;
}

static Lowered lowerIdentity(rows::IdentityOp op, Operands operands, GenericBuilder &b) {
  return one(b.elementwise(resultShape(op), resultElement(op), operands,
                           [](ScalarBuilder &s, ValueRange x) { return s.add(x[0], x[0]); }));
}

namespace {

struct TakeTwiceApart : PassWrapper<TakeTwiceApart, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TakeTwiceApart)

  StringRef getArgument() const override { return "take-twice-apart"; }
  void runOnOperation() override {
    getOperation().walk([](rows::TwiceOp op) {
      OpBuilder builder(op);
      Value sum =
          cameo::onnx::AddOp::create(builder, op.getLoc(), TypeRange(op.getType()), ValueRange{op.getX(), op.getX()});
      op.replaceAllUsesWith(sum);
      op.erase();
    });
  }
};

} // namespace

extern "C" const char *cameoPluginVersion() { return CAMEO_PLUGIN_VERSION; }

extern "C" void cameoRegisterPlugin(cameo::PluginRegistry &registry) {
  registry.addDialect<rows::RowsDialect>();
  registry.addLowering(lowerConv);
  registry.addLowering(lowerIdentity);
  registry.addGraphPass([] { return std::make_unique<TakeTwiceApart>(); }, cameo::GraphPassUse::Always);
}
