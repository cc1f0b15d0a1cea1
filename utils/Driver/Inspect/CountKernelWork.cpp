#include "utils/Driver/Inspect/CountKernelWork.h"

#include "dialects/Target/GpuMachine.h"
#include "dialects/Task/TaskClusterOps.h"
#include "dialects/Task/TaskCounterOps.h"
#include "dialects/Task/TaskMatrixOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace cameo;
using namespace mlir;

using Count = std::optional<double>;

static Count times(Count one, Count other) { return one && other ? Count(*one * *other) : std::nullopt; }
static Count plus(Count one, Count other) { return one && other ? Count(*one + *other) : std::nullopt; }

static std::optional<int64_t> constantOf(Value value) { return getConstantIntValue(getAsOpFoldResult(value)); }

/// Returns how many iterations a loop has at most, and the mean of `threads` threads that divide the iterations: such
/// loops begin at the thread's number, and the step is the number of threads. Loops over a part of a sum end a constant
/// number of steps behind their beginning.
static Count tripCountOf(scf::ForOp loop, double threads) {
  std::optional<int64_t> step = constantOf(loop.getStep()), end = constantOf(loop.getUpperBound());
  if (!step)
    return std::nullopt;
  if (auto sum = loop.getUpperBound().getDefiningOp<arith::AddIOp>())
    for (auto [one, other] : {std::pair(sum.getLhs(), sum.getRhs()), std::pair(sum.getRhs(), sum.getLhs())})
      if (std::optional<int64_t> size = constantOf(other); size && one == loop.getLowerBound())
        return static_cast<double>(llvm::divideCeil(*size, *step));
  if (!end)
    return std::nullopt;
  if (loop.getLowerBound().getDefiningOp<gpu::ThreadIdOp>() && static_cast<double>(*step) == threads)
    return static_cast<double>(std::max<int64_t>(0, *end)) / threads;
  int64_t begin = constantOf(loop.getLowerBound()).value_or(0);
  return static_cast<double>(std::max<int64_t>(0, llvm::divideCeil(*end - begin, *step)));
}

/// Returns the share of the iterations of the loop around `branch` that take it, where these are all up to a constant
/// number, as for copies that a loop starts ahead of its end; else 1.
static double shareOf(scf::IfOp branch) {
  auto loop = dyn_cast<scf::ForOp>(branch->getParentOp());
  auto compare = branch.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!loop || !compare || !branch.getElseRegion().empty() ||
      (compare.getPredicate() != arith::CmpIPredicate::slt && compare.getPredicate() != arith::CmpIPredicate::ult))
    return 1;
  // What is compared is the number of the iteration, or of one that many iterations later.
  int64_t ahead = 0;
  Value number = compare.getLhs();
  if (auto later = number.getDefiningOp<arith::AddIOp>(); later && constantOf(later.getRhs())) {
    ahead = *constantOf(later.getRhs());
    number = later.getLhs();
  }
  std::optional<int64_t> begin = constantOf(loop.getLowerBound()), end = constantOf(loop.getUpperBound()),
                         step = constantOf(loop.getStep()), most = constantOf(compare.getRhs());
  if (number != loop.getInductionVar() || begin != 0 || step != 1 || !end || !most || *end <= 0)
    return 1;
  return static_cast<double>(std::clamp<int64_t>(*most - ahead, 0, *end)) / static_cast<double>(*end);
}

/// Returns the size of a type of a value or a vector in bytes; that of an index is 8.
static double bytesOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  Type element = vector ? vector.getElementType() : type;
  double bytes = element.isIntOrFloat() ? llvm::divideCeil(element.getIntOrFloatBitWidth(), 8) : 8;
  return vector ? bytes * static_cast<double>(vector.getNumElements()) : bytes;
}

static double elementsOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? static_cast<double>(vector.getNumElements()) : 1;
}

