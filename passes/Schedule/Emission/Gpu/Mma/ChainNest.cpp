#include "passes/Schedule/Emission/Gpu/Mma/ChainNest.h"

#include "passes/Schedule/Emission/Gpu/EmitTile.h"
#include "passes/Schedule/Emission/Gpu/GroupShape.h"
#include "passes/Schedule/Emission/Gpu/KeptRows.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/Gpu/PointVectors.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;

namespace cameo::schedule {

/// Those of a product.
static constexpr size_t operandCount = 2;

ChainNest::ChainNest(OpBuilder &builder, ArrayRef<Chain> chains, const ChainSchedules &schedules,
                     ArrayRef<Value> buffers, const EarlyBuffers *early)
    : builder(builder), chains(chains), schedules(schedules), buffers(buffers), early(early) {
  for (auto [product, schedule] : llvm::enumerate(schedules))
    tiles.push_back(tileOf(nestOf(product), *schedule.loops, *schedule.threads));
}

int64_t ChainNest::sums() const {
  return llvm::max_element(tiles, [](const BlockTile &a, const BlockTile &b) { return a.points < b.points; })->points;
}

int64_t ChainNest::products() const {
  int64_t all = 0;
  for (auto [product, tile] : llvm::enumerate(tiles))
    all += partsOf(product) * productsOf(nestOf(product), tile);
  return all;
}

/// Returns which operand of the first product has most memory: the right ones of the others lie over it.
size_t ChainNest::largestOperand() const {
  SmallVector<NodeId> loads = cachedLoads(nestOf(0), threadsOf(0));
  return llvm::find(loads, largestMemory(nestOf(0), threadsOf(0), tiles[0]).first) - loads.begin();
}

/// Returns the number of the memory in which `product` keeps its rows: own memory behind the operands of the first
/// product, or that of its smaller operand.
size_t ChainNest::rowsPlace(size_t product) const { return product == 0 ? operandCount : 1 - largestOperand(); }

/// The operands of the first product, its kept rows, and the vectors of each part of each product.
SmallVector<MemRefType> ChainNest::memory() const {
  SmallVector<MemRefType> types = tileMemory(nestOf(0), threadsOf(0), tiles[0]), vectors;
  vectors.append(types.begin() + operandCount, types.end());
  types.truncate(operandCount);
  types.resize(operandCount + 1);
  auto enlarge = [&](size_t place, MemRefType type) {
    if (!types[place] || type.getNumElements() > types[place].getNumElements())
      types[place] = type;
  };
  for (auto [number, chain] : llvm::enumerate(chains)) {
    size_t product = number + 1;
    SmallVector<MemRefType> own = tileMemory(nestOf(product), threadsOf(product), tiles[product]);
    SmallVector<NodeId> loads = cachedLoads(nestOf(product), threadsOf(product));
    auto operandOf = [&](NodeId load) { return own[llvm::find(loads, load) - loads.begin()]; };
    enlarge(largestOperand(), operandOf(chain.right));
    enlarge(rowsPlace(number), operandOf(chain.left));
    for (int64_t part = 0; part < partsOf(product); ++part)
      vectors.append(own.begin() + loads.size(), own.end());
  }
  llvm::append_range(types, vectors);
  return types;
}

/// Returns the memory of the tile of each part of each product: operands and vectors.
SmallVector<ChainNest::Memory> ChainNest::takeMemory(KernelMemory &kernelMemory) const {
  Memory all;
  for (auto [number, type] : llvm::enumerate(memory()))
    all.push_back(kernelMemory.takeTile(type.getElementType(), number <= operandCount ? atomBytes : rowAlignment));
  ArrayRef<Value> vectors = ArrayRef(all).drop_front(operandCount + 1);
  SmallVector<Memory> ofParts;
  for (auto [product, tile] : llvm::enumerate(tiles)) {
    size_t count = pointVectors(nestOf(product), threadsOf(product), tile).size();
    for (int64_t part = 0; part < partsOf(product); ++part) {
      Memory &own = ofParts.emplace_back();
      if (product == 0)
        llvm::append_range(own, ArrayRef(all).take_front(operandCount));
      else
        for (NodeId load : cachedLoads(nestOf(product), threadsOf(product)))
          own.push_back(all[load == chains[product - 1].left ? rowsPlace(product - 1) : largestOperand()]);
      llvm::append_range(own, vectors.take_front(count));
      vectors = vectors.drop_front(count);
    }
  }
  return ofParts;
}

std::unique_ptr<MmaTileNest> ChainNest::makeTile(size_t product, ArrayRef<Value> memory) {
  return makeTensorTile(builder, {nestOf(product), *schedules[product].loops, threadsOf(product)}, buffers, memory,
                        SplitParts(), product == 0 ? early : nullptr);
}

/// Sums of a product become results while the copies for the next one are under way. A barrier comes before these, as
/// other threads may still read the operands that are overwritten.
void ChainNest::emit(Value block, Value thread, KernelMemory &kernelMemory) {
  Location loc = nestOf(chains.size()).loc;
  SmallVector<Memory> ofParts = takeMemory(kernelMemory);
  ArrayRef<Memory> left = ofParts;
  std::unique_ptr<MmaTileNest> before = makeTile(0, left.consume_front());
  before->begin(block, thread);
  TileNest::Values sums = before->emitSums();
  std::optional<KeptRows> rows;
  auto keepRows = [&](size_t product, int64_t part) {
    rows.reset();
    if (product == chains.size())
      return;
    // The left operand of the next product.
    SmallVector<NodeId> loads = cachedLoads(nestOf(product + 1), threadsOf(product + 1));
    Value memory =
        left.drop_front(partsOf(product) - 1 - part).front()[llvm::find(loads, chains[product].left) - loads.begin()];
    rows.emplace(builder, chains[product], tiles[product], tiles[product + 1], before->getPositions(), memory, part);
  };
  keepRows(0, 0);
  bool isStored = this->isStored(0);
  for (size_t product = 1; product < tiles.size(); ++product)
    for (int64_t part = 0; part < partsOf(product); ++part) {
      std::unique_ptr<MmaTileNest> next = makeTile(product, left.consume_front());
      gpu::BarrierOp::create(builder, loc);
      Value count = arith::ConstantIndexOp::create(builder, loc, partsOf(product)),
            number = arith::ConstantIndexOp::create(builder, loc, part);
      next->begin(arith::AddIOp::create(builder, loc, arith::MulIOp::create(builder, loc, block, count), number),
                  thread);
      next->startCopies();
      before->emitResults(sums, rows ? &*rows : nullptr, isStored);
      sums = next->multiplyKept();
      before = std::move(next);
      keepRows(product, part);
      isStored = this->isStored(product);
    }
  before->emitResults(sums);
}

} // namespace cameo::schedule
