#include "passes/Lower/ItemProof.h"

#include "dialects/Onnx/OnnxDialect.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace cameo::lower {

ItemRole ItemProof::roleOf(const Dim &dim) const {
  llvm::SetVector<StringAttr> names;
  collectNames(dim, names);
  if (!names.contains(symbol.getName()))
    return dim.isUnknown() ? ItemRole::Mixed : ItemRole::Shared;
  Dim parts = exactDivDims(dim, symbol);
  return !parts.isUnknown() && roleOf(parts) == ItemRole::Shared ? ItemRole::PerItem : ItemRole::Mixed;
}

ItemRole ItemProof::roleOf(ArrayRef<Dim> dims) const {
  ItemRole role = ItemRole::Shared;
  for (auto [axis, dim] : llvm::enumerate(dims)) {
    ItemRole ofDim = roleOf(dim);
    if (ofDim == ItemRole::Mixed || (ofDim == ItemRole::PerItem && axis > 0))
      return ItemRole::Mixed;
    if (ofDim == ItemRole::PerItem)
      role = ofDim;
  }
  return role;
}

bool ItemProof::setShape(Value result, ArrayRef<OpFoldResult> sizes) {
  for (auto [axis, size] : llvm::enumerate(sizes)) {
    ItemRole ofSize = isa<Value>(size) ? roleOf(cast<Value>(size)) : ItemRole::Shared;
    if (ofSize == ItemRole::Mixed || (ofSize == ItemRole::PerItem && axis > 0))
      return false;
    if (ofSize == ItemRole::PerItem)
      roles[result] = ItemRole::PerItem;
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
  return extract && isPerItem(extract.getTensor()) && use.get() == extract.getIndices().front() &&
         llvm::count(extract.getIndices(), use.get()) == 1;
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
    if (auto extract = dyn_cast<tensor::ExtractOp>(inside);
        extract && !proveElementAccess(extract, itemLoop.value_or(~0u)))
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
      roles[result] = ItemRole::PerItem;
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
  roles[result] = ItemRole::PerItem;
  return true;
}

/// A part has all items of the whole.
bool ItemProof::proveSlice(OffsetSizeAndStrideOpInterface op, Value whole, Value part) {
  if (!isPerItem(whole))
    return !isPerItem(part);
  SmallVector<OpFoldResult> sizes = op.getMixedSizes();
  if (!isZeroInteger(op.getMixedOffsets()[0]) || !isOneInteger(op.getMixedStrides()[0]) || !isa<Value>(sizes[0]) ||
      roleOf(cast<Value>(sizes[0])) != ItemRole::PerItem)
    return false;
  for (OpFoldResult other : ArrayRef(sizes).drop_front())
    if (isa<Value>(other) && roleOf(cast<Value>(other)) != ItemRole::Shared)
      return false;
  return true;
}

bool ItemProof::proveOperation(Operation &op) {
  return llvm::TypeSwitch<Operation *, bool>(&op)
      .Case([&](task::SizeOp size) {
        ItemRole role = roleOf(Dim(size.getExpression()));
        roles[size] = role;
        return role != ItemRole::Mixed;
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
        roles[pad] = ItemRole::PerItem;
        return isZeroInteger(pad.getMixedLowPad()[0]) && isZeroInteger(pad.getMixedHighPad()[0]);
      })
      .Case([&](tensor::ExtractSliceOp slice) {
        if (isPerItem(slice.getSource()))
          roles[slice] = ItemRole::PerItem;
        return proveSlice(slice, slice.getSource(), slice);
      })
      .Case([&](tensor::InsertSliceOp slice) {
        roles[slice] = roleOf(slice.getDest());
        return isPerItem(slice.getSource()) == isPerItem(slice.getDest()) &&
               proveSlice(slice, slice.getDest(), slice.getSource());
      })
      .Default([&](Operation *other) {
        // Whatever else there is may only compute with what is shared.
        WalkResult result = other->walk([&](Operation *inside) {
          return llvm::any_of(inside->getOperands(), [&](Value value) { return roleOf(value) != ItemRole::Shared; })
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        });
        return !result.wasInterrupted();
      });
}

bool ItemProof::proveTask(task::DefOp def) {
  auto dimsOf = [&](onnx::DimsAttr exprs, Type type) {
    return exprs ? onnx::getDims(cast<RankedTensorType>(type), exprs) : onnx::DimList();
  };
  auto roleOfDims = [&](onnx::DimsAttr exprs, Type type) { return roleOf(ArrayRef<Dim>(dimsOf(exprs, type))); };
  StringRef attribute = task::TaskDialect::getDimsName();
  Block &body = def.getBody().front();
  rowsPerItem = 1;
  for (auto [number, value] : llvm::enumerate(body.getTerminator()->getOperands())) {
    onnx::DimList dims = dimsOf(def.getResultAttrOfType<onnx::DimsAttr>(number, attribute), value.getType());
    if (roleOf(ArrayRef<Dim>(dims)) != ItemRole::PerItem)
      continue;
    Dim rows = exactDivDims(dims.front(), symbol);
    rowsPerItem = std::max(rowsPerItem, rows.isStatic() ? rows.getSize() : estimatedSize);
  }
  for (BlockArgument argument : body.getArguments()) {
    roles[argument] =
        roleOfDims(def.getArgAttrOfType<onnx::DimsAttr>(argument.getArgNumber(), attribute), argument.getType());
    if (roles[argument] == ItemRole::Mixed)
      return false;
  }
  for (Operation &op : body.without_terminator())
    if (!proveOperation(op))
      return false;
  for (auto [number, value] : llvm::enumerate(body.getTerminator()->getOperands()))
    if (roleOf(value) != roleOfDims(def.getResultAttrOfType<onnx::DimsAttr>(number, attribute), value.getType()))
      return false;
  return true;
}

/// Tasks are given what their arguments say; the views between them keep the items outermost.
bool ItemProof::proveMain(func::FuncOp main) {
  auto isFine = [&](Value value) { return roleOf(value.getType()) != ItemRole::Mixed; };
  if (!llvm::all_of(main.getArguments(), isFine))
    return false;
  // What all items share would not be written when there is none.
  if (llvm::any_of(main.getResultTypes(), [&](Type type) { return roleOf(type) != ItemRole::PerItem; }))
    return false;
  for (Operation &op : main.getBody().front()) {
    if (!llvm::all_of(op.getResults(), isFine))
      return false;
    if (isa<task::PrefixOp, task::LoopOp, task::ChooseOp, task::UpdateOp>(
            op)) // what is counted belongs to all items, and so do loops, branches and caches
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

} // namespace cameo::lower
