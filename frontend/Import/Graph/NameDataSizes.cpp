// Names and counts the sizes of results that data decides.
#include "frontend/Import/Graph/DataSizes.h"
#include "frontend/Import/Graph/GraphImporter.h"

#include "dialects/Onnx/OnnxOps.h"

#include <onnx/onnx_pb.h>

using namespace mlir;
using namespace cameo;

/// Returns a name for a size that is a valid factor of an expression, whatever characters are in the name of the value.
static std::string makeSizeName(StringRef value) {
  std::string name;
  for (char c : value)
    name += llvm::isAlnum(c) || c == '_' || c == '.' ? c : '_';
  return name + ".size";
}

std::string GraphImporter::nameSize(StringRef output, int64_t axis, const Scope &scope) {
  TensorType type = scope.stated ? scope.stated->lookup(output) : TensorType();
  std::optional<cameo::onnx::DimList> stated = type ? cameo::onnx::getDims(type) : std::nullopt;
  if (stated && axis < static_cast<int64_t>(stated->size())) {
    // Only a single stated name is taken, because an expression would refer to the sizes of other values.
    StringAttr name = (*stated)[axis].getName();
    llvm::SetVector<StringAttr> factors;
    cameo::collectNames((*stated)[axis], factors);
    if (name && factors.contains(name) && sizeNames.insert(name.strref()).second)
      return name.str();
  }
  for (unsigned copy = 1;; ++copy)
    if (std::string own = makeSizeName(output) + (copy > 1 ? std::to_string(copy) : ""); sizeNames.insert(own).second)
      return own;
}

void GraphImporter::nameDataSizes(ArrayRef<Value> values, const ::onnx::NodeProto &node, const Scope &scope) {
  Operation *op = values.empty() || !values.front() ? nullptr : values.front().getDefiningOp();
  auto sized = dyn_cast_or_null<cameo::onnx::DataSizedOp>(op);
  if (!sized)
    return;
  std::string name;
  // The node may have fewer outputs than there are results, or more, of which the last have empty names.
  for (auto [output, value] : llvm::zip(node.output(), values)) {
    auto result = dyn_cast_or_null<OpResult>(value);
    // A written operator may return the results of several operations in any order.
    if (!result || result.getOwner() != op)
      continue;
    std::optional<int64_t> axis = output.empty() ? std::nullopt : sized.getDataSizedAxis(result.getResultNumber());
    std::optional<cameo::onnx::DimList> dims = cameo::onnx::getDims(result);
    if (!axis || !dims || !(*dims)[*axis].isUnknown())
      continue;
    TensorType type = scope.stated ? scope.stated->lookup(output) : TensorType();
    std::optional<cameo::onnx::DimList> stated = type ? cameo::onnx::getDims(type) : std::nullopt;
    // Only the stated size bounds the number of parts of a string.
    if (auto split = dyn_cast<cameo::onnx::StringSplitOp>(op)) {
      if (stated && stated->size() == dims->size() && (*stated)[*axis].isStatic())
        split.setMaxParts((*stated)[*axis].getSize());
      else if (llvm::is_contained(*dims, cameo::Dim(0)))
        split.setMaxParts(0);
    }
    if (name.empty())
      name = nameSize(output, *axis, scope);
    (*dims)[*axis] = cameo::Dim::named(builder.getStringAttr(name));
    result.setType(cameo::onnx::makeTensorType(*dims, cast<TensorType>(result.getType()).getElementType()));
  }
}

FailureOr<Value> GraphImporter::countSizes(NodeDraft &draft, Value result, StringRef output, const Scope &scope) {
  TensorType stated = scope.stated ? scope.stated->lookup(output) : TensorType();
  std::optional<cameo::onnx::DimList> dims = stated ? cameo::onnx::getDims(stated) : std::nullopt,
                                      found = cameo::onnx::getDims(result);
  if (dims && found && dims->size() != found->size())
    dims.reset(); // bindOutput reports the different ranks
  if (dims)
    llvm::transform(*dims, dims->begin(), [&](const cameo::Dim &dim) { return this->dims.fix(dim); });
  auto isGiven = [&](const cameo::Dim &dim) {
    llvm::SetVector<StringAttr> names;
    cameo::collectNames(dim, names);
    return dim.isNamed() && llvm::all_of(names, [&](StringAttr name) { return sizeNames.contains(name.strref()); });
  };
  auto name = [&](int64_t axis) { return nameSize(output, axis, scope); };
  return countDataSizes(draft, result, {std::move(dims), isGiven, name});
}
