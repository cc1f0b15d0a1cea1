#include "passes/Schedule/Emission/Gpu/EmitBlocks.h"

#include "dialects/Target/GpuMachine.h"
#include "passes/Schedule/Emission/Gpu/SharedReduction.h"
#include "passes/Schedule/Emission/Shared/TaskBody.h"
#include "passes/Schedule/Nests/InplaceResults.h"
#include "passes/Schedule/Nests/TensorSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

/// Threads of a block whose neighbours compute other points of the same nest: several blocks fit a multiprocessor, whatever registers they need.
constexpr int64_t gridThreads = 128;
/// The most threads of a block that has rows of its own.
constexpr int64_t rowThreads = 256;
/// A reduction of so many steps, or of so many where each of few points could have a thread, is worth the barriers at its end.
constexpr int64_t fewestSteps = 64, fewestAloneSteps = 256, mostAlonePoints = 1024;
/// Rows in memory begin at so many bytes.
constexpr int64_t rowAlignment = 64;

class TaskEmitter {
public:
  TaskEmitter(task::DefOp def, const TaskProgram &program) : def(def), program(program), builder(def.getContext()) {}

  void run();

private:
  Launch emitKernel(const NestGroup &group, unsigned number);
  func::FuncOp createKernel(const NestGroup &group, unsigned number, ArrayRef<unsigned> passed);
  void placeRows(const NestGroup &group, ArrayRef<unsigned> used);
  bool isUnshared(const Buffer &buffer) const;
  SmallVector<Value> memoryOf(ArrayRef<unsigned> used, ArrayRef<unsigned> passed, Block::BlockArgListType arguments);
  SmallVector<Value> sharedMemoryOf(const LoopNest &nest);
  void emitGroup(const NestGroup &group, ArrayRef<Value> values, Value block);
  void emitNests(const NestGroup &group, ArrayRef<Value> values, ArrayRef<Value> rows);

  task::DefOp def;
  const TaskProgram &program;
  OpBuilder builder;
  /// Of each argument, the result that may be written over it.
  SmallVector<std::optional<unsigned>> inplaceResults;
  /// Row-local buffers: elements from the row of one block to that of the next, and of all.
  struct Rows {
    Size apart, elements;
  };
  std::map<unsigned, Rows> rowsInMemory;
  std::map<unsigned, memref::GlobalOp> tables;
  func::FuncOp kernel; ///< the one that is being written
  int64_t threads = 0; ///< of its blocks
  llvm::DenseMap<std::pair<size_t, Type>, memref::GlobalOp> sharedMemory; ///< of its blocks, by number and type of a reduction
};

/// Whether the points of the only nest are divided among blocks.
bool isGrid(const NestGroup &group) { return group.rowDims == 0 && group.nests.size() == 1; }

/// Whether the threads of a block reduce a point of `nest` together: it has fewer points than threads, and many steps for each.
bool reducesTogether(const NestGroup &group, const LoopNest &nest) {
  Size points = ThreadNest::pointsOf(nest, group.rowDims), steps = stepsOf(nest);
  if (!points.isKnown() || !steps.isKnown() || !canShareReductions(nest))
    return false;
  if (isGrid(group))
    return int64_t(points) <= mostAlonePoints && int64_t(steps) >= fewestAloneSteps;
  return int64_t(points) * 4 <= rowThreads && int64_t(steps) >= fewestSteps;
}

/// Whether a block has one point of the only nest.
bool isPointPerBlock(const NestGroup &group) { return isGrid(group) && reducesTogether(group, group.nests.front()); }

/// As many as the largest nest has points for, or steps that are taken together, in whole warps; where only the run knows that, the most.
int64_t threadsOf(const NestGroup &group) {
  if (isGrid(group) && !isPointPerBlock(group))
    return gridThreads;
  int64_t most = 1;
  for (const LoopNest &nest : group.nests) {
    Size used = reducesTogether(group, nest) ? stepsOf(nest) : ThreadNest::pointsOf(nest, group.rowDims);
    most = std::max<int64_t>(most, used.isKnown() ? int64_t(used) : rowThreads);
  }
  return std::min<int64_t>(llvm::alignTo(most, GpuMachine::warpThreads), rowThreads);
}

