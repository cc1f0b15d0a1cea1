#include "utils/Driver/OutputPrecision.h"

#include "autotune/Measure/TaskSource.h"
#include "utils/Driver/PhaseRunner.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"

using namespace cameo;
using namespace mlir;

static std::optional<cameo_element_type> floatType(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (!isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(element))
    return std::nullopt;
  return autotune::elementTypeOf(element);
}

/// Returns the float types of all operations that `output` depends on. Inputs and constants do not count, because they
/// are not computed.
static std::vector<cameo_element_type> computedTypes(Value output) {
  std::vector<cameo_element_type> types;
  llvm::SetVector<Operation *> reached;
  auto reach = [&](Value value) {
    if (Operation *op = value.getDefiningOp(); op && !matchPattern(op, m_Constant()))
      reached.insert(op);
  };
  reach(output);
  for (size_t next = 0; next < reached.size(); ++next)
    // All results of an operation may depend on every operation of its body.
    reached[next]->walk([&](Operation *op) {
      llvm::for_each(op->getOperands(), reach);
      for (Type type : op->getResultTypes())
        if (std::optional<cameo_element_type> computed = floatType(type);
            computed && !matchPattern(op, m_Constant()) && !llvm::is_contained(types, *computed))
          types.push_back(*computed);
    });
  return types;
}

std::optional<llvm::StringMap<std::vector<cameo_element_type>>>
cameo::findComputedTypes(const CompileOptions &options) {
  PhaseRunner phases(options);
  if (failed(phases.resolveTarget()) || failed(phases.import()))
    return std::nullopt;
  llvm::StringMap<std::vector<cameo_element_type>> types;
  for (auto function : phases.module().getOps<func::FuncOp>()) {
    if (function.isExternal() || function.getSymName() != "main")
      continue;
    for (auto [number, output] : llvm::enumerate(function.getBody().front().getTerminator()->getOperands()))
      if (auto name = function.getResultAttrOfType<StringAttr>(number, "onnx.name"))
        types[name] = computedTypes(output);
  }
  cameo_element_type products = autotune::precisionOf(gpuMathOf(options.gpuMath));
  for (auto &output : types)
    if (std::vector<cameo_element_type> &own = output.second;
        llvm::is_contained(own, CAMEO_FLOAT32) && !llvm::is_contained(own, products))
      own.push_back(products);
  return types;
}
