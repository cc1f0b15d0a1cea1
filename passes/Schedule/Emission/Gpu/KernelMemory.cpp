#include "passes/Schedule/Emission/Gpu/KernelMemory.h"

#include "passes/Schedule/Emission/Gpu/SharedReduction.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {

void TileSizes::add(ArrayRef<MemRefType> tilesOfPiece) {
  llvm::DenseMap<Type, size_t> counts;
  for (MemRefType tile : tilesOfPiece) {
    SmallVector<int64_t> &elements = most[tile.getElementType()];
    size_t number = counts[tile.getElementType()]++;
    if (number == elements.size())
      elements.push_back(0);
    elements[number] = std::max(elements[number], tile.getNumElements());
  }
}

int64_t TileSizes::bytes() const {
  int64_t bytes = 0;
  for (const auto &[type, elements] : most)
    for (int64_t count : elements)
      bytes += llvm::alignTo(count * bytesOf(type), rowAlignment);
  return bytes;
}

void KernelMemory::beginKernel(func::FuncOp kernel, int64_t threads, TileSizes sizes) {
  this->kernel = kernel;
  tileSizes = std::move(sizes);
  this->threads = threads;
  count = 0;
  exchanged.clear();
  tiles.clear();
  takenTiles.clear();
}

Value KernelMemory::create(int64_t elements, Type type, int64_t alignment) {
  MemRefType memory = sharedMemoryType(type, elements);
  OpBuilder::InsertionGuard guard(builder);
  memref::GlobalOp global;
  {
    OpBuilder::InsertionGuard inner(builder);
    builder.setInsertionPoint(kernel);
    std::string name = (kernel.getSymName() + ".shared" + llvm::Twine(count++)).str();
    global = memref::GlobalOp::create(builder, kernel.getLoc(), name, builder.getStringAttr("private"), memory,
                                      builder.getUnitAttr(), /*constant=*/false, builder.getI64IntegerAttr(alignment));
  }
  return memref::GetGlobalOp::create(builder, kernel.getLoc(), memory, global.getSymName());
}

Value KernelMemory::createAtBegin(int64_t elements, Type type, int64_t alignment) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&kernel.getBody().front());
  return create(elements, type, alignment);
}

SmallVector<Value> KernelMemory::ofReductions(const LoopNest &nest) {
  SmallVector<Value> values;
  for (auto [number, reduction] : llvm::enumerate(nest.reductions)) {
    Type type = nest.nodes[reduction.update].type;
    Value &memory = exchanged[std::pair(number, type)];
    if (!memory)
      memory = createAtBegin(threads, type, rowAlignment);
    values.push_back(memory);
  }
  return values;
}

Value KernelMemory::takeTile(Type type, int64_t alignment) {
  SmallVector<Value> &all = tiles[type];
  size_t number = takenTiles[type]++;
  if (number == all.size())
    all.push_back(createAtBegin(tileSizes.elementsOf(type, number), type, alignment));
  auto symbol = cast<memref::GetGlobalOp>(all[number].getDefiningOp()).getNameAttr();
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(kernel, symbol);
  global.setAlignment(std::max<uint64_t>(*global.getAlignment(), alignment));
  return all[number];
}

} // namespace cameo::schedule
