#include "passes/Schedule/Emission/Gpu/Mma/ChainNest.h"

#include "passes/Schedule/Emission/Gpu/EmitTile.h"
#include "passes/Schedule/Emission/Gpu/GroupShape.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/Gpu/PointVectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;

namespace cameo::schedule {

ChainNest::ChainNest(OpBuilder &builder, const Chain &chain, const ChainSchedules &schedules, ArrayRef<Value> buffers,
                     const EarlyBuffers *early)
    : builder(builder), chain(chain), schedules(schedules), buffers(buffers), early(early),
      first(tileOf(*chain.first, schedules.firstLoops, schedules.firstThreads)),
      second(tileOf(*chain.second, schedules.secondLoops, schedules.secondThreads)) {}

int64_t ChainNest::products() const {
  return productsOf(*chain.first, first) + parts() * productsOf(*chain.second, second);
}

/// Returns which operand of the first product has most memory: the right one of the second product lies over it.
size_t ChainNest::largestOperand() const {
  SmallVector<NodeId> loads = cachedLoads(*chain.first, schedules.firstThreads);
  return llvm::find(loads, largestMemory(*chain.first, schedules.firstThreads, first).first) - loads.begin();
}

/// The operands of the first product, the kept rows, and the vectors of the first product and of each part of the
/// second one.
SmallVector<MemRefType> ChainNest::memory() const {
  SmallVector<MemRefType> ofFirst = tileMemory(*chain.first, schedules.firstThreads, first),
                          ofSecond = tileMemory(*chain.second, schedules.secondThreads, second);
  SmallVector<NodeId> loads = cachedLoads(*chain.second, schedules.secondThreads);
  auto operandOf = [&](NodeId load) { return ofSecond[llvm::find(loads, load) - loads.begin()]; };
  size_t operands = cachedLoads(*chain.first, schedules.firstThreads).size();
  MemRefType &under = ofFirst[largestOperand()], over = operandOf(chain.right);
  if (over.getNumElements() > under.getNumElements())
    under = over;
  ofFirst.insert(ofFirst.begin() + operands, operandOf(chain.left));
  for (int64_t part = 0; part < parts(); ++part)
    ofFirst.append(ofSecond.begin() + loads.size(), ofSecond.end());
  return ofFirst;
}

/// Sums of a product become results while the copies for the next one are under way. A barrier comes before these, as
/// other threads may still read the operands that are overwritten.
void ChainNest::emit(Value block, Value thread, KernelMemory &kernelMemory) {
  Location loc = chain.second->loc;
  SmallVector<MemRefType> types = memory();
  size_t operands = cachedLoads(*chain.first, schedules.firstThreads).size(),
         vectors = pointVectors(*chain.first, schedules.firstThreads, first).size(),
         vectorsOfPart = pointVectors(*chain.second, schedules.secondThreads, second).size();
  Memory all;
  for (auto [number, type] : llvm::enumerate(types))
    all.push_back(kernelMemory.takeTile(type.getElementType(), number <= operands ? atomBytes : rowAlignment));
  Value under = all[largestOperand()], kept = all[operands];
  Memory ofFirst(all);
  ofFirst.erase(ofFirst.begin() + operands);
  ofFirst.truncate(operands + vectors);
  std::unique_ptr<MmaTileNest> before = makeTensorTile(
      builder, {*chain.first, schedules.firstLoops, schedules.firstThreads}, buffers, ofFirst, SplitParts(), early);
  before->begin(block, thread);
  TileNest::Values sums = before->emitSums();
  KeptRows rows(builder, chain, first, second, before->getPositions(), kept);
  std::vector<Memory> ofParts;
  ofParts.reserve(parts());
  for (int64_t part = 0; part < parts(); ++part) {
    Memory &own = ofParts.emplace_back();
    for (NodeId load : cachedLoads(*chain.second, schedules.secondThreads))
      own.push_back(load == chain.left ? kept : under);
    llvm::append_range(own, ArrayRef(all).slice(operands + 1 + vectors + part * vectorsOfPart, vectorsOfPart));
    std::unique_ptr<MmaTileNest> next =
        makeTensorTile(builder, {*chain.second, schedules.secondLoops, schedules.secondThreads}, buffers, own,
                       SplitParts(), /*early=*/nullptr);
    gpu::BarrierOp::create(builder, loc);
    Value count = arith::ConstantIndexOp::create(builder, loc, parts()),
          number = arith::ConstantIndexOp::create(builder, loc, part);
    next->begin(arith::AddIOp::create(builder, loc, arith::MulIOp::create(builder, loc, block, count), number), thread);
    next->startCopies();
    before->emitResults(sums, part == 0 ? &rows : nullptr, part > 0 || chain.isStored);
    sums = next->multiplyKept();
    before = std::move(next);
  }
  before->emitResults(sums);
}

} // namespace cameo::schedule
