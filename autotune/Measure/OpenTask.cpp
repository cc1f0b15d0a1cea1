#include "autotune/Measure/OpenTask.h"

#include "dialects/Dim/DimLimits.h"
#include "dialects/Onnx/OnnxDialect.h"

#include <map>

using namespace mlir;

namespace cameo::autotune {

RankedTensorType namedType(Type type, onnx::DimsAttr dims) {
  auto tensor = cast<RankedTensorType>(type);
  return onnx::makeTensorType(onnx::getDims(tensor, dims), tensor.getElementType());
}

static RankedTensorType typeIn(Type type, onnx::DimsAttr exprs, const RunSizes *run) {
  auto tensor = cast<RankedTensorType>(type);
  onnx::DimList dims = onnx::getDims(tensor, exprs);
  if (run)
    llvm::transform(dims, dims.begin(), [&](const Dim &dim) { return fixSizes(dim, run->sizes); });
  return onnx::makeTensorType(dims, tensor.getElementType());
}

static onnx::DimsAttr argumentDims(task::DefOp def, unsigned number) {
  return def.getArgAttrOfType<onnx::DimsAttr>(number, task::TaskDialect::getDimsName());
}
static onnx::DimsAttr resultDims(task::DefOp def, unsigned number) {
  return def.getResultAttrOfType<onnx::DimsAttr>(number, task::TaskDialect::getDimsName());
}

SmallVector<RankedTensorType> argumentTypesIn(task::DefOp def, const RunSizes *run) {
  SmallVector<RankedTensorType> types;
  for (auto [number, type] : llvm::enumerate(def.getArgumentTypes()))
    types.push_back(typeIn(type, argumentDims(def, number), run));
  return types;
}

SmallVector<RankedTensorType> resultTypesIn(task::DefOp def, const RunSizes *run) {
  SmallVector<RankedTensorType> types;
  for (auto [number, type] : llvm::enumerate(def.getResultTypes()))
    types.push_back(typeIn(type, resultDims(def, number), run));
  return types;
}

SmallVector<const RunSizes *> runsOf(const SearchTask &task) {
  SmallVector<const RunSizes *> runs;
  for (const RunSizes &run : task.runs)
    runs.push_back(&run);
  return runs.empty() ? SmallVector<const RunSizes *>{nullptr} : runs;
}

/// Maps the names of the model, in their order, to plain names for the copies.
static std::map<std::string, std::string> runNames(const RunSizes &run, size_t number) {
  std::map<std::string, std::string> names;
  for (StringRef name : run.sizes.keys())
    names[name.str()];
  for (auto [index, name] : llvm::enumerate(names))
    name.second = "d" + std::to_string(index) + ".run" + std::to_string(number);
  return names;
}

std::vector<std::string> sizesOfRun(const RunSizes &run, size_t number) {
  std::vector<std::string> sizes;
  for (const auto &[name, own] : runNames(run, number))
    sizes.push_back(own + "=" + std::to_string(run.sizes.lookup(name)));
  return sizes;
}

task::DefOp cloneForRun(OpBuilder &builder, task::DefOp def, const RunSizes &run, size_t number) {
  auto copy = cast<task::DefOp>(builder.clone(*def));
  if (number > 0)
    copy.setSymName((def.getSymName() + ".run" + Twine(number)).str());
  std::map<std::string, std::string> names = runNames(run, number);
  auto rename = [&](DimExprAttr expr) {
    return replaceNames(expr, [&](StringAttr name) { return Dim::named(builder.getStringAttr(names.at(name.str()))); })
        .getExpr();
  };
  auto renameAll = [&](onnx::DimsAttr dims) {
    return onnx::DimsAttr::get(builder.getContext(), llvm::map_to_vector(dims.getExprs(), rename));
  };
  StringRef attribute = task::TaskDialect::getDimsName();
  for (unsigned argument = 0; argument < copy.getNumArguments(); ++argument)
    if (onnx::DimsAttr dims = argumentDims(copy, argument))
      copy.setArgAttr(argument, attribute, renameAll(dims));
  for (unsigned result = 0; result < copy.getNumResults(); ++result)
    if (onnx::DimsAttr dims = resultDims(copy, result))
      copy.setResultAttr(result, attribute, renameAll(dims));
  copy.walk([&](task::SizeOp size) { size.setExpressionAttr(rename(size.getExpressionAttr())); });
  return copy;
}

double flopsOf(const SearchTask &task) {
  task::DefOp def = task.def;
  auto stated = def->getAttrOfType<FloatAttr>("flops");
  if (!stated || task.runs.empty())
    return stated ? stated.getValueAsDouble() : 0;
  double elements = 0, inRuns = 0;
  for (auto [number, type] : llvm::enumerate(def.getResultTypes()))
    elements += estimateDim(productOf(onnx::getDims(cast<RankedTensorType>(type), resultDims(def, number))));
  for (const RunSizes &run : task.runs)
    for (RankedTensorType type : resultTypesIn(def, &run))
      inRuns += static_cast<double>(type.getNumElements()) * run.times;
  return elements > 0 ? stated.getValueAsDouble() * inRuns / elements : 0;
}

} // namespace cameo::autotune
