#include "utils/Driver/Tune/TuneSizes.h"

#include "dialects/Onnx/DimList.h"
#include "dialects/Onnx/OnnxDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>
#include <numeric>

using namespace cameo;
using llvm::StringRef;

/// Limit of the runs, because a candidate is built and run for all of them.
static constexpr unsigned mostRuns = 32;
static constexpr int64_t mostElements = int64_t(1) << 32;

llvm::Error cameo::parseTunedDim(StringRef text, std::vector<TunedDim> &dims) {
  auto [name, list] = text.rsplit('=');
  if (name.empty() || list.empty())
    return llvm::createStringError("expected NAME=SIZE[*TIMES],..., got '" + text + "'");
  if (llvm::any_of(dims, [&](const TunedDim &dim) { return name == dim.name; }))
    return llvm::createStringError("dimension '" + name + "' is given twice");
  TunedDim dim{name.str(), {}};
  for (StringRef each : llvm::split(list, ',')) {
    auto [size, times] = each.split('*');
    int64_t number = 0;
    unsigned count = 1;
    if (size.getAsInteger(10, number) || number < 1 || number > mostElements)
      return llvm::createStringError("expected a size of 1 or more, got '" + size + "' in '" + text + "'");
    if (each.contains('*') && (times.getAsInteger(10, count) || count < 1 || count > mostRuns))
      return llvm::createStringError("expected a number from 1 to " + llvm::Twine(mostRuns) + " after the '*', got '" +
                                     times + "' in '" + text + "'");
    if (llvm::any_of(dim.sizes, [&](const auto &other) { return other.first == number; }))
      return llvm::createStringError("expected each size once, got " + llvm::Twine(number) + " twice in '" + text +
                                     "'");
    dim.sizes.emplace_back(number, count);
  }
  llvm::sort(dim.sizes);
  dims.push_back(std::move(dim));
  llvm::sort(dims, [](const TunedDim &a, const TunedDim &b) { return a.name < b.name; });
  return llvm::Error::success();
}

static void addNames(mlir::Type type, llvm::SetVector<mlir::StringAttr> &names) {
  for (const Dim &dim : onnx::getDims(type).value_or(onnx::DimList()))
    collectNames(dim, names);
}

llvm::SetVector<mlir::StringAttr> cameo::sizeNamesOf(task::DefOp def) {
  llvm::SetVector<mlir::StringAttr> names;
  auto collect = [&](onnx::DimsAttr dims) {
    for (DimExprAttr expr : dims ? dims.getExprs() : llvm::ArrayRef<DimExprAttr>())
      collectNames(Dim(expr), names);
  };
  StringRef attribute = task::TaskDialect::getDimsName();
  for (unsigned number = 0; number < def.getNumArguments(); ++number)
    collect(def.getArgAttrOfType<onnx::DimsAttr>(number, attribute));
  for (unsigned number = 0; number < def.getNumResults(); ++number)
    collect(def.getResultAttrOfType<onnx::DimsAttr>(number, attribute));
  def.walk([&](task::SizeOp size) { collectNames(Dim(size.getExpression()), names); });
  return names;
}

std::vector<std::string> cameo::spellSizeNames(task::DefOp def) {
  std::vector<std::string> names;
  for (mlir::StringAttr name : sizeNamesOf(def))
    names.push_back(name.str());
  return names;
}

/// Returns the dimension that INPUT:AXIS names; nothing for another name.
static std::optional<Dim> findAxis(mlir::func::FuncOp main, StringRef name) {
  auto [input, axisText] = name.rsplit(':');
  unsigned axis = 0;
  if (!main || axisText.getAsInteger(10, axis))
    return std::nullopt;
  for (unsigned number = 0; number < main.getNumArguments(); ++number) {
    auto own = main.getArgAttrOfType<mlir::StringAttr>(number, "onnx.name");
    std::optional<onnx::DimList> dims = onnx::getDims(main.getArgumentTypes()[number]);
    if (own && own == input && dims && axis < dims->size())
      return (*dims)[axis];
  }
  return std::nullopt;
}

llvm::Error cameo::resolveTunedDims(mlir::ModuleOp module, const DimensionSizes &fixed, std::vector<TunedDim> &dims) {
  auto main = module.lookupSymbol<mlir::func::FuncOp>("main");
  llvm::SetVector<mlir::StringAttr> names;
  for (mlir::Type type : main ? main.getArgumentTypes() : mlir::ArrayRef<mlir::Type>())
    addNames(type, names);
  for (auto def : module.getOps<task::DefOp>())
    names.insert_range(sizeNamesOf(def));
  unsigned runs = 1;
  for (const TunedDim &dim : dims) {
    unsigned ofDim = 0;
    for (auto [size, times] : dim.sizes)
      ofDim += times;
    runs *= ofDim;
    if (runs > mostRuns)
      return llvm::createStringError(
          "expected at most " + llvm::Twine(mostRuns) +
          " runs of each task, the product of the sizes and their weights over all dimensions, got " +
          llvm::Twine(runs));
  }
  auto batch = module->getAttrOfType<mlir::StringAttr>(task::TaskDialect::getBatchName());
  for (TunedDim &dim : dims) {
    if (auto size = fixed.find(dim.name); size != fixed.end())
      return llvm::createStringError("expected a dynamic dimension, got '" + dim.name + "', which --dim fixes to " +
                                     llvm::Twine(size->second));
    if (batch && batch == dim.name)
      return llvm::createStringError("expected a dimension that the code depends on, got '" + dim.name +
                                     "': it is the batch, and the model is compiled for one sample and run for each");
    auto hasName = [&](StringRef name) {
      return llvm::any_of(names, [&](mlir::StringAttr each) { return each == name; });
    };
    if (hasName(dim.name))
      continue;
    std::optional<Dim> axis = findAxis(main, dim.name);
    if (axis && axis->isStatic())
      return llvm::createStringError("expected a dynamic dimension, got '" + dim.name + "', which is always " +
                                     llvm::Twine(axis->getSize()));
    if (!axis || !axis->getName() || !hasName(axis->getName())) {
      std::vector<std::string> known;
      for (mlir::StringAttr each : names)
        known.push_back(each.str());
      llvm::sort(known);
      return llvm::createStringError("expected the name of a dynamic dimension, got '" + dim.name +
                                     "'; there are: " + (known.empty() ? "none" : llvm::join(known, ", ")));
    }
    dim.name = axis->getName().str();
  }
  return llvm::Error::success();
}

