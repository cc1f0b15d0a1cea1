#include "passes/Schedule/Emission/Gpu/KernelMemory.h"

#include "passes/Schedule/Emission/Gpu/SharedReduction.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;

namespace cameo::schedule {

void KernelMemory::beginKernel(func::FuncOp kernel, int64_t threads) {
  this->kernel = kernel;
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

Value KernelMemory::takeTile(MemRefType type, int64_t alignment) {
  SmallVector<Value> &all = tiles[{type, alignment}];
  size_t number = takenTiles[{type, alignment}]++;
  if (number == all.size())
    all.push_back(createAtBegin(type.getNumElements(), type.getElementType(), alignment));
  return all[number];
}

} // namespace cameo::schedule