Size blocksOf(const NestGroup &group) {
  if (!isGrid(group))
    return group.rowDims > 0 ? group.parallelRows() : Size(1);
  Size points = ThreadNest::pointsOf(group.nests.front(), 0);
  return isPointPerBlock(group) ? points : countPieces(points, gridThreads);
}

/// Whether no other argument of a kernel is the same memory as `buffer`.
bool TaskEmitter::isUnshared(const Buffer &buffer) const {
  if (buffer.isArgument())
    return !inplaceResults[buffer.index];
  return !buffer.isResult() || !llvm::is_contained(inplaceResults, std::optional(buffer.index));
}

/// Gives each block memory for its row of what passes between the nests of `group`.
void TaskEmitter::placeRows(const NestGroup &group, ArrayRef<unsigned> used) {
  for (unsigned number : used) {
    const Buffer &buffer = program.buffers[number];
    if (!buffer.perRow)
      continue;
    int64_t aligned = rowAlignment / task::getElementBytes(flatBufferType(1, buffer.elementType).getElementType());
    Size apart = countPieces(buffer.elements, aligned) * aligned;
    rowsInMemory[number] = {apart, blocksOf(group) * apart};
  }
}

/// The kernel, without a body, of the buffers in `passed` and a block. Behind a barrier a thread reads what others wrote to its own buffers, which LLVM would not
/// expect of memory without alias.
func::FuncOp TaskEmitter::createKernel(const NestGroup &group, unsigned number, ArrayRef<unsigned> passed) {
  SmallVector<Type> types;
  for (unsigned buffer : passed) {
    auto rows = rowsInMemory.find(buffer);
    const Size &elements = rows != rowsInMemory.end() ? rows->second.elements : program.buffers[buffer].elements;
    types.push_back(flatBufferType(elements, program.buffers[buffer].elementType));
  }
  types.push_back(builder.getIndexType());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(def);
  std::string name = (def.getSymName() + ".k" + llvm::Twine(number)).str();
  auto kernel = func::FuncOp::create(builder, def.getLoc(), name, builder.getFunctionType(types, {}));
  kernel.setPrivate();
  kernel->setAttr(task::TaskDialect::getBlockName(), task::BlockAttr::get(def.getContext(), threads));
  for (auto [position, buffer] : llvm::enumerate(passed))
    if (isGrid(group) && !isPointPerBlock(group) && isUnshared(program.buffers[buffer]))
      kernel.setArgAttr(position, LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr());
  return kernel;
}

/// The memory of `used` inside of a kernel, by number of the buffer.
SmallVector<Value> TaskEmitter::memoryOf(ArrayRef<unsigned> used, ArrayRef<unsigned> passed, Block::BlockArgListType arguments) {
  Location loc = def.getLoc();
  SmallVector<Value> values(program.buffers.size());
  for (auto [buffer, argument] : llvm::zip(passed, arguments))
    values[buffer] = argument;
  for (unsigned number : used) {
    const Buffer &buffer = program.buffers[number];
    if (auto rows = rowsInMemory.find(number); rows != rowsInMemory.end())
      values[number] = rowOf(builder, loc, values[number], arguments.back(), rows->second.apart, buffer.elements);
    if (!buffer.isTable())
      continue;
    memref::GlobalOp &table = tables[number];
    if (!table) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(def);
      table = createTable(builder, def, number, cast<DenseElementsAttr>(buffer.table));
    }
    values[number] = memref::GetGlobalOp::create(builder, loc, table.getType(), table.getSymName());
  }
  return values;
}

/// Memory of the block in which its threads hand on parts of the reductions of `nest`. Nests that follow each other behind a barrier have the same.
SmallVector<Value> TaskEmitter::sharedMemoryOf(const LoopNest &nest) {
  SmallVector<Value> values;
  for (auto [number, reduction] : llvm::enumerate(nest.reductions)) {
    MemRefType type = sharedMemoryType(nest.nodes[reduction.update].type, threads);
    memref::GlobalOp &memory = sharedMemory[std::pair(number, type.getElementType())];
    if (!memory) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(kernel);
      std::string name = (kernel.getSymName() + ".shared" + llvm::Twine(sharedMemory.size() - 1)).str();
      memory = memref::GlobalOp::create(builder, def.getLoc(), name, builder.getStringAttr("private"), type, builder.getUnitAttr(), /*constant=*/false,
                                        builder.getI64IntegerAttr(rowAlignment));
    }
    values.push_back(memref::GetGlobalOp::create(builder, def.getLoc(), type, memory.getSymName()));
  }
  return values;
}

