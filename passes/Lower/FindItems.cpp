// --find-items: a symbol is the number of independent items when every value either holds one part per item, item after item, or
// nothing of the items at all, and no operation takes a part of one item for another. The proof is over maps and shapes; it
// knows no operators.
#include "passes/Lower/Passes.h"

#include "dialects/Onnx/DimList.h"
#include "dialects/Task/TaskDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace cameo {

#define GEN_PASS_DEF_FINDITEMSPASS
#include "passes/Lower/Passes.h.inc"

namespace lower {
namespace {

/// What a tensor or size has to do with the items.
enum class Role {
  Shared,  ///< the same for all items
  PerItem, ///< of a tensor: dimension 0, and it alone, counts the items or equal parts of them; of a size: such a number
  Mixed    ///< neither
};

class ItemProof {
public:
  explicit ItemProof(onnx::Dim symbol) : symbol(symbol) {}

  bool holds(ModuleOp module, func::FuncOp main);
  /// Whether one item after the other is as fast as all of them together: weights that few rows of an item are multiplied with are read
  /// again for each, where a block of rows would share them.
  bool isWorthwhile() const { return fewRowProducts * fewRowSlowness <= otherProducts; }
  /// By the names of the dimensions.
  Role roleOf(Type type) const {
    std::optional<onnx::DimList> dims = onnx::getDims(type);
    return dims ? roleOf(ArrayRef<onnx::Dim>(*dims)) : Role::Shared;
  }

private:
  Role roleOf(const onnx::Dim &dim) const;
  Role roleOf(ArrayRef<onnx::Dim> dims) const;
  Role roleOf(Value value) const { return roles.lookup_or(value, Role::Shared); }
  bool isPerItem(Value value) const { return roleOf(value) == Role::PerItem; }

  bool proveMain(func::FuncOp main);
  bool proveTask(task::DefOp def);
  bool proveOperation(Operation &op);
  bool proveGeneric(linalg::GenericOp op);
  bool proveElementAccess(tensor::ExtractOp op, unsigned itemLoop);
  bool isOwnPlace(OpOperand &use) const;
  bool proveReshape(Value source, Value result, ArrayRef<ReassociationIndices> groups);
  bool proveSlice(OffsetSizeAndStrideOpInterface op, Value whole, Value part);
  /// Whether the dynamic sizes of `result` agree with `role`: dimension 0 alone counts items.
  bool setShape(Value result, ArrayRef<OpFoldResult> sizes);
  void countProducts(linalg::GenericOp op, unsigned itemLoop);

  /// Fewer rows than this leave registers for weights unused, and the product of one row with a matrix takes that much longer than as part
  /// of a block (784-256-128-10 for 128 items: 0.92 ms one after the other, 0.33 together).
  static constexpr int64_t fewRows = 8, fewRowSlowness = 8;
  /// What a size that only the run knows is taken for.
  static constexpr int64_t estimatedSize = 128;

