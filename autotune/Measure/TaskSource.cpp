#include "autotune/Measure/TaskSource.h"

#include "dialects/Onnx/OnnxOps.h"
#include "dialects/Onnx/ConstantData.h"
#include "utils/Driver/RandomInputs.h"

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

/// A constant that takes no memory: timing asks for places of weights, not for their values.
static Value makePlaceholder(OpBuilder &builder, Location loc, RankedTensorType type, unsigned number) {
  Type element = type.getElementType();
  Attribute value = isa<FloatType>(element) ? Attribute(builder.getFloatAttr(element, number + 1))
                                            : Attribute(builder.getIntegerAttr(element, element.isInteger(1) ? 1 : number + 1));
  return onnx::ConstantOp::create(builder, loc, type, DenseElementsAttr::get(type, value));
}

static OwningOpRef<ModuleOp> makeModule(const SearchTask &task) {
  task::DefOp source = task.def;
  OpBuilder builder(source.getContext());
  Location loc = source.getLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder, loc);
  builder.setInsertionPointToStart(module->getBody());
  SmallVector<Type> inputs;
  for (auto [type, isConstant] : llvm::zip_equal(source.getArgumentTypes(), task.constantArguments))
    if (!isConstant)
      inputs.push_back(type);
  auto main = func::FuncOp::create(builder, loc, "main", builder.getFunctionType(inputs, source.getResultTypes()));
  auto def = cast<task::DefOp>(builder.clone(*source));
  def->removeAttr("schedule");

  Block *body = main.addEntryBlock();
  builder.setInsertionPointToStart(body);
  SmallVector<Value> arguments;
  auto next = body->args_begin();
  for (auto [number, type] : llvm::enumerate(source.getArgumentTypes()))
    arguments.push_back(task.constantArguments[number]
                            ? makePlaceholder(builder, loc, cast<RankedTensorType>(type), static_cast<unsigned>(number))
                            : Value(*next++));
  auto call = task::CallOp::create(builder, loc, def.getResultTypes(), def.getSymName(), arguments);
  func::ReturnOp::create(builder, loc, call.getResults());
  return module;
}

TaskSource makeTaskSource(const SearchTask &task) {
  TaskSource source;
  source.key = task.key;
  source.threads = task.threads;
  source.nests = task.nests;
  source.mostCodeBytes = task.limits.codeBytes;
  task::DefOp def = task.def;
  source.name = def.getSymName().str();
  if (auto flops = def->getAttrOfType<FloatAttr>("flops"))
    source.flops = flops.getValueAsDouble();
  source.constant.assign(task.constantArguments.begin(), task.constantArguments.end());
  uint64_t largest = 0;
  for (auto [type, isConstant] : llvm::zip_equal(def.getArgumentTypes(), task.constantArguments)) {
    auto tensor = cast<RankedTensorType>(type);
    if (!isConstant) {
      source.inputBytes += llvm::alignTo(bytesOf(tensor), CAMEO_ALIGNMENT);
      continue;
    }
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

/// Of the numbers of an argument. What goes around in a loop meets the same matrix again and again: if its sums are larger than their terms, the
/// last bits of the first round decide about the last one.
static float deviationOf(RankedTensorType type, bool isRepeated) {
  return isRepeated && type.getRank() > 0 ? 0.5f / std::sqrt(static_cast<float>(std::max<int64_t>(type.getShape().back(), 1))) : 1.0f;
}

CheckData makeCheckData(const SearchTask &task, uint64_t seed) {
  CheckData data{seed, {}, {}};
  task::DefOp def = task.def;
  bool isRepeated = def.walk([](scf::ForOp) { return WalkResult::interrupt(); }).wasInterrupted();
  for (auto [number, type] : llvm::enumerate(def.getArgumentTypes())) {
    auto tensor = cast<RankedTensorType>(type);
    if (!task.constantArguments[number]) {
      data.inputs.push_back({seed + number, deviationOf(tensor, isRepeated), elementTypeOf(tensor.getElementType())});
      data.arguments.push_back(nullptr);
      continue;
    }
    Tensor value("argument" + std::to_string(number), elementTypeOf(tensor.getElementType()), tensor.getShape());
    fillRandom(value, seed + number, /*largestInteger=*/1, deviationOf(tensor, isRepeated));
    data.arguments.push_back(std::make_shared<const Tensor>(std::move(value)));
  }
  return data;
}

} // namespace cameo::autotune