/// One nest after the other, each behind what the ones before it wrote.
void TaskEmitter::emitNests(const NestGroup &group, ArrayRef<Value> values, ArrayRef<Value> rows) {
  Location loc = def.getLoc();
  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x), step = arith::ConstantIndexOp::create(builder, loc, threads);
  for (const LoopNest &nest : group.nests) {
    if (reducesTogether(group, nest))
      SharedReduction(builder, nest, values, rows, {thread, threads, sharedMemoryOf(nest)}).emitPoints();
    else
      ThreadNest(builder, nest, values, rows).emitPoints(thread, step);
    if (&nest != &group.nests.back() || group.orderedDims > 0)
      gpu::BarrierOp::create(builder, loc);
  }
}

void TaskEmitter::emitGroup(const NestGroup &group, ArrayRef<Value> values, Value block) {
  Location loc = def.getLoc();
  if (isPointPerBlock(group)) {
    Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
    return SharedReduction(builder, group.nests.front(), values, {}, {thread, threads, sharedMemoryOf(group.nests.front())}).emitPoint(block);
  }
  if (isGrid(group)) {
    Value before = arith::MulIOp::create(builder, loc, block, arith::ConstantIndexOp::create(builder, loc, threads));
    Value point = arith::AddIOp::create(builder, loc, before, gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x));
    return ThreadNest(builder, group.nests.front(), values, {}).emitPoint(point);
  }
  if (group.rowDims == 0)
    return emitNests(group, values, {});
  OpBuilder::InsertionGuard guard(builder);
  Value row = block;
  if (group.orderedDims > 0) {
    auto zero = arith::ConstantIndexOp::create(builder, loc, 0), one = arith::ConstantIndexOp::create(builder, loc, 1);
    Value inOrder = createSize(builder, loc, group.orderedRows());
    Value before = arith::MulIOp::create(builder, loc, block, inOrder);
    auto loop = scf::ForOp::create(builder, loc, zero, inOrder, one);
    builder.setInsertionPointToStart(loop.getBody());
    row = arith::AddIOp::create(builder, loc, before, loop.getInductionVar());
  }
  SmallVector<Value> rows(group.rowDims);
  for (unsigned dim = group.rowDims; dim-- > 1;) {
    Value extent = createSize(builder, loc, group.nests[0].dims[dim].extent);
    rows[dim] = arith::RemUIOp::create(builder, loc, row, extent);
    row = arith::DivUIOp::create(builder, loc, row, extent);
  }
  rows[0] = row;
  emitNests(group, values, rows);
}

Launch TaskEmitter::emitKernel(const NestGroup &group, unsigned number) {
  threads = threadsOf(group);
  SmallVector<unsigned> used = buffersOf(group);
  SmallVector<unsigned> passed = llvm::filter_to_vector(used, [&](unsigned buffer) { return !program.buffers[buffer].isTable(); });
  placeRows(group, used);
  kernel = createKernel(group, number, passed);
  sharedMemory.clear();
  Block *entry = kernel.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  SmallVector<Value> values = memoryOf(used, passed, entry->getArguments());
  emitGroup(group, values, entry->getArguments().back());
  func::ReturnOp::create(builder, def.getLoc());
  return {kernel.getSymName().str(), passed, blocksOf(group)};
}

void TaskEmitter::run() {
  TaskSignature signature;
  for (unsigned argument = 0; argument < def.getNumArguments(); ++argument) {
    inplaceResults.push_back(inplaceResult(program, argument));
    signature.arguments.push_back({nullptr, inplaceResults.back()});
  }
  // The kernels come first: what they clone lives in the body of the task.
  SmallVector<Launch> launches;
  for (const NestGroup &group : program.groups)
    launches.push_back(emitKernel(group, launches.size()));
  std::map<unsigned, Size> scratch;
  for (const auto &[buffer, rows] : rowsInMemory)
    scratch[buffer] = rows.elements;
  writeBody(def, program, signature, launches, scratch);
}

} // namespace

void emitBlocks(task::DefOp def, const TaskProgram &program) { TaskEmitter(def, program).run(); }

} // namespace cameo::schedule
