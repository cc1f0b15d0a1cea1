#include "dialects/Task/Variants.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace cameo;
using namespace cameo::task;

static constexpr llvm::StringLiteral variantName = "variant_of", rangesName = "ranges";

/// Returns nothing if `attribute` is not a range.
static std::optional<SizeRange> readRange(Attribute attribute) {
  auto parts = dyn_cast<ArrayAttr>(attribute);
  if (!parts || parts.size() < 2 || parts.size() > 3)
    return std::nullopt;
  auto size = dyn_cast<DimExprAttr>(parts[0]);
  if (!size || !llvm::all_of(parts.getValue().drop_front(), llvm::IsaPred<IntegerAttr>))
    return std::nullopt;
  SizeRange range{size, cast<IntegerAttr>(parts[1]).getInt(), std::nullopt};
  if (parts.size() == 3)
    range.most = cast<IntegerAttr>(parts[2]).getInt();
  return range.least >= 0 && range.least <= range.most.value_or(range.least) ? std::optional(range) : std::nullopt;
}

std::optional<Variant> task::getVariant(DefOp def) {
  auto task = def->getAttrOfType<FlatSymbolRefAttr>(variantName);
  if (!task)
    return std::nullopt;
  Variant variant{task, {}};
  for (Attribute range : def->getAttrOfType<ArrayAttr>(rangesName))
    variant.ranges.push_back(*readRange(range));
  return variant;
}

void task::setVariant(DefOp def, const Variant &variant) {
  Builder builder(def.getContext());
  SmallVector<Attribute> ranges;
  for (const SizeRange &range : variant.ranges) {
    SmallVector<Attribute, 3> parts = {range.size, builder.getI64IntegerAttr(range.least)};
    if (range.most)
      parts.push_back(builder.getI64IntegerAttr(*range.most));
    ranges.push_back(builder.getArrayAttr(parts));
  }
  def->setAttr(variantName, variant.task);
  def->setAttr(rangesName, builder.getArrayAttr(ranges));
}

SmallVector<DefOp> task::variantsOf(DefOp def) {
  SmallVector<DefOp> variants;
  for (auto other : def->getParentRegion()->getOps<DefOp>())
    if (auto task = other->getAttrOfType<FlatSymbolRefAttr>(variantName);
        task && task.getAttr() == def.getSymNameAttr())
      variants.push_back(other);
  return variants;
}

std::string task::rangesText(const Variant &variant) {
  return llvm::join(llvm::map_range(variant.ranges,
                                    [](const SizeRange &range) {
                                      std::string text = range.size.getText() + " from " + std::to_string(range.least);
                                      return range.most ? text + " to " + std::to_string(*range.most) : text;
                                    }),
                    ", ");
}

static LogicalResult verifyRanges(DefOp def) {
  auto ranges = def->getAttrOfType<ArrayAttr>(rangesName);
  llvm::SmallDenseSet<Attribute> sizes;
  if (!ranges || ranges.empty() || !llvm::all_of(ranges, [&](Attribute each) {
        std::optional<SizeRange> range = readRange(each);
        return range && sizes.insert(range->size).second;
      }))
    return def.emitError("expected ranges as [#dim.expr<\"n\">, 0, 8] or without the upper bound, each of a different "
                         "size, because it is a variant");
  return success();
}

static LogicalResult verifyVariant(DefOp def, SymbolTable &symbols) {
  auto name = dyn_cast<FlatSymbolRefAttr>(def->getAttr(variantName));
  auto task = name ? symbols.lookup<DefOp>(name.getAttr()) : DefOp();
  if (!task || task->hasAttr(variantName))
    return def.emitError("expected a variant of a task.def that is none itself, got ") << def->getAttr(variantName);
  bool isAlike = def.isBufferForm() || task.isBufferForm() ? def.getNumArguments() == task.getNumArguments()
                                                           : def.getFunctionType() == task.getFunctionType();
  if (!isAlike)
    return def.emitError("expected the types of ") << name << ", " << task.getFunctionType();
  return verifyRanges(def);
}

/// Whether no run has sizes in range of both.
static bool areApart(const Variant &a, const Variant &b) {
  auto isBelow = [](const SizeRange &low, const SizeRange &high) { return low.most && *low.most < high.least; };
  return llvm::any_of(a.ranges, [&](const SizeRange &range) {
    return llvm::any_of(b.ranges, [&](const SizeRange &other) {
      return range.size == other.size && (isBelow(range, other) || isBelow(other, range));
    });
  });
}

LogicalResult task::verifyVariants(Operation *module) {
  SymbolTable symbols(module);
  llvm::MapVector<StringAttr, SmallVector<DefOp>> variants;
  for (auto def : module->getRegion(0).getOps<DefOp>()) {
    if (!def->hasAttr(variantName))
      continue;
    if (failed(verifyVariant(def, symbols)))
      return failure();
    SmallVector<DefOp> &others = variants[getVariant(def)->task.getAttr()];
    for (DefOp other : others)
      if (!areApart(*getVariant(def), *getVariant(other)))
        return def.emitError("expected a range of sizes that does not overlap with that of @") << other.getSymName();
    others.push_back(def);
  }
  return success();
}
