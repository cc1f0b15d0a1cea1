#include "utils/Driver/Run/SequenceTensors.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>

using namespace cameo;
using llvm::StringRef;

static constexpr StringRef kLengthSuffix = "_length", kPresenceSuffix = "_present";

static std::string elementName(StringRef sequence, size_t number) {
  return (sequence + "_" + llvm::Twine(number)).str();
}

const Tensor *cameo::findTensor(llvm::ArrayRef<Tensor> tensors, StringRef name) {
  const Tensor *found = llvm::find_if(tensors, [&](const Tensor &each) { return each.name == name; });
  return found == tensors.end() ? nullptr : found;
}

llvm::SmallVector<const Tensor *> cameo::findSequence(llvm::ArrayRef<Tensor> tensors, StringRef name) {
  llvm::SmallVector<const Tensor *> elements;
  while (const Tensor *element = findTensor(tensors, elementName(name, elements.size())))
    elements.push_back(element);
  return elements;
}

/// Returns the names and lengths of all sequences that have a length.
static std::vector<std::pair<std::string, int64_t>> findSequences(llvm::ArrayRef<Tensor> outputs) {
  std::vector<std::pair<std::string, int64_t>> sequences;
  for (const Tensor &output : outputs)
    if (StringRef name = output.name;
        name.consume_back(kLengthSuffix) && output.type == CAMEO_INT64 && output.shape.empty())
      sequences.emplace_back(name.str(), output.elements<int64_t>()[0]);
  return sequences;
}

/// Returns the names of all optional outputs that a run may leave out, and whether it has them.
static std::vector<std::pair<std::string, bool>> findOptionals(llvm::ArrayRef<Tensor> outputs) {
  std::vector<std::pair<std::string, bool>> optionals;
  for (const Tensor &output : outputs)
    if (StringRef name = output.name;
        name.consume_back(kPresenceSuffix) && output.type == CAMEO_BOOL && output.shape.empty())
      optionals.emplace_back(name.str(), output.valueAt(0) != 0);
  return optionals;
}

static void removeOutput(std::vector<Tensor> &outputs, StringRef name) {
  llvm::erase_if(outputs, [&](const Tensor &each) { return each.name == name; });
}

std::vector<Tensor> cameo::makeSequenceOutputs(StringRef name, std::vector<Tensor> elements) {
  Tensor length((name + kLengthSuffix).str(), CAMEO_INT64, {});
  length.elements<int64_t>()[0] = elements.size();
  for (auto [number, element] : llvm::enumerate(elements))
    element.name = elementName(name, number);
  elements.push_back(std::move(length));
  return elements;
}

Tensor cameo::makeAbsentOutput(StringRef name) { return {(name + kPresenceSuffix).str(), CAMEO_BOOL, {}}; }

void cameo::removeUnusedOutputs(std::vector<Tensor> &outputs) {
  for (const auto &[name, length] : findSequences(outputs)) {
    if (!findTensor(outputs, elementName(name, 0))) // other outputs have such names
      continue;
    for (size_t number = std::max<int64_t>(length, 0); findTensor(outputs, elementName(name, number)); ++number)
      removeOutput(outputs, elementName(name, number));
  }
  for (const auto &[name, isPresent] : findOptionals(outputs))
    if (!isPresent)
      removeOutput(outputs, name);
}

/// Returns the elements as slices of one tensor. Without elements it has the type and shape of `like`, but no slices.
static std::optional<Tensor> stackElements(llvm::ArrayRef<Tensor> outputs, StringRef name, int64_t length,
                                           const Tensor &like) {
  const Tensor *first = findTensor(outputs, elementName(name, 0));
  llvm::SmallVector<int64_t, 4> shape = {length};
  if (first)
    llvm::append_range(shape, first->shape);
  else
    llvm::append_range(shape, llvm::ArrayRef(like.shape).drop_front(like.shape.empty() ? 0 : 1));
  Tensor stacked(name.str(), first ? first->type : like.type, shape);
  for (int64_t number = 0; number < length; ++number) {
    const Tensor *element = findTensor(outputs, elementName(name, number));
    if (!element || element->type != first->type || element->shape != first->shape)
      return std::nullopt;
    int64_t count = first->elementCount();
    if (!element->isString())
      std::memcpy(stacked.data() + number * element->sizeBytes(), element->data(), element->sizeBytes());
    else
      for (int64_t index = 0; index < count; ++index)
        stacked.setString(number * count + index, element->stringAt(index));
  }
  return stacked;
}

void cameo::arrangeOutputs(std::vector<Tensor> &outputs, llvm::ArrayRef<Tensor> form) {
  for (const auto &[name, length] : findSequences(outputs)) {
    if (const Tensor *like = findTensor(form, name); like && !findTensor(outputs, name)) {
      std::optional<Tensor> stacked = stackElements(outputs, name, length, *like);
      if (!stacked)
        continue;
      for (int64_t number = 0; number < length; ++number)
        removeOutput(outputs, elementName(name, number));
      outputs.push_back(std::move(*stacked));
    }
    if (std::string lengthName = name + kLengthSuffix.str(); !findTensor(form, lengthName))
      removeOutput(outputs, lengthName);
  }
  for (const auto &[name, isPresent] : findOptionals(outputs))
    if (std::string presence = name + kPresenceSuffix.str();
        !findTensor(form, presence) && isPresent == (findTensor(form, name) != nullptr))
      removeOutput(outputs, presence);
}
