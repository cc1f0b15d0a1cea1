// Data that only one row reads come from memory, and a nest that reads them without products cannot hide the latency.
// So all nests of the previous row prefetch them, a few lines at each point of their outer loops.
#include "passes/Schedule/Emission/Cpu/NestEmitter.h"
#include "passes/Schedule/Rules/CacheModel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {

static int64_t lineElements(Value memory) {
  return lineBytes / (cast<MemRefType>(memory.getType()).getElementTypeBitWidth() / 8);
}

void NestEmitter::fetchBeside(const RowFetch &fetch) {
  rowFetch = fetch;
  int64_t lines = llvm::divideCeil(fetch.elements, lineElements(buffers[fetch.buffer])), points = 1;
  for (const Loop &loop : ArrayRef(schedule.loops).take_front(parallelDepth)) {
    const Dimension &dim = nest.dims[loop.dim];
    if (dim.reduction || loop.size != 1 || !dim.extent.isKnown() || points * int64_t(dim.extent) > lines)
      break;
    points *= int64_t(dim.extent);
    ++fetchDepth;
  }
}

/// Emits the share of the current point of the outer loops.
void NestEmitter::fetchShare() {
  Value memory = buffers[rowFetch->buffer];
  int64_t line = lineElements(memory), points = 1;
  LinearForm before(nest.dims.size());
  for (unsigned level = fetchDepth; level-- > 0;) {
    unsigned dim = schedule.loops[level].dim;
    before.coefficients[dim] = points;
    points *= int64_t(nest.dims[dim].extent);
  }
  int64_t perPoint = llvm::alignTo(llvm::divideCeil(rowFetch->elements, points), line);
  for (Size &coefficient : before.coefficients)
    coefficient *= Size(perPoint);
  Value first = evaluator().address(before, Point(nest.dims.size(), 0), rowFetch->begin);
  auto loop = scf::ForOp::create(builder, loc, constant(0), constant(perPoint), constant(line));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value at = arith::AddIOp::create(builder, loc, first, loop.getInductionVar());
  memref::PrefetchOp::create(builder, loc, memory, at, /*isWrite=*/false, /*localityHint=*/2, /*isDataCache=*/true);
}

} // namespace cameo::schedule