/// Returns the multiply-adds of a thread in `op`; those of a matrix unit are divided among the threads of a warp.
static double multiplyAddsOf(Operation *op) {
  if (auto product = dyn_cast<NVVM::MmaOp>(op)) {
    NVVM::MMAShapeAttr shape = product.getShapeAttr();
    return static_cast<double>(shape.getM() * shape.getN() * shape.getK()) / GpuMachine::warpThreads;
  }
  constexpr size_t stepsOfGroup = 16;
  if (auto product = dyn_cast<task::MultiplyGroupOp>(op))
    return static_cast<double>(stepsOfGroup * product.getSums().size());
  if (isa<NVVM::DotAccumulate4WayOp>(op))
    return 4;
  if (isa<math::FmaOp, vector::FMAOp>(op))
    return elementsOf(op->getResult(0).getType());
  // LLVM fuses a product and the sum that alone uses it.
  if (auto product = dyn_cast<arith::MulFOp>(op); product && product->hasOneUse())
    if (isa<arith::AddFOp, arith::SubFOp>(*product->user_begin()))
      return elementsOf(product.getType());
  return 0;
}

/// The address and the bytes that a thread accesses in `op`, if it accesses any memory outside of the block's.
static std::optional<std::pair<Value, double>> accessOf(Operation *op) {
  auto of = [](Value memory, Type type) -> std::optional<std::pair<Value, double>> {
    if (cast<MemRefType>(memory.getType()).getMemorySpaceAsInt() != 0)
      return std::nullopt;
    return std::pair(memory, bytesOf(type));
  };
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return of(load.getMemRef(), load.getType());
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return of(store.getMemRef(), store.getValue().getType());
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return of(load.getBase(), load.getVectorType());
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return of(store.getBase(), store.getVectorType());
  if (auto copy = dyn_cast<NVVM::CpAsyncOp>(op))
    return std::pair(Value(copy.getSrc()), static_cast<double>(copy.getSize()));
  return std::nullopt;
}

/// Returns the argument of the kernel that `address` points into, or nothing if it is another memory.
static BlockArgument bufferOf(Value address, Block *entry) {
  SmallVector<Value> left = {address};
  llvm::SmallPtrSet<Value, 16> seen;
  while (!left.empty()) {
    Value value = left.pop_back_val();
    if (!seen.insert(value).second)
      continue;
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      if (argument.getOwner() == entry && isa<MemRefType>(argument.getType()))
        return argument;
      continue;
    }
    // What memory holds is not part of an address.
    if (isa<memref::LoadOp, vector::LoadOp>(value.getDefiningOp()))
      continue;
    llvm::append_range(left, value.getDefiningOp()->getOperands());
  }
  return {};
}

namespace {

class WorkCounter {
public:
  WorkCounter(func::FuncOp kernel, int64_t threads) : entry(&kernel.getBody().front()), threads(threads) {
    for (BlockArgument argument : kernel.getArguments())
      if (isa<MemRefType>(argument.getType()))
        work.buffers.push_back(0);
  }

  void countPieces(Block &block, std::optional<int64_t> blocks);
  KernelWork take() { return std::move(work); }

private:
  void count(Operation &op, Count times);
  std::optional<int64_t> ownBlocks(scf::IfOp branch) const;
  bool isOfLastBlock(scf::IfOp branch) const;
  bool isOfOneBlock(scf::IfOp branch) const;

  Block *entry;
  double threads;
  KernelWork work;
  KernelWork::Piece *piece = nullptr;
};

} // namespace

/// Returns the number of blocks of the first piece where `branch` divides the blocks of a launch among pieces: it
/// compares the number of the block, or what is left of it, with a constant (Emission/Gpu/EmitBlocks).
std::optional<int64_t> WorkCounter::ownBlocks(scf::IfOp branch) const {
  auto compare = branch.getCondition().getDefiningOp<arith::CmpIOp>();
  if (!compare || branch.getElseRegion().empty() || compare.getPredicate() != arith::CmpIPredicate::ult)
    return std::nullopt;
  Value number = compare.getLhs();
  while (auto rest = number.getDefiningOp<arith::SubIOp>())
    number = rest.getLhs();
  return number == entry->getArguments().back() ? constantOf(compare.getRhs()) : std::nullopt;
}

