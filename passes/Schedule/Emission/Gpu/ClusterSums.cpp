#include "passes/Schedule/Emission/Gpu/ClusterSums.h"

#include "dialects/Task/TaskClusterOps.h"
#include "passes/Schedule/Emission/Gpu/Pointers.h"
#include "passes/Schedule/Nests/Combiner.h"
#include "passes/Schedule/Rules/DefaultSchedule.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace cameo::schedule {

constexpr int64_t vectorBytes = exchangedSums * 4;

/// Vectors of the threads lie side by side.
ClusterSums::ClusterSums(OpBuilder &builder, const LoopNest &nest, Value memory, int64_t blocks, Value thread,
                         int64_t threads, ArrayRef<Value> sums)
    : builder(builder), nest(nest), blocks(blocks), threads(threads), sums(sums) {
  int64_t bytes = bytesOf(cast<MemRefType>(memory.getType()).getElementType());
  Value apart = arith::ConstantIndexOp::create(builder, nest.loc, vectorBytes / bytes),
        first = arith::MulIOp::create(builder, nest.loc, thread, apart);
  begin = pointerTo(builder, nest.loc, memory, first, bytes, NVVM::NVVMMemorySpace::Shared);
}

void ClusterSums::publish() {
  gpu::BarrierOp::create(builder, nest.loc);
  auto type = VectorType::get({exchangedSums}, sums[0].getType());
  for (size_t first = 0; first < sums.size(); first += exchangedSums) {
    Value vector = vector::FromElementsOp::create(builder, nest.loc, type, sums.slice(first, exchangedSums));
    Value at = pointerBehind(builder, nest.loc, begin, Value(), static_cast<int64_t>(first) * threads * 4);
    LLVM::StoreOp::create(builder, nest.loc, vector, at, /*alignment=*/vectorBytes);
  }
  task::MeetClusterOp::create(builder, nest.loc, blocks);
}

size_t ClusterSums::firstOf(int64_t block) const {
  return sums.size() / exchangedSums * block / blocks * exchangedSums;
}

/// All parts are read before the first one is added, so that the reads overlap.
SmallVector<Value> ClusterSums::add(int64_t block, ArrayRef<Value> initial) {
  size_t first = firstOf(block);
  auto type = VectorType::get({exchangedSums}, sums[0].getType());
  std::vector<SmallVector<Value>> parts(blocks);
  for (int64_t other = 0; other < blocks; ++other) {
    if (other == block) {
      parts[other] = SmallVector<Value>(sums.slice(first, initial.size()));
      continue;
    }
    Value number = arith::ConstantIntOp::create(builder, nest.loc, other, 32);
    for (size_t sum = first; sum < first + initial.size(); sum += exchangedSums) {
      Value at = pointerBehind(builder, nest.loc, begin, Value(), static_cast<int64_t>(sum) * threads * 4),
            vector = task::ReadNeighbourOp::create(builder, nest.loc, type, at, number);
      for (int64_t lane = 0; lane < exchangedSums; ++lane)
        parts[other].push_back(vector::ExtractOp::create(builder, nest.loc, vector, lane));
    }
  }
  SmallVector<Value> added(initial);
  for (const SmallVector<Value> &part : parts)
    for (auto [sum, term] : llvm::zip_equal(added, part))
      sum = vector::makeArithReduction(builder, nest.loc, matchCombiner(nest, 0)->kind, sum, term);
  return added;
}

void ClusterSums::leave() { task::MeetClusterOp::create(builder, nest.loc, blocks); }

} // namespace cameo::schedule