  onnx::Dim symbol;
  /// Rows of the result that the task being looked at has for one item.
  int64_t rowsPerItem = 1;
  double fewRowProducts = 0, otherProducts = 0; ///< terms of sums
  llvm::DenseMap<Value, Role> roles;
};

Role ItemProof::roleOf(const onnx::Dim &dim) const {
  llvm::SetVector<StringAttr> names;
  onnx::collectNames(dim, names);
  if (!names.contains(symbol.getName()))
    return dim.isUnknown() ? Role::Mixed : Role::Shared;
  onnx::Dim parts = onnx::exactDivDims(dim, symbol);
  return !parts.isUnknown() && roleOf(parts) == Role::Shared ? Role::PerItem : Role::Mixed;
}

Role ItemProof::roleOf(ArrayRef<onnx::Dim> dims) const {
  Role role = Role::Shared;
  for (auto [axis, dim] : llvm::enumerate(dims)) {
    Role ofDim = roleOf(dim);
    if (ofDim == Role::Mixed || (ofDim == Role::PerItem && axis > 0))
      return Role::Mixed;
    if (ofDim == Role::PerItem)
      role = ofDim;
  }
  return role;
}

bool ItemProof::setShape(Value result, ArrayRef<OpFoldResult> sizes) {
  for (auto [axis, size] : llvm::enumerate(sizes)) {
    Role ofSize = isa<Value>(size) ? roleOf(cast<Value>(size)) : Role::Shared;
    if (ofSize == Role::Mixed || (ofSize == Role::PerItem && axis > 0))
      return false;
    if (ofSize == Role::PerItem)
      roles[result] = Role::PerItem;
  }
  return true;
}

/// Elements of a tensor that the body reads at computed places: the place along the items must be the own one.
bool ItemProof::proveElementAccess(tensor::ExtractOp op, unsigned itemLoop) {
  if (!isPerItem(op.getTensor()))
    return true;
  auto index = op.getIndices()[0].getDefiningOp<linalg::IndexOp>();
  return index && index.getDim() == itemLoop;
}

/// Whether the number of an item only says where in a tensor of all items its part is.
bool ItemProof::isOwnPlace(OpOperand &use) const {
  auto extract = dyn_cast<tensor::ExtractOp>(use.getOwner());
  return extract && isPerItem(extract.getTensor()) && use.get() == extract.getIndices().front() && llvm::count(extract.getIndices(), use.get()) == 1;
}

bool ItemProof::proveGeneric(linalg::GenericOp op) {
  std::optional<unsigned> itemLoop;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!isPerItem(operand.get()))
      continue;
    auto loop = dyn_cast<AffineDimExpr>(map.getResult(0));
    if (!loop || (itemLoop && *itemLoop != loop.getPosition()))
      return false;
    itemLoop = loop.getPosition();
  }
  if (itemLoop) {
    if (op.getIteratorTypesArray()[*itemLoop] != utils::IteratorType::parallel)
      return false;
    for (OpOperand &operand : op->getOpOperands()) {
      ArrayRef<AffineExpr> places = op.getMatchingIndexingMap(&operand).getResults();
      if (isPerItem(operand.get()))
        places = places.drop_front();
      if (llvm::any_of(places, [&](AffineExpr place) { return place.isFunctionOfDim(*itemLoop); }))
        return false;
    }
    if (llvm::any_of(op.getDpsInits(), [&](Value init) { return !isPerItem(init); }))
      return false;
  }
  for (Operation &inside : op.getBody()->without_terminator()) {
    if (auto extract = dyn_cast<tensor::ExtractOp>(inside); extract && !proveElementAccess(extract, itemLoop.value_or(~0u)))
      return false;
    // The number of an item means something else when it runs alone.
    if (auto index = dyn_cast<linalg::IndexOp>(inside); index && itemLoop == index.getDim())
      if (llvm::any_of(index->getUses(), [&](OpOperand &use) { return !isOwnPlace(use); }))
        return false;
    if (llvm::any_of(inside.getOperands(), [&](Value value) { return value.getType().isIndex() && isPerItem(value); }))
      return false;
  }
  if (itemLoop) {
    for (Value result : op.getResults())
      roles[result] = Role::PerItem;
    countProducts(op, *itemLoop);
  }
  return true;
}

void ItemProof::countProducts(linalg::GenericOp op, unsigned itemLoop) {
  if (op.getNumReductionLoops() == 0)
    return;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  extents[itemLoop] = rowsPerItem;
  double terms = 1, rows = fewRows;
  for (int64_t &extent : extents) {
    extent = ShapedType::isDynamic(extent) ? estimatedSize : extent;
    terms *= static_cast<double>(extent);
  }
  for (OpOperand *operand : op.getDpsInputOperands()) {
    if (isPerItem(operand->get()))
      continue;
    double readers = 1;
    for (auto [loop, extent] : llvm::enumerate(extents))
      readers *= op.getMatchingIndexingMap(operand).isFunctionOfDim(loop) ? 1 : static_cast<double>(extent);
    rows = std::min(rows, readers);
  }
  (rows < fewRows ? fewRowProducts : otherProducts) += terms;
}

