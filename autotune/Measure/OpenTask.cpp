#include "autotune/Measure/OpenTask.h"

#include "dialects/Onnx/DimLimits.h"

#include <map>

using namespace mlir;

namespace cameo::autotune {

static onnx::DimList readDims(Type type, ArrayAttr names) {
  auto tensor = cast<RankedTensorType>(type);
  onnx::DimList dims;
  for (auto [axis, size] : llvm::enumerate(tensor.getShape()))
    dims.push_back(ShapedType::isDynamic(size) && names ? onnx::Dim::named(cast<StringAttr>(names[axis]))
                                                        : onnx::Dim(size));
  return dims;
}

RankedTensorType namedType(Type type, ArrayAttr dims) {
  return onnx::makeTensorType(readDims(type, dims), cast<RankedTensorType>(type).getElementType());
}

static RankedTensorType typeIn(Type type, ArrayAttr names, const RunSizes *run) {
  onnx::DimList dims = readDims(type, names);
  if (run)
    llvm::transform(dims, dims.begin(), [&](const onnx::Dim &dim) { return onnx::fixSizes(dim, run->sizes); });
  return onnx::makeTensorType(dims, cast<RankedTensorType>(type).getElementType());
}

static ArrayAttr argumentDims(task::DefOp def, unsigned number) {
  return def.getArgAttrOfType<ArrayAttr>(number, task::TaskDialect::getDimsName());
}
static ArrayAttr resultDims(task::DefOp def, unsigned number) {
  return def.getResultAttrOfType<ArrayAttr>(number, task::TaskDialect::getDimsName());
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

/// The names of the model in their order, and what the copies call them: whatever these names are, the others are
/// plain.
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
  auto rename = [&](StringAttr expression) -> StringAttr {
    if (expression.empty())
      return expression;
    onnx::Dim dim = onnx::replaceNames(onnx::Dim::named(expression), [&](StringAttr name) {
      return onnx::Dim::named(builder.getStringAttr(names.at(name.str())));
    });
    return dim.getName() ? dim.getName() : expression;
  };
  auto renameAll = [&](ArrayAttr dims) {
    return builder.getArrayAttr(
        llvm::map_to_vector(dims.getAsRange<StringAttr>(), [&](StringAttr each) -> Attribute { return rename(each); }));
  };
  StringRef attribute = task::TaskDialect::getDimsName();
  for (unsigned argument = 0; argument < copy.getNumArguments(); ++argument)
    if (ArrayAttr dims = argumentDims(copy, argument))
      copy.setArgAttr(argument, attribute, renameAll(dims));
  for (unsigned result = 0; result < copy.getNumResults(); ++result)
    if (ArrayAttr dims = resultDims(copy, result))
      copy.setResultAttr(result, attribute, renameAll(dims));
  copy.walk([&](task::SizeOp size) { size.setExpressionAttr(rename(size.getExpressionAttr())); });
  return copy;
}

double flopsOf(const SearchTask &task) {
  task::DefOp def = task.def;
  auto stated = def->getAttrOfType<FloatAttr>("flops");
  if (!stated || task.runs.empty())
    return stated ? stated.getValueAsDouble() : 0;
  constexpr double statedSize = 64; // what countFlops takes every name for
  double elements = 0, inRuns = 0;
  for (auto [number, type] : llvm::enumerate(def.getResultTypes()))
    elements += onnx::estimateDim(onnx::productOf(readDims(type, resultDims(def, number))), statedSize);
  for (const RunSizes &run : task.runs)
    for (RankedTensorType type : resultTypesIn(def, &run))
      inRuns += static_cast<double>(type.getNumElements()) * run.times;
  return elements > 0 ? stated.getValueAsDouble() * inRuns / elements : 0;
}

} // namespace cameo::autotune
