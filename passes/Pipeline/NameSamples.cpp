#include "passes/Pipeline/NameSamples.h"

#include "dialects/Dim/DimLimits.h"
#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/DimList.h"
#include "dialects/Onnx/OnnxInterfaces.h"
#include "dialects/Onnx/OnnxOps.h"

using namespace mlir;

namespace cameo {
namespace {

bool hasSamples(Type type, int64_t count) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() > 0 && tensor.getDimSize(0) == count;
}

class SampleNamer {
public:
  SampleNamer(func::FuncOp main, int64_t count, StringAttr name)
      : main(main), count(count), name(name), builder(main.getContext()) {}

  LogicalResult run() {
    Block &body = main.getBody().front();
    for (BlockArgument argument : body.getArguments())
      if (hasSamples(argument.getType(), count))
        nameFirst(argument);
    for (Operation &op : llvm::make_early_inc_range(body.without_terminator()))
      if (failed(infer(&op)))
        return failure();
    main.setFunctionType(
        FunctionType::get(main.getContext(), body.getArgumentTypes(), body.getTerminator()->getOperandTypes()));
    return success();
  }

private:
  void nameFirst(Value value) {
    onnx::DimList dims = *onnx::getDims(value);
    dims.front() = Dim::named(name);
    value.setType(onnx::makeTensorType(dims, cast<RankedTensorType>(value.getType()).getElementType()));
  }

  bool isNamed(Value value) const {
    std::optional<onnx::DimList> dims = onnx::getDims(value);
    return dims && !dims->empty() && !dims->front().isStatic();
  }

  /// The samples of a reshaped value are what is left over.
  void restate(onnx::ReshapeOp op) {
    auto type = cast<RankedTensorType>(op.getType());
    if (!isNamed(op.getData()) || !onnx::getConstantInts(op.getShape()) || !type.hasStaticShape() ||
        type.getRank() == 0 || type.getNumElements() == 0 || type.getDimSize(0) % count != 0)
      return;
    SmallVector<int64_t> shape(type.getShape());
    shape.front() = -1;
    op.getShapeMutable().assign(onnx::makeIntsConstant(builder, op.getLoc(), shape));
  }

  /// What is repeated for each sample takes their number from an argument.
  void restate(onnx::ExpandOp op) {
    std::optional<SmallVector<int64_t>> shape = onnx::getConstantInts(op.getShape());
    if (isNamed(op.getInput()) || !shape || shape->empty() || shape->front() != count)
      return;
    Value argument = *llvm::find_if(main.getArguments(), [&](Value each) { return isNamed(each); });
    auto typeOf = [&](int64_t size) { return RankedTensorType::get({size}, builder.getI64Type()); };
    NamedAttribute range[] = {builder.getNamedAttr("start", builder.getI64IntegerAttr(0)),
                              builder.getNamedAttr("end", builder.getI64IntegerAttr(1))};
    Value samples = onnx::ShapeOp::create(builder, op.getLoc(), TypeRange(typeOf(1)), ValueRange(argument), range);
    Value rest = onnx::makeIntsConstant(builder, op.getLoc(), ArrayRef(*shape).drop_front());
    NamedAttribute axis = builder.getNamedAttr("axis", builder.getI64IntegerAttr(0));
    op.getShapeMutable().assign(onnx::ConcatOp::create(builder, op.getLoc(),
                                                       TypeRange(typeOf(static_cast<int64_t>(shape->size()))),
                                                       ValueRange{samples, rest}, ArrayRef(axis)));
  }

  LogicalResult infer(Operation *op) {
    auto onnxOp = dyn_cast<onnx::OnnxOp>(op);
    if (op->getNumRegions() > 0)
      return failure();
    if (!onnxOp || op->hasTrait<OpTrait::ConstantLike>())
      return success();
    builder.setInsertionPoint(op);
    if (auto reshape = dyn_cast<onnx::ReshapeOp>(op))
      restate(reshape);
    if (auto expand = dyn_cast<onnx::ExpandOp>(op))
      restate(expand);
    SmallVector<Type> before(op->getResultTypes());
    for (Value result : op->getResults())
      if (std::optional<onnx::DimList> dims = onnx::getDims(result))
        result.setType(onnx::makeTensorType(onnx::DimList(dims->size(), Dim::unknown()),
                                            cast<RankedTensorType>(result.getType()).getElementType()));
    if (failed(onnxOp.inferShapes()))
      return failure();
    for (auto [result, type] : llvm::zip_equal(op->getResults(), before))
      if (onnx::isAbsent(result) ? result.getType() != type : !isSame(*onnx::getDims(result), *onnx::getDims(type)))
        return failure();
    return success();
  }

  /// Whether the shape is the former one for the number of samples that the model has.
  bool isSame(ArrayRef<Dim> dims, ArrayRef<Dim> before) const {
    llvm::StringMap<int64_t> sizes = {{name.strref(), count}};
    return llvm::equal(dims, before, [&](const Dim &dim, const Dim &stated) {
      return !dim.isUnknown() && fixSizes(dim, sizes) == stated;
    });
  }

  func::FuncOp main;
  int64_t count;
  StringAttr name;
  OpBuilder builder;
};

} // namespace

int64_t countSamples(func::FuncOp main) {
  RankedTensorType largest;
  for (Type type : main.getArgumentTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape())
      return 1;
    if (!largest || tensor.getNumElements() > largest.getNumElements())
      largest = tensor;
  }
  return largest && largest.getRank() > 0 ? largest.getDimSize(0) : 1;
}

LogicalResult nameSamples(ModuleOp module, int64_t count, StringAttr name) {
  auto functions = module.getOps<func::FuncOp>();
  if (!llvm::hasSingleElement(functions))
    return failure();
  return SampleNamer(*functions.begin(), count, name).run();
}

} // namespace cameo