/// Whether only the last block to arrive takes `branch`: the arrival was counted before, and the condition is a flag in
/// shared memory (Emission/Gpu/SplitParts).
bool WorkCounter::isOfLastBlock(scf::IfOp branch) const {
  auto compare = branch.getCondition().getDefiningOp<arith::CmpIOp>();
  auto flag = compare ? compare.getLhs().getDefiningOp<memref::LoadOp>() : memref::LoadOp();
  return piece->parts > 1 && flag && flag.getMemRefType().getMemorySpaceAsInt() != 0;
}

/// Whether only one block of a cluster takes `branch`: it has met the others before, and the condition compares its
/// number among them with a constant (Emission/Gpu/TileNest).
bool WorkCounter::isOfOneBlock(scf::IfOp branch) const {
  auto compare = branch.getCondition().getDefiningOp<arith::CmpIOp>();
  auto number = compare ? compare.getLhs().getDefiningOp<arith::RemUIOp>() : arith::RemUIOp();
  return piece->parts > 1 && number && compare.getPredicate() == arith::CmpIPredicate::eq &&
         constantOf(number.getRhs()) == piece->parts && constantOf(compare.getRhs());
}

/// Counts the piece or pieces in `block`, a body for `blocks` blocks.
void WorkCounter::countPieces(Block &block, std::optional<int64_t> blocks) {
  for (Operation &op : block)
    if (auto branch = dyn_cast<scf::IfOp>(op))
      if (std::optional<int64_t> own = ownBlocks(branch)) {
        countPieces(branch.getThenRegion().front(), own);
        countPieces(branch.getElseRegion().front(), blocks ? std::optional(*blocks - *own) : std::nullopt);
        return;
      }
  piece = &work.pieces.emplace_back(KernelWork::Piece{blocks, 0, 0, 1});
  for (Operation &op : block)
    count(op, threads);
}

/// Counts `op`, which the threads of a block together execute `executions` times.
void WorkCounter::count(Operation &op, Count executions) {
  if (double products = multiplyAddsOf(&op); products > 0)
    piece->multiplyAdds = plus(piece->multiplyAdds, times(executions, products));
  if (auto access = accessOf(&op)) {
    Count bytes = times(executions, access->second);
    piece->accessedBytes = plus(piece->accessedBytes, bytes);
    Count blocks = piece->blocks ? Count(static_cast<double>(*piece->blocks)) : std::nullopt;
    if (BlockArgument buffer = bufferOf(access->first, entry))
      work.buffers[buffer.getArgNumber()] = plus(work.buffers[buffer.getArgNumber()], times(bytes, blocks));
  }
  if (auto loop = dyn_cast<scf::ForOp>(op))
    executions = times(executions, tripCountOf(loop, threads));
  else if (isa<LoopLikeOpInterface>(op))
    executions = std::nullopt;
  else if (auto arrival = dyn_cast<task::ArriveOp>(op))
    piece->parts = arrival.getCount();
  else if (auto meeting = dyn_cast<task::MeetClusterOp>(op))
    piece->parts = meeting.getCount();
  else if (auto branch = dyn_cast<scf::IfOp>(op); branch && (isOfLastBlock(branch) || isOfOneBlock(branch)))
    executions = times(executions, 1 / static_cast<double>(piece->parts));
  else if (branch)
    executions = times(executions, shareOf(branch));
  for (Region &region : op.getRegions())
    for (Operation &inner : region.getOps())
      count(inner, executions);
}

KernelWork cameo::countKernelWork(func::FuncOp kernel, int64_t threads, std::optional<int64_t> blocks) {
  WorkCounter counter(kernel, threads);
  counter.countPieces(kernel.getBody().front(), blocks);
  return counter.take();
}
