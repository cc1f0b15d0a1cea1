#include "frontend/Import/Inputs/DimOptions.h"

#include "dialects/Dim/DimLimits.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace cameo;

namespace {

/// Whether the name can be a factor in an expression unchanged: models also name dimensions `a*2`, `1` and `min(n, 0)`.
bool isFactor(StringRef name) {
  int64_t number = 0;
  return !name.empty() && name.getAsInteger(10, number) && name.find_first_of("*() \t\n\v\f\r") == StringRef::npos;
}

/// Splits a sum of products into products, each with its sign and factors.
SmallVector<std::pair<int, SmallVector<StringRef>>> splitSum(StringRef text) {
  SmallVector<std::pair<int, SmallVector<StringRef>>> products;
  SmallVector<StringRef> sums, parts;
  text.split(sums, " + ");
  for (StringRef sum : sums) {
    parts.clear();
    sum.split(parts, " - ");
    for (auto [i, part] : llvm::enumerate(parts))
      part.split(products.emplace_back(i == 0 ? 1 : -1, SmallVector<StringRef>()).second, '*');
  }
  return products;
}

/// Whether the text is a sum of numbers and of names that are dimensions of inputs.
bool isSumOf(const llvm::StringSet<> &names, StringRef text) {
  bool hasName = false;
  for (const auto &[sign, product] : splitSum(text))
    for (StringRef factor : product) {
      int64_t number = 0;
      bool isName = names.contains(factor) && isFactor(factor);
      if (!isName && factor.getAsInteger(10, number))
        return false;
      hasName |= isName;
    }
  return hasName;
}

/// Whether the number in a sum stands for a dynamic number of new tokens: exporters that traced a decoder with one new
/// token write `past + 1`, although the number of tokens is dynamic. The first dimension is the batch.
bool countsOpenTokens(StringRef text, ArrayRef<StatedInput> inputs, const llvm::StringMap<int64_t> &options) {
  llvm::StringSet<> names;
  int64_t sum = 0;
  for (const auto &[sign, product] : splitSum(text)) {
    int64_t number = 0;
    if (product.size() == 1 && !product.front().getAsInteger(10, number))
      sum += sign * number;
    names.insert_range(product);
  }
  auto isOpen = [&](const StatedDim &dim) {
    auto fixed = options.find(dim.name);
    return isFactor(dim.name) && !names.contains(dim.name) && (fixed == options.end() || fixed->second != sum);
  };
  return sum != 0 && llvm::any_of(inputs, [&](const StatedInput &input) {
           return llvm::any_of(llvm::drop_begin(input.dims, !input.dims.empty()), isOpen);
         });
}

std::string getKey(StringRef input, unsigned axis) { return (input + ":" + Twine(axis)).str(); }

} // namespace

/// Returns an unused factor of letters, digits and underscores.
std::string DimOptions::makeFactor(StringRef text) const {
  std::string factor;
  for (char c : text)
    factor += llvm::isAlnum(c) ? c : '_';
  while (factors.contains(factor) || made.contains(factor) || !isFactor(factor))
    factor += "_";
  return factor;
}

void DimOptions::nameFactors(ArrayRef<StatedInput> inputs, const llvm::StringMap<int64_t> &options) {
  llvm::StringSet<> names;
  for (const StatedInput &input : inputs)
    for (const StatedDim &dim : input.dims)
      names.insert(dim.name);
  // Names that are valid factors go first, so that no made-up factor is equal to one of them.
  for (StringRef name : names.keys())
    if (isFactor(name))
      factors[name] = name.str();
  for (const StatedInput &input : inputs)
    for (auto [axis, dim] : llvm::enumerate(input.dims)) {
      bool isUnnamed = dim.name.empty();
      if (!ShapedType::isDynamic(dim.size) || factors.contains(dim.name))
        continue;
      if (!isUnnamed && isSumOf(names, dim.name) && !countsOpenTokens(dim.name, inputs, options)) {
        sums.insert(dim.name);
        continue;
      }
      std::string factor = makeFactor(isUnnamed ? input.name + "_" + std::to_string(axis) : dim.name);
      made.insert(factor);
      (isUnnamed ? unnamed[getKey(input.name, axis)] : factors[dim.name]) = factor;
    }
}