/// The joined or split dimension that holds the items stays first, with the items outermost.
bool ItemProof::proveReshape(Value source, Value result, ArrayRef<ReassociationIndices> groups) {
  if (!isPerItem(source))
    return true;
  auto type = cast<RankedTensorType>(result.getType());
  if (groups.empty() || !type.isDynamicDim(0))
    return false;
  roles[result] = Role::PerItem;
  return true;
}

/// A part has all items of the whole.
bool ItemProof::proveSlice(OffsetSizeAndStrideOpInterface op, Value whole, Value part) {
  if (!isPerItem(whole))
    return !isPerItem(part);
  SmallVector<OpFoldResult> sizes = op.getMixedSizes();
  if (!isZeroInteger(op.getMixedOffsets()[0]) || !isOneInteger(op.getMixedStrides()[0]) || !isa<Value>(sizes[0]) ||
      roleOf(cast<Value>(sizes[0])) != Role::PerItem)
    return false;
  for (OpFoldResult other : ArrayRef(sizes).drop_front())
    if (isa<Value>(other) && roleOf(cast<Value>(other)) != Role::Shared)
      return false;
  return true;
}

bool ItemProof::proveOperation(Operation &op) {
  return llvm::TypeSwitch<Operation *, bool>(&op)
      .Case([&](task::SizeOp size) {
        Role role = roleOf(onnx::Dim::named(size.getExpressionAttr()));
        roles[size] = role;
        return role != Role::Mixed;
      })
      .Case([&](tensor::EmptyOp empty) { return setShape(empty, empty.getMixedSizes()); })
      .Case([&](linalg::FillOp fill) {
        roles[fill.getResult(0)] = roleOf(fill.getOutputs()[0]);
        return true;
      })
      .Case([&](linalg::GenericOp generic) { return proveGeneric(generic); })
      .Case([&](tensor::CollapseShapeOp reshape) {
        return proveReshape(reshape.getSrc(), reshape, reshape.getReassociationIndices());
      })
      .Case([&](tensor::ExpandShapeOp reshape) {
        // Two names of one size: the source counts by the other one.
        return proveReshape(reshape.getSrc(), reshape, reshape.getReassociationIndices()) &&
               setShape(reshape, reshape.getMixedOutputShape()) && isPerItem(reshape) == isPerItem(reshape.getSrc());
      })
      .Case([&](tensor::PadOp pad) {
        if (!isPerItem(pad.getSource()))
          return true;
        roles[pad] = Role::PerItem;
        return isZeroInteger(pad.getMixedLowPad()[0]) && isZeroInteger(pad.getMixedHighPad()[0]);
      })
      .Case([&](tensor::ExtractSliceOp slice) {
        if (isPerItem(slice.getSource()))
          roles[slice] = Role::PerItem;
        return proveSlice(slice, slice.getSource(), slice);
      })
      .Case([&](tensor::InsertSliceOp slice) {
        roles[slice] = roleOf(slice.getDest());
        return isPerItem(slice.getSource()) == isPerItem(slice.getDest()) && proveSlice(slice, slice.getDest(), slice.getSource());
      })
      .Default([&](Operation *other) {
        // Whatever else there is may only compute with what is shared.
        WalkResult result = other->walk([&](Operation *inside) {
          return llvm::any_of(inside->getOperands(), [&](Value value) { return roleOf(value) != Role::Shared; })
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        });
        return !result.wasInterrupted();
      });
}

