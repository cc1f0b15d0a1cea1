#include "passes/Schedule/Emission/Gpu/EmitTile.h"

#include "passes/Schedule/Emission/Gpu/BlockTileNest.h"
#include "passes/Schedule/Emission/Gpu/GroupShape.h"
#include "passes/Schedule/Emission/Gpu/Mma/WgmmaTileNest.h"

using namespace mlir;

namespace cameo::schedule {

std::unique_ptr<MmaTileNest> makeTensorTile(OpBuilder &builder, ScheduledNest of, ArrayRef<Value> buffers,
                                            ArrayRef<Value> memory, SplitParts parts, const EarlyBuffers *early) {
  if (of.threads.tensor->kind == TensorKind::Wgmma)
    return std::make_unique<WgmmaTileNest>(builder, of.nest, of.loops, of.threads, buffers, memory, parts, early);
  return std::make_unique<MmaTileNest>(builder, of.nest, of.loops, of.threads, buffers, memory, parts, early);
}

void emitTile(OpBuilder &builder, ScheduledNest of, ArrayRef<Value> buffers, KernelMemory &kernelMemory,
              SplitParts parts, const EarlyBuffers *early, Value block, Value thread, const Pool *pool) {
  BlockTile tile = tileOf(of.nest, of.loops, of.threads);
  size_t operands = cachedLoads(of.nest, of.threads).size();
  SmallVector<Value> memory;
  for (auto [number, type] : llvm::enumerate(tileMemory(of.nest, of.threads, tile)))
    memory.push_back(
        kernelMemory.takeTile(type.getElementType(), tile.usesGroups && number < operands ? atomBytes : rowAlignment));
  if (!of.threads.tensor)
    return BlockTileNest(builder, of.nest, of.loops, of.threads, buffers, memory, parts, early).emit(block, thread);
  std::unique_ptr<MmaTileNest> product = makeTensorTile(builder, of, buffers, memory, parts, early);
  if (pool)
    product->setPool(*pool);
  product->emit(block, thread);
}

} // namespace cameo::schedule
