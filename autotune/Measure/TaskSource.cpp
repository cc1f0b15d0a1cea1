#include "autotune/Measure/TaskSource.h"

#include "autotune/Measure/OpenTask.h"
#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"
#include "utils/Driver/Run/CompareTensors.h"
#include "utils/Driver/Run/RandomInputs.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;

namespace cameo::autotune {

cameo_element_type elementTypeOf(Type type) {
  if (type.isF64())
    return CAMEO_FLOAT64;
  if (type.isF16())
    return CAMEO_FLOAT16;
  if (type.isBF16())
    return CAMEO_BFLOAT16;
  if (type.isInteger(1))
    return CAMEO_BOOL;
  if (type.isInteger(8))
    return CAMEO_INT8;
  if (type.isInteger(16))
    return CAMEO_INT16;
  if (type.isInteger(32))
    return CAMEO_INT32;
  if (type.isInteger(64))
    return CAMEO_INT64;
  return CAMEO_FLOAT32;
}

static uint64_t bytesOf(RankedTensorType type) {
  return static_cast<uint64_t>(type.getNumElements() * task::getElementBytes(type.getElementType()));
}

/// Creates a splat constant, which takes no memory: timing needs the layout of weights, but not their values.
static Value makePlaceholder(OpBuilder &builder, Location loc, RankedTensorType type, unsigned number) {
  Type element = type.getElementType();
  Attribute value = isa<FloatType>(element)
                        ? Attribute(builder.getFloatAttr(element, number + 1))
                        : Attribute(builder.getIntegerAttr(element, element.isInteger(1) ? 1 : number + 1));
  return onnx::ConstantOp::create(builder, loc, type, DenseElementsAttr::get(type, value));
}

/// Creates the copies of the task, one per run, after @main.
static SmallVector<task::DefOp> makeCopies(OpBuilder &builder, const SearchTask &task) {
  SmallVector<task::DefOp> copies;
  for (auto [number, run] : llvm::enumerate(runsOf(task))) {
    task::DefOp source = task.def;
    copies.push_back(run ? cloneForRun(builder, source, *run, number) : cast<task::DefOp>(builder.clone(*source)));
    copies.back()->removeAttr("schedule");
  }
  return copies;
}

/// Returns the types of tensors in @main, with the names of the dimensions in the copy.
static SmallVector<Type> typesInMain(ArrayRef<Type> types, llvm::function_ref<onnx::DimsAttr(unsigned)> dims) {
  SmallVector<Type> named;
  for (auto [number, type] : llvm::enumerate(types))
    named.push_back(namedType(type, dims(number)));
  return named;
}

static OwningOpRef<ModuleOp> makeModule(const SearchTask &task) {
  task::DefOp source = task.def;
  OpBuilder builder(source.getContext());
  Location loc = source.getLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder, loc);
  builder.setInsertionPointToStart(module->getBody());
  auto main = func::FuncOp::create(builder, loc, "main", builder.getFunctionType({}, {}));
  SmallVector<task::DefOp> copies = makeCopies(builder, task);

  Block *body = main.addEntryBlock();
  builder.setInsertionPointToStart(body);
  SmallVector<Value> constants(task.constantArguments.size());
  for (auto [number, type] : llvm::enumerate(source.getArgumentTypes()))
    if (task.constantArguments[number])
      constants[number] = makePlaceholder(builder, loc, cast<RankedTensorType>(type), static_cast<unsigned>(number));
  SmallVector<Value> results;
  StringRef dims = task::TaskDialect::getDimsName();
  for (auto [copy, run] : llvm::zip_equal(copies, runsOf(task))) {
    SmallVector<Type> inputTypes = typesInMain(
        copy.getArgumentTypes(), [&](unsigned number) { return copy.getArgAttrOfType<onnx::DimsAttr>(number, dims); });
    SmallVector<Type> resultTypes = typesInMain(
        copy.getResultTypes(), [&](unsigned number) { return copy.getResultAttrOfType<onnx::DimsAttr>(number, dims); });
    SmallVector<Value> arguments;
    for (auto [constant, type] : llvm::zip_equal(constants, inputTypes))
      arguments.push_back(constant ? constant : body->addArgument(type, loc));
    for (unsigned time = 0; time < (run ? run->times : 1); ++time)
      llvm::append_range(results,
                         task::CallOp::create(builder, loc, resultTypes, copy.getSymName(), arguments).getResults());
  }
  func::ReturnOp::create(builder, loc, results);
  main.setFunctionType(builder.getFunctionType(body->getArgumentTypes(), ValueRange(results).getTypes()));
  return module;
}

