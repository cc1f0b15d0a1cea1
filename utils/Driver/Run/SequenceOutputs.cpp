#include "utils/Driver/Run/SequenceOutputs.h"

#include "llvm/ADT/STLExtras.h"

#include <cstring>

using namespace cameo;
using llvm::StringRef;

static constexpr StringRef kLengthSuffix = "_length";

static std::string elementName(StringRef sequence, size_t number) {
  return (sequence + "_" + llvm::Twine(number)).str();
}

static const Tensor *findOutput(llvm::ArrayRef<Tensor> outputs, StringRef name) {
  const Tensor *found = llvm::find_if(outputs, [&](const Tensor &each) { return each.name == name; });
  return found == outputs.end() ? nullptr : found;
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

void cameo::removeBeyondLengths(std::vector<Tensor> &outputs) {
  for (const auto &[name, length] : findSequences(outputs)) {
    if (!findOutput(outputs, elementName(name, 0))) // other outputs have such names
      continue;
    for (size_t number = std::max<int64_t>(length, 0); findOutput(outputs, elementName(name, number)); ++number)
      removeOutput(outputs, elementName(name, number));
  }
}

/// Returns the elements as slices of one tensor. Without elements it has the type and shape of `like`, but no slices.
static std::optional<Tensor> stackElements(llvm::ArrayRef<Tensor> outputs, StringRef name, int64_t length,
                                           const Tensor &like) {
  const Tensor *first = findOutput(outputs, elementName(name, 0));
  llvm::SmallVector<int64_t, 4> shape = {length};
  if (first)
    llvm::append_range(shape, first->shape);
  else
    llvm::append_range(shape, llvm::ArrayRef(like.shape).drop_front(like.shape.empty() ? 0 : 1));
  Tensor stacked(name.str(), first ? first->type : like.type, shape);
  for (int64_t number = 0; number < length; ++number) {
    const Tensor *element = findOutput(outputs, elementName(name, number));
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

void cameo::arrangeSequences(std::vector<Tensor> &outputs, llvm::ArrayRef<Tensor> form) {
  for (const auto &[name, length] : findSequences(outputs)) {
    if (const Tensor *like = findOutput(form, name); like && !findOutput(outputs, name)) {
      std::optional<Tensor> stacked = stackElements(outputs, name, length, *like);
      if (!stacked)
        continue;
      for (int64_t number = 0; number < length; ++number)
        removeOutput(outputs, elementName(name, number));
      outputs.push_back(std::move(*stacked));
    }
    if (std::string lengthName = name + kLengthSuffix.str(); !findOutput(form, lengthName))
      removeOutput(outputs, lengthName);
  }
}