cameo::TunedNames::TunedNames(llvm::ArrayRef<autotune::TuningRecord> records) {
  for (const autotune::TuningRecord &record : records) {
    std::set<std::string> names;
    for (StringRef dim : llvm::split(record.sizes, ';'))
      names.insert(dim.split('=').first.str());
    ofRecords.insert(std::move(names));
  }
}

bool cameo::TunedNames::hasAll(llvm::ArrayRef<std::string> names) const {
  return !names.empty() && llvm::any_of(ofRecords, [&](const std::set<std::string> &known) {
    return llvm::all_of(names, [&](const std::string &name) { return known.count(name) != 0; });
  });
}

std::vector<autotune::RunSizes> cameo::runsOfTask(task::DefOp def, llvm::ArrayRef<TunedDim> dims) {
  llvm::SetVector<mlir::StringAttr> names = sizeNamesOf(def);
  if (names.empty())
    return {};
  std::vector<autotune::RunSizes> runs(1);
  for (mlir::StringAttr name : names) {
    const TunedDim *dim = llvm::find_if(dims, [&](const TunedDim &each) { return name == each.name; });
    if (dim == dims.end())
      return {};
    std::vector<autotune::RunSizes> more;
    for (const autotune::RunSizes &run : runs)
      for (auto [size, times] : dim->sizes) {
        autotune::RunSizes next = run;
        next.sizes[name] = size;
        next.times *= times;
        more.push_back(std::move(next));
      }
    runs = std::move(more);
  }
  return runs;
}

/// Returns the ratio of two sizes, which are in ascending order.
static double ratioOf(std::pair<int64_t, unsigned> less, std::pair<int64_t, unsigned> more) {
  return static_cast<double>(more.first) / static_cast<double>(less.first);
}

std::vector<SizeBucket> cameo::divideSizes(llvm::ArrayRef<TunedDim> dims, int64_t count) {
  const auto *widest = llvm::max_element(dims, [](const TunedDim &a, const TunedDim &b) {
    return ratioOf(a.sizes.front(), a.sizes.back()) < ratioOf(b.sizes.front(), b.sizes.back());
  });
  if (widest == dims.end() || widest->sizes.size() < 2 || count < 2)
    return {};
  const auto &sizes = widest->sizes;
  // Indices of the sizes that buckets begin with, which follow the widest gaps.
  std::vector<size_t> begins(sizes.size() - 1);
  std::iota(begins.begin(), begins.end(), size_t(1));
  llvm::sort(begins, [&](size_t a, size_t b) {
    return std::pair(-ratioOf(sizes[a - 1], sizes[a]), a) < std::pair(-ratioOf(sizes[b - 1], sizes[b]), b);
  });
  begins.resize(std::min(begins.size(), static_cast<size_t>(count - 1)));
  llvm::sort(begins);
  std::vector<SizeBucket> buckets;
  size_t begin = 0;
  int64_t least = 0;
  begins.push_back(sizes.size());
  for (size_t end : begins) {
    SizeBucket bucket{dims.vec(), {widest->name, least, std::nullopt}};
    bucket.dims[widest - dims.begin()].sizes = {sizes.begin() + begin, sizes.begin() + end};
    if (end < sizes.size()) {
      auto middle = std::sqrt(static_cast<double>(sizes[end - 1].first) * static_cast<double>(sizes[end].first));
      bucket.range.most = std::clamp(static_cast<int64_t>(middle), sizes[end - 1].first, sizes[end].first - 1);
      least = *bucket.range.most + 1;
    }
    buckets.push_back(std::move(bucket));
    begin = end;
  }
  return buckets;
}

std::string cameo::spellTunedDims(task::DefOp def, llvm::ArrayRef<TunedDim> dims) {
  llvm::SetVector<mlir::StringAttr> names = sizeNamesOf(def);
  std::vector<std::string> texts;
  for (const TunedDim &dim : dims) {
    if (llvm::none_of(names, [&](mlir::StringAttr name) { return name == dim.name; }))
      continue;
    std::vector<std::string> sizes;
    for (auto [size, times] : dim.sizes)
      sizes.push_back(std::to_string(size) + (times > 1 ? "*" + std::to_string(times) : ""));
    texts.push_back(dim.name + "=" + llvm::join(sizes, ","));
  }
  return llvm::join(texts, ";");
}

DimensionSizes cameo::mostFrequentSizes(const DimensionSizes &fixed, llvm::ArrayRef<TunedDim> dims) {
  DimensionSizes sizes = fixed;
  for (const TunedDim &dim : dims)
    sizes[dim.name] = llvm::max_element(dim.sizes, [](const auto &a, const auto &b) {
                        return std::pair(a.second, a.first) < std::pair(b.second, b.first);
                      })->first;
  return sizes;
}