std::string DimOptions::listNames() const {
  SmallVector<StringRef> names(factors.keys());
  for (const auto &entry : unnamed)
    names.push_back(entry.second);
  llvm::sort(names);
  return names.empty() ? "none" : llvm::join(names, ", ");
}

FailureOr<DimOptions> DimOptions::create(const llvm::StringMap<int64_t> &options, ArrayRef<StatedInput> inputs,
                                         Location loc) {
  DimOptions result;
  result.nameFactors(inputs, options);

  // Sorted, so that the first error does not depend on hashing.
  SmallVector<StringRef> keys(options.keys());
  llvm::sort(keys);
  for (StringRef key : keys) {
    int64_t size = options.lookup(key);
    if (size < 0)
      return emitError(loc) << "expected a size of at least 0 for dimension '" << key << "', got " << size;
    auto named = result.factors.find(key);
    if (named != result.factors.end() || result.made.contains(key)) {
      if (failed(result.fixFactor(named != result.factors.end() ? StringRef(named->second) : key, key, size, loc)))
        return failure();
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
                          << "'; the dimensions of the model are: " << result.listNames();
  }
  if (failed(result.verifySums(loc)))
    return failure();
  return result;
}

LogicalResult DimOptions::fixFactor(StringRef factor, StringRef option, int64_t size, Location loc) {
  auto [it, isNew] = sizes.try_emplace(factor, size);
  if (isNew || it->second == size)
    return success();
  return emitError(loc) << "expected one size for dimension '" << option << "', got " << it->second << " and " << size;
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
  if (dim.name.empty())
    return fixFactor(unnamed.lookup(getKey(input.name, axis)), option, size, loc);
  auto factor = factors.find(dim.name);
  if (factor != factors.end())
    return fixFactor(factor->second, dim.name, size, loc);
  statedSums.push_back({option.str(), dim.name, size});
  return success();
}

/// Compares the sizes that options state of sums with those of their names.
LogicalResult DimOptions::verifySums(Location loc) const {
  for (const auto &[option, name, size] : statedSums) {
    Dim sum = resolveSum(name, loc.getContext());
    if (!sum.isStatic())
      return emitError(loc) << "expected sizes for the names in '" << name << "', got one for '" << option << "'";
    if (sum.getSize() != size)
      return emitError(loc) << "expected dimension '" << option << "' to be '" << name << "', which is "
                            << sum.getSize() << ", got " << size;
  }
  return success();
}

Dim DimOptions::read(StringRef name, MLIRContext *context) const {
  auto factor = factors.find(name);
  if (factor != factors.end())
    return Dim::named(StringAttr::get(context, factor->second));
  Dim total(0);
  for (const auto &[sign, factors] : splitSum(name)) {
    Dim product(sign);
    for (StringRef factor : factors) {
      int64_t number = 0;
      bool isNumber = !factor.getAsInteger(10, number);
      product = cameo::mulDims(product, isNumber ? Dim(number) : Dim::named(StringAttr::get(context, factor)));
    }
    total = cameo::addDims(total, product);
  }
  return total;
}

Dim DimOptions::fix(const Dim &dim) const { return cameo::fixSizes(dim, sizes); }

Dim DimOptions::resolveStated(StringRef name, MLIRContext *context) const {
  if (factors.contains(name) || sums.contains(name))
    return read(name, context);
  return isFactor(name) && !made.contains(name) ? Dim::named(StringAttr::get(context, name)) : Dim::unknown();
}

Dim DimOptions::resolveSum(StringRef name, MLIRContext *context) const {
  llvm::StringSet<> names;
  for (StringRef factor : factors.keys())
    names.insert(factor);
  return factors.contains(name) || isSumOf(names, name) ? fix(read(name, context)) : Dim::unknown();
}

Dim DimOptions::resolveInput(const StatedInput &input, unsigned axis, MLIRContext *context) const {
  const StatedDim &dim = input.dims[axis];
  if (!ShapedType::isDynamic(dim.size))
    return Dim(dim.size);
  if (!dim.name.empty())
    return fix(read(dim.name, context));
  return fix(Dim::named(StringAttr::get(context, unnamed.lookup(getKey(input.name, axis)))));
}
