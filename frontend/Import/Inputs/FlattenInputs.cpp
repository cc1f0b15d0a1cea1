#include "frontend/Import/Inputs/FlattenInputs.h"

#include "frontend/Import/Graph/ImportType.h"
#include "frontend/Import/Inputs/MapInput.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

#include <onnx/onnx_pb.h>

using namespace mlir;
using namespace cameo;

namespace {

/// No model unrolls more elements; a larger length is a mistake.
constexpr int64_t kMaxLength = 1 << 13;

/// Fails with an error for the first option, by name, that is not an input of this kind.
template <typename Options>
LogicalResult checkNames(const Options &options, ArrayRef<std::string> names, StringRef kind, Location loc) {
  SmallVector<StringRef> given(options.keys());
  llvm::sort(given);
  for (StringRef name : given)
    if (!llvm::is_contained(names, name))
      return emitError(loc) << "expected the name of an input that is " << kind << ", got '" << name
                            << "'; the model has: " << (names.empty() ? "none" : llvm::join(names, ", "));
  return success();
}

StatedInput getElement(const FlatInput &input, size_t number) {
  StatedInput element = getStatedInput(getElementName(input.value->name(), number), *input.type);
  for (StatedDim &dim : element.dims)
    dim.name.clear();
  return element;
}

/// Replaces a map by the vector of its values.
LogicalResult readMap(const ::onnx::GraphProto &graph, FlatInput &input, Location loc) {
  FailureOr<Attribute> keys = findMapKeys(graph, input.value->name(), *input.type, loc);
  if (failed(keys))
    return failure();
  input.kind = FlatInput::Map;
  input.type = &input.type->map_type().value_type();
  input.keys = *keys;
  StatedDim count;
  count.size = countKeys(*keys);
  input.tensors.push_back({input.value->name(), {count}});
  return success();
}

} // namespace

std::string cameo::getElementName(StringRef sequence, size_t number) { return (sequence + "_" + Twine(number)).str(); }

FailureOr<SmallVector<FlatInput>> cameo::flattenInputs(const ::onnx::GraphProto &graph, const InputForms &forms,
                                                       llvm::function_ref<Location(StringRef)> locateValue,
                                                       Location loc) {
  // Before IR version 4 every initializer is also an input; since then an initializer gives an input a default. Both
  // are constants.
  llvm::StringSet<> constants;
  for (const ::onnx::TensorProto &tensor : graph.initializer())
    constants.insert(tensor.name());
  for (const ::onnx::SparseTensorProto &tensor : graph.sparse_initializer())
    constants.insert(tensor.values().name());
  SmallVector<FlatInput> inputs;
  SmallVector<std::string> sequences, optionals, tensors;
  for (const ::onnx::ValueInfoProto &value : graph.input()) {
    if (constants.contains(value.name()))
      continue;
    FlatInput input{&value, FlatInput::Tensor, &value.type(), {}, {}, {}};
    if (input.type->has_optional_type()) {
      optionals.push_back(value.name());
      input.type = &input.type->optional_type().elem_type();
    }
    bool isAbsent = forms.absent.contains(value.name());
    if (input.type->has_sequence_type()) {
      sequences.push_back(value.name());
      input.kind = FlatInput::Sequence;
      input.type = &input.type->sequence_type().elem_type();
      auto length = forms.lengths.find(value.name());
      if (length == forms.lengths.end() && !isAbsent)
        return emitError(locateValue(value.name()))
               << "expected the length of this sequence: --length " << value.name() << "=N";
      if (length != forms.lengths.end() && (length->second < 0 || length->second > kMaxLength))
        return emitError(loc) << "expected a length in [0, " << kMaxLength << "] for '" << value.name() << "', got "
                              << length->second;
      for (int64_t number = 0; !isAbsent && number < length->second; ++number)
        input.tensors.push_back(getElement(input, number));
    } else if (!isAbsent && input.type->has_map_type()) {
      if (failed(readMap(graph, input, locateValue(value.name()))))
        return failure();
    } else if (!isAbsent) {
      tensors.push_back(value.name());
      input.tensors.push_back(getStatedInput(value.name(), *input.type));
      auto numbers = forms.constants.find(value.name());
      if (numbers != forms.constants.end()) {
        input.kind = FlatInput::Constant;
        input.numbers = numbers->second;
      }
    }
    if (isAbsent)
      input.kind = FlatInput::Absent;
    inputs.push_back(std::move(input));
  }
  if (failed(checkNames(forms.lengths, sequences, "a sequence", loc)) ||
      failed(checkNames(forms.absent, optionals, "optional", loc)) ||
      failed(checkNames(forms.constants, tensors, "a tensor", loc)))
    return failure();
  return inputs;
}