bool ItemProof::proveTask(task::DefOp def) {
  auto dimsOf = [&](ArrayAttr names, Type type) {
    onnx::DimList dims;
    if (names)
      for (auto [name, size] : llvm::zip_equal(names.getAsRange<StringAttr>(), cast<RankedTensorType>(type).getShape()))
        dims.push_back(name.empty() ? onnx::Dim(size) : onnx::Dim::named(name));
    return dims;
  };
  auto roleOfDims = [&](ArrayAttr names, Type type) { return roleOf(ArrayRef<onnx::Dim>(dimsOf(names, type))); };
  StringRef attribute = task::TaskDialect::getDimsName();
  Block &body = def.getBody().front();
  rowsPerItem = 1;
  for (auto [number, value] : llvm::enumerate(body.getTerminator()->getOperands())) {
    onnx::DimList dims = dimsOf(def.getResultAttrOfType<ArrayAttr>(number, attribute), value.getType());
    if (roleOf(ArrayRef<onnx::Dim>(dims)) != Role::PerItem)
      continue;
    onnx::Dim rows = onnx::exactDivDims(dims.front(), symbol);
    rowsPerItem = std::max(rowsPerItem, rows.isStatic() ? rows.getSize() : estimatedSize);
  }
  for (BlockArgument argument : body.getArguments()) {
    roles[argument] = roleOfDims(def.getArgAttrOfType<ArrayAttr>(argument.getArgNumber(), attribute), argument.getType());
    if (roles[argument] == Role::Mixed)
      return false;
  }
  for (Operation &op : body.without_terminator())
    if (!proveOperation(op))
      return false;
  for (auto [number, value] : llvm::enumerate(body.getTerminator()->getOperands()))
    if (roleOf(value) != roleOfDims(def.getResultAttrOfType<ArrayAttr>(number, attribute), value.getType()))
      return false;
  return true;
}

/// Tasks are given what their arguments say; the views between them keep the items outermost.
bool ItemProof::proveMain(func::FuncOp main) {
  auto isFine = [&](Value value) { return roleOf(value.getType()) != Role::Mixed; };
  if (!llvm::all_of(main.getArguments(), isFine))
    return false;
  // What all items share would not be written when there is none.
  if (llvm::any_of(main.getResultTypes(), [&](Type type) { return roleOf(type) != Role::PerItem; }))
    return false;
  for (Operation &op : main.getBody().front()) {
    if (!llvm::all_of(op.getResults(), isFine))
      return false;
    if (isa<task::PrefixOp, task::LoopOp>(op)) // what is counted belongs to all items, and so does how often a loop runs
      return false;
    if (auto view = dyn_cast<task::ViewOp>(op))
      if (roleOf(view.getInput().getType()) != roleOf(view.getOutput().getType()))
        return false;
  }
  return true;
}

bool ItemProof::holds(ModuleOp module, func::FuncOp main) {
  return proveMain(main) && llvm::all_of(module.getOps<task::DefOp>(), [&](task::DefOp def) { return proveTask(def); });
}

} // namespace
} // namespace lower

namespace {

struct FindItems : impl::FindItemsPassBase<FindItems> {
  /// Marks the inputs and outputs that hold a part per item.
  static void markItems(func::FuncOp main, const lower::ItemProof &proof) {
    Attribute mark = UnitAttr::get(main.getContext());
    for (auto [number, type] : llvm::enumerate(main.getArgumentTypes()))
      if (proof.roleOf(type) == lower::Role::PerItem)
        main.setArgAttr(number, task::TaskDialect::getPerItemName(), mark);
    for (auto [number, type] : llvm::enumerate(main.getResultTypes()))
      if (proof.roleOf(type) == lower::Role::PerItem)
        main.setResultAttr(number, task::TaskDialect::getPerItemName(), mark);
  }

  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    if (!main)
      return;
    // Each input that has items may have them in its first dimension alone.
    llvm::SetVector<StringAttr> symbols;
    for (BlockArgument argument : main.getArguments())
      if (std::optional<onnx::DimList> dims = onnx::getDims(argument); dims && !dims->empty() && dims->front().isNamed())
        symbols.insert(dims->front().getName());
    for (StringAttr symbol : symbols)
      if (lower::ItemProof proof(onnx::Dim::named(symbol)); proof.holds(getOperation(), main) && proof.isWorthwhile()) {
        getOperation()->setAttr(task::TaskDialect::getItemsName(), symbol);
        markItems(main, proof);
        return;
      }
  }
};

} // namespace
} // namespace cameo
