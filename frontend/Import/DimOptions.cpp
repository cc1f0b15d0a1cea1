#include "frontend/Import/DimOptions.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace cameo;
using cameo::onnx::Dim;

namespace {

/// The names in a sum of products such as `past + 2*batch`.
SmallVector<StringRef> splitAtoms(StringRef text) {
  SmallVector<StringRef> sums, products, atoms;
  text.split(sums, " + ");
  for (StringRef sum : sums)
    sum.split(products, " - ");
  for (StringRef product : products)
    product.split(atoms, '*');
  for (StringRef &atom : atoms)
    atom = atom.trim();
  return atoms;
}

/// A name for a dimension that has none: of the input and the axis, as an identifier.
std::string makeName(StringRef input, unsigned axis, const llvm::StringMap<bool> &taken) {
  std::string name;
  for (char c : input)
    name += llvm::isAlnum(c) ? c : '_';
  name += "_" + std::to_string(axis);
  while (taken.contains(name))
    name += "_";
  return name;
}

std::string quoteAll(const llvm::StringMap<bool> &names) {
  SmallVector<StringRef> sorted(names.keys());
  llvm::sort(sorted);
  return sorted.empty() ? "none" : llvm::join(sorted, ", ");
}

} // namespace

FailureOr<DimOptions> DimOptions::create(const llvm::StringMap<int64_t> &options, ArrayRef<StatedInput> inputs,
                                         Location loc) {
  DimOptions result;
  for (const StatedInput &input : inputs)
    for (const StatedDim &dim : input.dims)
      if (!dim.name.empty())
        for (StringRef atom : splitAtoms(dim.name))
          if (int64_t number; atom.getAsInteger(10, number))
            result.names[atom] = true;

  llvm::StringMap<bool> made, all = result.names;
  for (const StatedInput &input : inputs)
    for (auto [axis, dim] : llvm::enumerate(input.dims))
      if (dim.name.empty() && ShapedType::isDynamic(dim.size))
        made[makeName(input.name, axis, result.names)] = all[makeName(input.name, axis, result.names)] = true;

  // Sorted, so that the first error does not depend on hashing.
  SmallVector<StringRef> keys(options.keys());
  llvm::sort(keys);
  for (StringRef key : keys) {
    int64_t size = options.lookup(key);
    if (size < 0)
      return emitError(loc) << "expected a size of at least 0 for dimension '" << key << "', got " << size;
    if (result.names.contains(key)) {
      if (failed(result.fixName(key, size, loc)))
        return failure();
      continue;
    }
    if (made.contains(key)) {
      result.unnamedSizes[key] = size;
      continue;
    }
    auto [inputName, axisText] = key.rsplit(':');
    const StatedInput *input = llvm::find_if(inputs, [&](const StatedInput &i) { return inputName == i.name; });
    if (key.contains(':') && input != inputs.end()) {
      if (failed(result.fixAxis(key, *input, axisText, size, loc)))
        return failure();
      continue;
    }
    return emitError(loc) << "expected the name of a dimension or input:axis, got '" << key
                          << "'; the dimensions of the model are: " << quoteAll(all);
  }
  return result;
}

LogicalResult DimOptions::fixName(StringRef name, int64_t size, Location loc) {
  auto [it, isNew] = sizes.try_emplace(name, size);
  if (isNew || it->second == size)
    return success();
  return emitError(loc) << "expected one size for dimension '" << name << "', got " << it->second << " and " << size;
}

LogicalResult DimOptions::fixAxis(StringRef option, const StatedInput &input, StringRef axisText, int64_t size,
                                  Location loc) {
  unsigned axis = 0;
  if (axisText.getAsInteger(10, axis) || axis >= input.dims.size())
    return emitError(loc) << "expected an axis below the rank " << input.dims.size() << " in '" << option << "'";
  const StatedDim &dim = input.dims[axis];
  if (!ShapedType::isDynamic(dim.size)) {
    if (dim.size == size)
      return success();
    return emitError(loc) << "expected dimension '" << option << "' to stay " << dim.size << ", got " << size;
  }
  if (dim.name.empty()) {
    unnamedSizes[makeName(input.name, axis, names)] = size;
    return success();
  }
  if (!names.contains(dim.name))
    return emitError(loc) << "expected sizes for the names in '" << dim.name << "', got one for '" << option << "'";
  return fixName(dim.name, size, loc);
}

Dim DimOptions::resolve(StringRef name, MLIRContext *context) const {
  Dim total(0);
  SmallVector<StringRef> sums, parts;
  name.split(sums, " + ");
  for (StringRef sum : sums) {
    parts.clear();
    sum.split(parts, " - ");
    for (auto [i, part] : llvm::enumerate(parts)) {
      Dim product(1);
      for (StringRef atom : llvm::split(part, '*')) {
        atom = atom.trim();
        int64_t number = 0;
        auto it = sizes.find(atom);
        Dim factor = it != sizes.end()                ? Dim(it->second)
                     : !atom.getAsInteger(10, number) ? Dim(number)
                                                      : Dim::named(StringAttr::get(context, atom));
        product = cameo::onnx::mulDims(product, factor);
      }
      total = i == 0 ? cameo::onnx::addDims(total, product) : cameo::onnx::subDims(total, product);
    }
  }
  return total;
}

Dim DimOptions::resolveInput(const StatedInput &input, unsigned axis, MLIRContext *context) const {
  const StatedDim &dim = input.dims[axis];
  if (!ShapedType::isDynamic(dim.size))
    return Dim(dim.size);
  if (!dim.name.empty())
    return resolve(dim.name, context);
  std::string name = makeName(input.name, axis, names);
  auto it = unnamedSizes.find(name);
  return it != unnamedSizes.end() ? Dim(it->second) : Dim::named(StringAttr::get(context, name));
}