cameo_element_type precisionOf(GpuMath math) {
  switch (math) {
  case GpuMath::F32:
  case GpuMath::Tf32x3:
    return CAMEO_FLOAT32;
  case GpuMath::Tf32:
  case GpuMath::F16:
    return CAMEO_FLOAT16;
  case GpuMath::Bf16:
    return CAMEO_BFLOAT16;
  }
  llvm_unreachable("unknown math");
}

TaskSource makeTaskSource(const SearchTask &task) {
  TaskSource source;
  source.key = task.key;
  source.threads = task.threads;
  source.nests = task.nests;
  source.mostCodeBytes = task.limits.codeBytes;
  source.sizes = task.sizes;
  if (task.gpu)
    source.leastTolerance = defaultRelativeTolerance(precisionOf(task.gpu->math));
  task::DefOp def = task.def;
  source.name = def.getSymName().str();
  source.flops = flopsOf(task);
  source.constant.assign(task.constantArguments.begin(), task.constantArguments.end());
  for (auto [number, run] : llvm::enumerate(runsOf(task))) {
    if (run)
      llvm::append_range(source.runSizes, sizesOfRun(*run, number));
    for (auto [tensor, isConstant] : llvm::zip_equal(argumentTypesIn(def, run), task.constantArguments))
      if (!isConstant)
        source.inputBytes += llvm::alignTo(bytesOf(tensor), CAMEO_ALIGNMENT);
  }
  uint64_t largest = 0;
  for (auto [type, isConstant] : llvm::zip_equal(def.getArgumentTypes(), task.constantArguments)) {
    if (!isConstant)
      continue;
    auto tensor = cast<RankedTensorType>(type);
    source.constantBytes += bytesOf(tensor);
    if (bytesOf(tensor) > largest) {
      largest = bytesOf(tensor);
      source.weightsType = elementTypeOf(tensor.getElementType());
    }
  }
  OwningOpRef<ModuleOp> module = makeModule(task);
  llvm::raw_string_ostream os(source.bytecode);
  [[maybe_unused]] LogicalResult written = writeBytecodeToFile(*module, os);
  assert(succeeded(written) && "the newest version of the format holds every module");
  return source;
}

/// Returns the standard deviation of the values of an argument. In a loop, a value is multiplied by the same matrix in
/// each iteration. If the values grew, rounding errors of the first iteration would dominate the last one. So a sum of
/// products over the last dimension is half as large as the values that enter it.
static float deviationOf(RankedTensorType type, bool isRepeated) {
  return isRepeated && type.getRank() > 0
             ? 0.5f / std::sqrt(static_cast<float>(std::max<int64_t>(type.getShape().back(), 1)))
             : 1.0f;
}

CheckData makeCheckData(const SearchTask &task, uint64_t seed) {
  CheckData data{seed, {}, {}};
  task::DefOp def = task.def;
  bool isRepeated = def.walk([](scf::ForOp) { return WalkResult::interrupt(); }).wasInterrupted();
  for (auto [number, type] : llvm::enumerate(def.getArgumentTypes())) {
    if (!task.constantArguments[number]) {
      data.arguments.push_back(nullptr);
      continue;
    }
    auto tensor = cast<RankedTensorType>(type);
    Tensor value("argument" + std::to_string(number), elementTypeOf(tensor.getElementType()), tensor.getShape());
    fillRandom(value, seed + number, /*largestInteger=*/1, deviationOf(tensor, isRepeated));
    data.arguments.push_back(std::make_shared<const Tensor>(std::move(value)));
  }
  for (const RunSizes *run : runsOf(task))
    for (auto [number, tensor] : llvm::enumerate(argumentTypesIn(def, run)))
      if (!task.constantArguments[number])
        data.inputs.push_back({seed + number, deviationOf(tensor, isRepeated), elementTypeOf(tensor.getElementType())});
  return data;
}

} // namespace cameo::autotune
