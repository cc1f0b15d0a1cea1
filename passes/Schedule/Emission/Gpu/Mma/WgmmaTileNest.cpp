#include "passes/Schedule/Emission/Gpu/Mma/WgmmaTileNest.h"

#include "dialects/Target/GpuMachine.h"
#include "passes/Schedule/Emission/Gpu/Pointers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace cameo::schedule {

/// The rows of an atom of a matrix, which are rows of 16 bytes of the matrices that ldmatrix reads.
static constexpr int64_t atomRows = matrixSide;
/// The bytes of a row of a window.
static constexpr int64_t vectorBytes = 16;

/// Returns the offset of the first of the 64 rows of `group` in a window, the first one of a warp.
Value WgmmaTileNest::offsetInWindow(Value group) {
  const SharedLayout &layout = operandOf(contraction.left).getLayout();
  Value offset = constant(0), warp = arith::MulIOp::create(builder, nest.loc, group, constant(groupWarps));
  for (unsigned dim : llvm::reverse(tile.threadOrder)) {
    const TiledDimension &tiled = tile.dims[dim];
    Value along = arith::MulIOp::create(builder, nest.loc, remainder(warp, tiled.threads()),
                                        constant(tiled.thread * layout.strides[dim]));
    offset = arith::AddIOp::create(builder, nest.loc, offset, along);
    warp = divide(warp, tiled.threads());
  }
  return offset;
}

/// The left operand begins at the 64 rows of the thread's warps.
void WgmmaTileNest::prepareOperands() {
  auto beginOf = [&](NodeId load, Value offset) {
    SharedOperand &operand = operandOf(load);
    return pointerTo(builder, nest.loc, operand.getMemory(), offset, bytesOf(nest.nodes[load].type),
                     NVVM::NVVMMemorySpace::Shared);
  };
  const SharedLayout &layout = operandOf(contraction.left).getLayout();
  int64_t apart = layout.isDepthInner ? wgmmaRows * layout.panel : layout.panelElements();
  Value group = divide(place.thread, groupWarps * GpuMachine::warpThreads);
  leftBegin =
      beginOf(contraction.left, layout.isWindow ? offsetInWindow(group)
                                                : arith::MulIOp::create(builder, nest.loc, group, constant(apart)));
  rightBegin = beginOf(contraction.right, constant(0));
}

/// Copies write as loads and stores do, and the matrix unit reads shared memory on another way.
void WgmmaTileNest::publishCopies() {
  NVVM::FenceProxyOp::create(builder, nest.loc,
                             NVVM::ProxyKindAttr::get(builder.getContext(), NVVM::ProxyKind::async_shared),
                             NVVM::SharedSpaceAttr::get(builder.getContext(), NVVM::SharedSpace::shared_cta));
}

/// Returns how the matrix for the steps from `step` on lies in shared memory, from the first row of its points on.
task::GroupMatrix WgmmaTileNest::matrixOf(const SharedOperand &operand, int64_t step) const {
  const SharedLayout &layout = operand.getLayout();
  int64_t bytes = bytesOf(nest.nodes[operand.getNode()].type), row = layout.panel * bytes, atom = atomRows * row,
          panel = layout.panelElements() * bytes, offset = step * row;
  if (layout.isWindow) {
    int64_t tap = step / layout.stepsOfTap, within = step % layout.stepsOfTap, vector = vectorBytes / bytes;
    offset = layout.taps[tap] + within / vector * layout.vectorStride;
    return {offset * bytes, vectorBytes, layout.atomStride * bytes, layout.vectorStride * bytes, /*isTurned=*/false};
  }
  // Rows along the depth that are longer than those of a panel go on in the next one.
  if (layout.isDepthInner)
    offset = step / layout.panel * panel + step % layout.panel * bytes;
  return {offset, row, atom, layout.hasPanels() ? panel : 0, /*isTurned=*/!layout.isDepthInner};
}

Value WgmmaTileNest::pointerOf(SharedOperand &operand, Value begin, Value read) {
  return pointerBehind(builder, nest.loc, begin, offsetOf(operand, read), /*further=*/0);
}

TileNest::Values WgmmaTileNest::startStep(Values sums, Value read) {
  SharedOperand &left = operandOf(contraction.left), &right = operandOf(contraction.right);
  Value leftAt = pointerOf(left, leftBegin, read), rightAt = pointerOf(right, rightBegin, read);
  Type element = nest.nodes[contraction.left].type;
  NVVM::WgmmaFenceAlignedOp::create(builder, nest.loc);
  for (int64_t step = 0; step < stepsOfDepth(); step += gpuSchedule.tensor->depth)
    llvm::copy(task::MultiplyGroupOp::create(builder, nest.loc, ValueRange(sums).getTypes(), leftAt,
                                             matrixOf(left, step).numbers(), rightAt, matrixOf(right, step).numbers(),
                                             sums, element)
                   .getResults(),
               sums.begin());
  NVVM::WgmmaGroupSyncAlignedOp::create(builder, nest.loc);
  return sums;
}

TileNest::Values WgmmaTileNest::finishStep(Values sums, Value) {
  task::AwaitProductsOp::create(builder, nest.loc, TypeRange(), /*pending=*/wgmmaStagesRead - 1, ValueRange());
  return sums;
}

TileNest::Values WgmmaTileNest::finishSteps(Values sums) {
  auto awaited = task::AwaitProductsOp::create(builder, nest.loc, ValueRange(sums).getTypes(), /*pending=*/0, sums);
  return Values(awaited.getResults());
}

} // namespace cameo::schedule
