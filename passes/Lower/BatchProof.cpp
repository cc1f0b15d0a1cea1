#include "passes/Lower/BatchProof.h"

#include "dialects/Dim/DimLimits.h"
#include "dialects/Onnx/OnnxDialect.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace cameo::lower {

SampleRole BatchProof::roleOf(const Dim &dim) const {
  llvm::SetVector<StringAttr> names;
  collectNames(dim, names);
  if (!names.contains(symbol.getName()))
    return dim.isUnknown() ? SampleRole::Mixed : SampleRole::Shared;
  Dim parts = exactDivDims(dim, symbol);
  return !parts.isUnknown() && roleOf(parts) == SampleRole::Shared ? SampleRole::PerSample : SampleRole::Mixed;
}

SampleRole BatchProof::roleOf(ArrayRef<Dim> dims) const {
  SampleRole role = SampleRole::Shared;
  for (auto [axis, dim] : llvm::enumerate(dims)) {
    SampleRole ofDim = roleOf(dim);
    if (ofDim == SampleRole::Mixed || (ofDim == SampleRole::PerSample && axis > 0))
      return SampleRole::Mixed;
    if (ofDim == SampleRole::PerSample)
      role = ofDim;
  }
  return role;
}

bool BatchProof::setShape(Value result, ArrayRef<OpFoldResult> sizes) {
  for (auto [axis, size] : llvm::enumerate(sizes)) {
    SampleRole ofSize = isa<Value>(size) ? roleOf(cast<Value>(size)) : SampleRole::Shared;
    if (ofSize == SampleRole::Mixed || (ofSize == SampleRole::PerSample && axis > 0))
      return false;
    if (ofSize == SampleRole::PerSample)
      roles[result] = SampleRole::PerSample;
  }
  return true;
}

/// Whether an element that the body reads at computed indices of a tensor with samples belongs to that of the
/// iteration.
bool BatchProof::proveElementAccess(tensor::ExtractOp op, unsigned sampleLoop) {
  auto index = op.getIndices()[0].getDefiningOp<linalg::IndexOp>();
  return index && index.getDim() == sampleLoop;
}

/// Whether the number of the sample is only used as index of the sample in a tensor.
bool BatchProof::indexesOwnSample(OpOperand &use) const {
  auto extract = dyn_cast<tensor::ExtractOp>(use.getOwner());
  return extract && isPerSample(extract.getTensor()) && use.get() == extract.getIndices().front() &&
         llvm::count(extract.getIndices(), use.get()) == 1;
}

bool BatchProof::proveGeneric(linalg::GenericOp op) {
  std::optional<unsigned> sampleLoop;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!isPerSample(operand.get()))
      continue;
    auto loop = dyn_cast<AffineDimExpr>(map.getResult(0));
    if (!loop || (sampleLoop && *sampleLoop != loop.getPosition()))
      return false;
    sampleLoop = loop.getPosition();
    readsWindows |= !map.isProjectedPermutation(/*allowZeroInResults=*/true);
  }
  if (sampleLoop) {
    if (op.getIteratorTypesArray()[*sampleLoop] != utils::IteratorType::parallel)
      return false;
    for (OpOperand &operand : op->getOpOperands()) {
      ArrayRef<AffineExpr> places = op.getMatchingIndexingMap(&operand).getResults();
      if (isPerSample(operand.get()))
        places = places.drop_front();
      if (llvm::any_of(places, [&](AffineExpr place) { return place.isFunctionOfDim(*sampleLoop); }))
        return false;
    }
    if (llvm::any_of(op.getDpsInits(), [&](Value init) { return !isPerSample(init); }))
      return false;
  }
  for (Operation &inside : op.getBody()->without_terminator()) {
    if (auto extract = dyn_cast<tensor::ExtractOp>(inside); extract && isPerSample(extract.getTensor())) {
      if (!proveElementAccess(extract, sampleLoop.value_or(~0u)))
        return false;
      readsWindows = true;
    }
    // The number of a sample changes when the sample runs alone.
    if (auto index = dyn_cast<linalg::IndexOp>(inside); index && sampleLoop == index.getDim())
      if (llvm::any_of(index->getUses(), [&](OpOperand &use) { return !indexesOwnSample(use); }))
        return false;
    if (llvm::any_of(inside.getOperands(),
                     [&](Value value) { return value.getType().isIndex() && isPerSample(value); })) {
      if (sampleLoop)
        return false;
      counts.insert_range(op.getResults());
    }
  }
  if (sampleLoop) {
    for (Value result : op.getResults())
      roles[result] = SampleRole::PerSample;
    countPoints(op, *sampleLoop);
  }
  return true;
}

void BatchProof::countPoints(linalg::GenericOp op, unsigned sampleLoop) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  extents[sampleLoop] = rowsPerSample * together;
  double terms = 1, rows = fewRows;
  for (int64_t &extent : extents) {
    extent = ShapedType::isDynamic(extent) ? estimatedSize : extent;
    terms *= static_cast<double>(extent);
  }
  largestSample = std::max(largestSample, terms);
  if (op.getNumReductionLoops() == 0)
    return;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    if (isPerSample(operand->get()))
      continue;
    double readers = 1;
    for (auto [loop, extent] : llvm::enumerate(extents))
      readers *= op.getMatchingIndexingMap(operand).isFunctionOfDim(loop) ? 1 : static_cast<double>(extent);
    rows = std::min(rows, readers);
  }
  (rows < fewRows ? fewRowProducts : otherProducts) += terms;
  if (rows >= fewRows && hasSmallPlane(op))
    smallPlaneProducts += terms;
}

/// Returns the number of outputs in a plane, if `map` reads the image of a 3x3 convolution without strides; else 0.
static int64_t countOutputs(linalg::GenericOp op, AffineMap map, ArrayRef<int64_t> extents) {
  SmallVector<utils::IteratorType> kinds = op.getIteratorTypesArray();
  int64_t outputs = 1;
  unsigned sides = 0;
  for (AffineExpr result : map.getResults()) {
    auto sum = dyn_cast<AffineBinaryOpExpr>(result);
    if (!sum)
      continue;
    ++sides;
    for (AffineExpr term : {sum.getLHS(), sum.getRHS()}) {
      auto dim = dyn_cast<AffineDimExpr>(term);
      if (!dim || sum.getKind() != AffineExprKind::Add)
        return 0;
      int64_t extent = extents[dim.getPosition()];
      bool isWindow = kinds[dim.getPosition()] == utils::IteratorType::reduction;
      if (ShapedType::isDynamic(extent) || (isWindow && extent != 3))
        return 0;
      outputs *= isWindow ? 1 : extent;
    }
  }
  return sides == 2 ? outputs : 0;
}

/// Whether `op` is a 3x3 convolution of floats without strides whose images are small and fill vectors with channels.
bool BatchProof::hasSmallPlane(linalg::GenericOp op) const {
  if (op.getNumReductionLoops() != 3 || op.getNumParallelLoops() != 4 || op.getNumDpsInputs() != 2 ||
      !isa<FloatType>(getElementTypeOrSelf(op.getResult(0).getType())))
    return false;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    if (isPerSample(operand->get())) {
      int64_t outputs = countOutputs(op, map, extents);
      if (outputs == 0 || outputs > smallImage)
        return false;
      continue;
    }
    // The filter has all loops but those of the samples and of the plane.
    if (!map.isProjectedPermutation() || map.getNumResults() != 4)
      return false;
    for (AffineExpr result : map.getResults())
      if (int64_t extent = extents[cast<AffineDimExpr>(result).getPosition()]; extent != 3 && extent < fullChannels)
        return false;
  }
  return true;
}

/// Whether the dimension that counts samples stays the first one, with the samples outermost, after the reshape.
bool BatchProof::proveReshape(Value source, Value result, ArrayRef<ReassociationIndices> groups) {
  if (!isPerSample(source))
    return true;
  auto type = cast<RankedTensorType>(result.getType());
  if (groups.empty() || !type.isDynamicDim(0))
    return false;
  roles[result] = SampleRole::PerSample;
  return true;
}

/// Whether the slice has all samples of the whole.
bool BatchProof::proveSlice(OffsetSizeAndStrideOpInterface op, Value whole, Value part) {
  if (!isPerSample(whole))
    return !isPerSample(part);
  SmallVector<OpFoldResult> sizes = op.getMixedSizes();
  if (!isZeroInteger(op.getMixedOffsets()[0]) || !isOneInteger(op.getMixedStrides()[0]) || !isa<Value>(sizes[0]) ||
      roleOf(cast<Value>(sizes[0])) != SampleRole::PerSample)
    return false;
  for (OpFoldResult other : ArrayRef(sizes).drop_front())
    if (isa<Value>(other) && roleOf(cast<Value>(other)) != SampleRole::Shared)
      return false;
  return true;
}

bool BatchProof::proveOperation(Operation &op) {
  return llvm::TypeSwitch<Operation *, bool>(&op)
      .Case([&](task::SizeOp size) {
        SampleRole role = roleOf(Dim(size.getExpression()));
        roles[size] = role;
        return role != SampleRole::Mixed;
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
        // The result may name the size differently; its source must have the same role.
        return proveReshape(reshape.getSrc(), reshape, reshape.getReassociationIndices()) &&
               setShape(reshape, reshape.getMixedOutputShape()) &&
               isPerSample(reshape) == isPerSample(reshape.getSrc());
      })
      .Case([&](tensor::PadOp pad) {
        if (!isPerSample(pad.getSource()))
          return true;
        roles[pad] = SampleRole::PerSample;
        readsWindows = true;
        return isZeroInteger(pad.getMixedLowPad()[0]) && isZeroInteger(pad.getMixedHighPad()[0]);
      })
      .Case([&](tensor::ExtractSliceOp slice) {
        if (isPerSample(slice.getSource()))
          roles[slice] = SampleRole::PerSample;
        return proveSlice(slice, slice.getSource(), slice);
      })
      .Case([&](tensor::InsertSliceOp slice) {
        roles[slice] = roleOf(slice.getDest());
        return isPerSample(slice.getSource()) == isPerSample(slice.getDest()) &&
               proveSlice(slice, slice.getDest(), slice.getSource());
      })
      .Default([&](Operation *other) {
        // All other operations may use shared values only.
        WalkResult result = other->walk([&](Operation *inside) {
          return llvm::any_of(inside->getOperands(), [&](Value value) { return roleOf(value) != SampleRole::Shared; })
                     ? WalkResult::interrupt()
                     : WalkResult::advance();
        });
        return !result.wasInterrupted();
      });
}

bool BatchProof::proveTask(task::DefOp def) {
  auto dimsOf = [&](onnx::DimsAttr exprs, Type type) {
    return exprs ? onnx::getDims(cast<RankedTensorType>(type), exprs) : onnx::DimList();
  };
  auto roleOfDims = [&](onnx::DimsAttr exprs, Type type) { return roleOf(ArrayRef<Dim>(dimsOf(exprs, type))); };
  StringRef attribute = task::TaskDialect::getDimsName();
  Block &body = def.getBody().front();
  rowsPerSample = 1;
  for (auto [number, value] : llvm::enumerate(body.getTerminator()->getOperands())) {
    onnx::DimList dims = dimsOf(def.getResultAttrOfType<onnx::DimsAttr>(number, attribute), value.getType());
    if (roleOf(ArrayRef<Dim>(dims)) != SampleRole::PerSample)
      continue;
    Dim rows = exactDivDims(dims.front(), symbol);
    rowsPerSample = std::max(rowsPerSample, rows.isStatic() ? rows.getSize() : estimatedSize);
  }
  for (BlockArgument argument : body.getArguments()) {
    roles[argument] =
        roleOfDims(def.getArgAttrOfType<onnx::DimsAttr>(argument.getArgNumber(), attribute), argument.getType());
    if (roles[argument] == SampleRole::Mixed)
      return false;
  }
  for (Operation &op : body.without_terminator()) {
    if (!proveOperation(op))
      return false;
    // What another operation makes of such a number is not followed.
    if (llvm::any_of(op.getOperands(), [&](Value value) { return counts.contains(value); }))
      return false;
  }
  for (auto [number, value] : llvm::enumerate(body.getTerminator()->getOperands()))
    if (roleOf(value) != roleOfDims(def.getResultAttrOfType<onnx::DimsAttr>(number, attribute), value.getType()))
      return false;
  return true;
}

/// Whether all values of @main have a role, and all views between tasks keep the samples outermost.
bool BatchProof::proveMain(func::FuncOp main) {
  auto isFine = [&](Value value) { return roleOf(value.getType()) != SampleRole::Mixed; };
  if (!llvm::all_of(main.getArguments(), isFine))
    return false;
  // With zero samples a shared result would not be written.
  if (llvm::any_of(main.getResultTypes(), [&](Type type) { return roleOf(type) != SampleRole::PerSample; }))
    return false;
  for (Operation &op : main.getBody().front()) {
    if (!llvm::all_of(op.getResults(), isFine))
      return false;
    if (isa<task::PrefixOp, task::LoopOp, task::ChooseOp, task::UpdateOp>(
            op)) // what is counted belongs to all samples, and so do loops, branches and caches
      return false;
    if (auto view = dyn_cast<task::ViewOp>(op))
      if (roleOf(view.getInput().getType()) != roleOf(view.getOutput().getType()))
        return false;
  }
  return true;
}

/// Finds the results that are computed from the number of samples. Returns false if one of them has samples.
bool BatchProof::followCounts(task::CallOp call) {
  auto def = SymbolTable::lookupNearestSymbolFrom<task::DefOp>(call, call.getCalleeAttr());
  Block &body = def.getBody().front();
  // The name of a dimension states what an operand without uses did.
  bool isUsed = llvm::any_of(llvm::zip_equal(call.getInputs(), body.getArguments()), [&](auto pair) {
    return counts.contains(std::get<0>(pair)) && !std::get<1>(pair).use_empty();
  });
  for (auto [result, value] : llvm::zip_equal(call.getResults(), body.getTerminator()->getOperands()))
    if (isUsed || counts.contains(value)) {
      if (roleOf(result.getType()) != SampleRole::Shared)
        return false;
      counts.insert(result);
    }
  return true;
}

/// Whether no sample is computed from the number of samples.
bool BatchProof::proveCounts(func::FuncOp main) {
  for (Operation &op : main.getBody().front()) {
    if (auto call = dyn_cast<task::CallOp>(op)) {
      if (!followCounts(call))
        return false;
    } else if (llvm::any_of(op.getOperands(), [&](Value value) { return counts.contains(value); })) {
      if (!isa<task::ViewOp>(op))
        return false;
      counts.insert_range(op.getResults());
    }
  }
  return true;
}

bool BatchProof::holds(ModuleOp module, func::FuncOp main) {
  return proveMain(main) &&
         llvm::all_of(module.getOps<task::DefOp>(), [&](task::DefOp def) { return proveTask(def); }) &&
         proveCounts(main);
}

} // namespace cameo::lower
