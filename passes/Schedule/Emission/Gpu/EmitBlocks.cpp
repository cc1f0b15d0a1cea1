#include "passes/Schedule/Emission/Gpu/EmitBlocks.h"

#include "dialects/Target/GpuMachine.h"
#include "passes/Schedule/Emission/Gpu/BlockOnlineNest.h"
#include "passes/Schedule/Emission/Gpu/EmitTile.h"
#include "passes/Schedule/Emission/Gpu/GroupShape.h"
#include "passes/Schedule/Emission/Gpu/JoinedNests.h"
#include "passes/Schedule/Emission/Gpu/KernelMemory.h"
#include "passes/Schedule/Emission/Gpu/Mma/ChainNest.h"
#include "passes/Schedule/Emission/Gpu/Mma/MmaOnlineNest.h"
#include "passes/Schedule/Emission/Gpu/SharedLaunch.h"
#include "passes/Schedule/Emission/Gpu/SharedReduction.h"
#include "passes/Schedule/Emission/Gpu/SplitReduction.h"
#include "passes/Schedule/Emission/Gpu/WarpReduction.h"
#include "passes/Schedule/Emission/Shared/TaskBody.h"
#include "passes/Schedule/Nests/InplaceResults.h"
#include "passes/Schedule/Nests/TensorSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

class TaskEmitter {
public:
  TaskEmitter(task::DefOp def, TaskProgram program, BlockSchedules schedules,
              const std::map<unsigned, ConstantPacking> &packings, bool dependentLaunch, bool clusters)
      : def(def), program(std::move(program)), schedules(schedules), packings(packings), clusters(clusters),
        constants(constantsOf(this->program)), early(dependentLaunch ? &constants : nullptr), builder(def.getContext()),
        kernelMemory(builder) {}

  void run(int64_t mostSharedBytes);

private:
  void addWhole(const NestGroup &group);
  void addCluster(const NestGroup &group);
  void addSplit(const NestGroup &group);
  void addOnline(const Attention &attention);
  void addChains(ArrayRef<Chain> chains, BlockSchedules all);
  void addPooled(size_t number, const Pool &pool);
  SmallVector<unsigned> passedOf(ArrayRef<unsigned> used) const;
  Launch emitKernel(const SharedLaunch &shared, unsigned number);
  void emitPieces(const SharedLaunch &shared, ArrayRef<Value> values, Value block);
  func::FuncOp createKernel(const SharedLaunch &shared, unsigned number, ArrayRef<unsigned> passed, int64_t threads);
  void placeRows(const NestGroup &group, ArrayRef<unsigned> used);
  bool isUnshared(const Buffer &buffer) const;
  SmallVector<Value> memoryOf(ArrayRef<unsigned> used, ArrayRef<unsigned> passed, Block::BlockArgListType arguments);
  void emitTile(const LoopNest &nest, ArrayRef<Value> values, Value block, Value thread, SplitParts parts = {},
                const Pool *pool = nullptr);
  void emitGroup(const NestGroup &group, ArrayRef<Value> values, Value block);
  void emitNests(const NestGroup &group, ArrayRef<Value> values, ArrayRef<Value> rows);

  task::DefOp def;
  TaskProgram program;      ///< including the buffers of partial results and their counters
  BlockSchedules schedules; ///< those of the piece that is being emitted; while pieces are collected, those of all
                            ///< nests from the current group on
  const std::map<unsigned, ConstantPacking> &packings;
  bool clusters; ///< whether blocks may be a cluster
  EarlyBuffers constants;
  const EarlyBuffers *early; ///< those, or null if kernels do not wait
  JoinedNests joined;
  std::deque<NestGroup> joinedGroups; ///< those of their kernels
  std::deque<LaunchPiece> pieces;     ///< in the order of the program
  OpBuilder builder;
  /// For each argument, the result that may overwrite it.
  SmallVector<std::optional<unsigned>> inplaceResults;
  /// A row-local buffer: the distance in elements between the rows of consecutive blocks, and the elements of all rows.
  struct Rows {
    Size apart, elements;
  };
  std::map<unsigned, Rows> rowsInMemory;
  std::map<unsigned, memref::GlobalOp> tables;
  llvm::SmallDenseSet<unsigned> counters; ///< buffers in which blocks count arrivals
  llvm::SmallDenseSet<unsigned> handedOn; ///< these and other buffers through which blocks of a launch exchange data
  func::FuncOp kernel;                    ///< the kernel that is being emitted
  int64_t threads = 0;                    ///< per block of the kernel
  int64_t cluster = 1;                    ///< blocks of its clusters
  KernelMemory kernelMemory;              ///< shared memory of the kernel
};

/// Whether no other kernel argument aliases `buffer`.
bool TaskEmitter::isUnshared(const Buffer &buffer) const {
  if (buffer.isArgument())
    return !inplaceResults[buffer.index];
  return !buffer.isResult() || !llvm::is_contained(inplaceResults, std::optional(buffer.index));
}

/// Assigns global memory to the row-local buffers of `group` that are not in shared memory: one row per block.
void TaskEmitter::placeRows(const NestGroup &group, ArrayRef<unsigned> used) {
  for (unsigned number : used) {
    const Buffer &buffer = program.buffers[number];
    if (!buffer.perRow || buffer.space == loop::Space::Shared)
      continue;
    int64_t aligned = rowAlignment / task::getElementBytes(flatBufferType(1, buffer.elementType).getElementType());
    Size apart = countPieces(buffer.elements, aligned) * aligned;
    rowsInMemory[number] = {apart, GroupShape(group, schedules).blocks() * apart};
  }
}

/// Creates a kernel without a body. Its arguments are the buffers in `passed` and the number of the block. Arguments
/// are marked noalias only if no thread reads what another thread or block wrote: LLVM could move such loads across the
/// barriers.
func::FuncOp TaskEmitter::createKernel(const SharedLaunch &shared, unsigned number, ArrayRef<unsigned> passed,
                                       int64_t threads) {
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
  kernel->setAttr(task::TaskDialect::getBlockName(), task::BlockAttr::get(def.getContext(), threads, cluster));
  bool writesAlone = llvm::all_of(shared.pieces, [](const LaunchPiece *piece) { return piece->writesAlone; });
  for (auto [position, buffer] : llvm::enumerate(passed))
    if (writesAlone && isUnshared(program.buffers[buffer]) && !handedOn.contains(buffer))
      kernel.setArgAttr(position, LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr());
  return kernel;
}

/// Returns the memory of the buffers in `used` inside the kernel, by number of the buffer.
SmallVector<Value> TaskEmitter::memoryOf(ArrayRef<unsigned> used, ArrayRef<unsigned> passed,
                                         Block::BlockArgListType arguments) {
  Location loc = def.getLoc();
  SmallVector<Value> values(program.buffers.size());
  for (auto [buffer, argument] : llvm::zip(passed, arguments))
    values[buffer] = argument;
  for (unsigned number : used) {
    const Buffer &buffer = program.buffers[number];
    if (auto rows = rowsInMemory.find(number); rows != rowsInMemory.end())
      values[number] = rowOf(builder, loc, values[number], arguments.back(), rows->second.apart, buffer.elements);
    if (buffer.perRow && buffer.space == loop::Space::Shared)
      values[number] = kernelMemory.create(buffer.elements, flatBufferType(1, buffer.elementType).getElementType());
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

/// Emits the nests in order, with a barrier after each, so that a nest can read what the previous ones wrote.
void TaskEmitter::emitNests(const NestGroup &group, ArrayRef<Value> values, ArrayRef<Value> rows) {
  Location loc = def.getLoc();
  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x),
        step = arith::ConstantIndexOp::create(builder, loc, threads);
  GroupShape shape(group, schedules);
  for (auto [number, nest] : llvm::enumerate(group.nests)) {
    if (shape.reducesTogether(number)) {
      SmallVector<Value> memory = kernelMemory.ofReductions(nest);
      SharedReduction(builder, nest, values, rows, ReducingBlock{thread, threads, shape.sharedDim(number), memory})
          .emitPoints();
    } else if (shape.reducesByWarp(number)) {
      Value warp = arith::DivUIOp::create(builder, loc, thread,
                                          arith::ConstantIndexOp::create(builder, loc, GpuMachine::warpThreads));
      WarpReduction(builder, nest, values, rows, thread, shape.sharedDim(number))
          .emitPoints(warp, threads / GpuMachine::warpThreads);
    } else {
      ThreadNest(builder, nest, values, rows, lanesOf(schedules.loops[number], schedules.threads[number]),
                 schedules.threads[number].unroll)
          .emitPoints(thread, step);
    }
    if (&nest != &group.nests.back() || group.orderedDims > 0)
      gpu::BarrierOp::create(builder, loc);
  }
}

void TaskEmitter::emitTile(const LoopNest &nest, ArrayRef<Value> values, Value block, Value thread, SplitParts parts,
                           const Pool *pool) {
  schedule::emitTile(builder, {nest, schedules.loops[0], schedules.threads[0]}, values, kernelMemory, parts, early,
                     block, thread, pool);
}

void TaskEmitter::emitGroup(const NestGroup &group, ArrayRef<Value> values, Value block) {
  Location loc = def.getLoc();
  GroupShape shape(group, schedules);
  if (isGrid(group)) {
    const LoopNest &nest = group.nests.front();
    Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
    if (shape.isTiled())
      return emitTile(nest, values, block, thread);
    if (shape.isPointPerBlock())
      return SharedReduction(builder, nest, values, {},
                             ReducingBlock{thread, threads, shape.sharedDim(0), kernelMemory.ofReductions(nest)})
          .emitPoint(block);
    Value before = arith::MulIOp::create(builder, loc, block, arith::ConstantIndexOp::create(builder, loc, threads));
    Value point = arith::AddIOp::create(builder, loc, before, thread);
    if (shape.isPointPerWarp()) {
      Value warp = arith::DivUIOp::create(builder, loc, point,
                                          arith::ConstantIndexOp::create(builder, loc, GpuMachine::warpThreads));
      return WarpReduction(builder, nest, values, {}, thread, shape.sharedDim(0)).emitPoint(warp);
    }
    return ThreadNest(builder, nest, values, {}, lanesOf(schedules.loops[0], schedules.threads[0]),
                      schedules.threads[0].unroll)
        .emitPoint(point);
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

/// Returns those of the buffers `used` that are arguments of a kernel.
SmallVector<unsigned> TaskEmitter::passedOf(ArrayRef<unsigned> used) const {
  return llvm::filter_to_vector(used, [&](unsigned number) {
    const Buffer &buffer = program.buffers[number];
    return !buffer.isTable() && !(buffer.perRow && buffer.space == loop::Space::Shared);
  });
}

void TaskEmitter::addWhole(const NestGroup &group) {
  GroupShape shape(group, schedules);
  LaunchPiece &piece = pieces.emplace_back();
  size_t count = group.nests.size();
  BlockSchedules own{schedules.loops.take_front(count), schedules.threads.take_front(count)};
  auto emitBody = [this, &group](ArrayRef<Value> values, Value block) { emitGroup(group, values, block); };
  piece = {&group,          own,          buffersOf(group),    {}, shape.blocks(),
           shape.threads(), std::nullopt, shape.writesAlone(), {}, emitBody};
  piece.passed = passedOf(piece.used);
  if (shape.isTiled()) {
    piece.tiles = tileMemory(group.nests.front(), own.threads[0], shape.tile());
    piece.sums = shape.tile().points;
    piece.products = productsOf(group.nests.front(), shape.tile());
    piece.waitsForLaunches = early != nullptr;
  }
  if (shape.isPointPerThread())
    piece.points = ThreadNest::pointsOf(group.nests.front(), 0, lanesOf(schedules.loops[0], schedules.threads[0]));
  placeRows(group, piece.used);
}

/// Adds a piece for a nest whose reduction is divided among the blocks of a cluster.
void TaskEmitter::addCluster(const NestGroup &group) {
  addWhole(group);
  const LoopNest &nest = group.nests.front();
  BlockTile tile = GroupShape(group, schedules).tile();
  pieces.back().cluster = tile.splits;
  pieces.back().emitBody = [=, this, &nest](ArrayRef<Value> values, Value block) {
    SplitParts parts;
    parts.count = tile.splits;
    emitTile(nest, values, block, gpu::ThreadIdOp::create(builder, def.getLoc(), gpu::Dimension::x), parts);
  };
}

/// Adds a piece for a nest whose reduction is divided among blocks: they store partial results, and the last block
/// combines them.
void TaskEmitter::addSplit(const NestGroup &group) {
  const LoopNest &nest = group.nests.front();
  GroupShape shape(group, schedules);
  if (clusters && shape.isTiled() && shape.tile().isCluster)
    return addCluster(group);
  Loop split = *shape.split();
  int64_t count = int64_t(nest.dims[split.dim].extent) / split.size, blocks = int64_t(shape.blocks()) / count;
  Type i32 = builder.getI32Type();
  unsigned memory = program.buffers.size(), counted = memory + 1;
  program.buffers.push_back(Buffer::scratch(elementsOfParts(nest, count), nest.nodes[nest.reductions[0].update].type));
  program.buffers.push_back(Buffer::scratch(blocks, i32));
  counters.insert(counted);
  handedOn.insert_range(std::array{memory, counted});
  SmallVector<unsigned> used = buffersOf(group);
  llvm::append_range(used, std::array{memory, counted});
  SmallVector<unsigned> passed = passedOf(used);
  MemRefType isLastFlag = sharedMemoryType(i32, /*threads=*/1);
  auto emitBody = [=, this, &group, &nest](ArrayRef<Value> values, Value block) {
    Location loc = def.getLoc();
    GroupShape shape(group, schedules);
    Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
    SplitParts parts{values[memory], count, values[counted], kernelMemory.takeTile(i32)};
    if (shape.isTiled())
      return emitTile(nest, values, block, thread, parts);
    SplitReduction(builder, nest, values, parts, lanesOf(schedules.loops[0], schedules.threads[0]))
        .emit({block, blocks}, {thread, threads}, split, early);
  };
  BlockSchedules own{schedules.loops.take_front(1), schedules.threads.take_front(1)};
  SmallVector<MemRefType> tiles = {isLastFlag}; // in the order in which they are taken
  if (shape.isTiled())
    llvm::append_range(tiles, tileMemory(nest, own.threads[0], shape.tile()));
  pieces.push_back({&group, own, used, passed, shape.blocks(), shape.threads(), std::nullopt, /*writesAlone=*/true,
                    tiles, emitBody, shape.isTiled() ? shape.tile().points : 1,
                    shape.isTiled() ? productsOf(nest, shape.tile()) : 0,
                    /*waitsForLaunches=*/early != nullptr});
}

/// Adds a piece for an attention. Scores and weights need no buffers of the task.
void TaskEmitter::addOnline(const Attention &attention) {
  NestGroup &group = joinedGroups.emplace_back();
  group.nests = {attention.scores, attention.values};
  BlockSchedules own{schedules.loops.take_front(1), schedules.threads.take_front(1)};
  OnlineTile tile = *own.threads[0].online;
  std::optional<TensorShape> tensor = own.threads[0].tensor;
  SmallVector<unsigned> used = buffersOf(group);
  llvm::erase_if(used, [&](unsigned buffer) { return attention.keeps(buffer); });
  LaunchPiece &piece = pieces.emplace_back();
  piece = {&group, own, used, passedOf(used), 0, 0, std::nullopt, /*writesAlone=*/true, {}, {}};
  if (tensor) {
    MmaOnlineBlock shape = mmaOnlineBlock(attention, tile);
    piece.blocks = shape.blocks;
    piece.threads = shape.threads;
    piece.tiles = MmaOnlineNest::memoryOf(shape, attention);
    piece.sums = shape.sums(attention);
  } else {
    OnlineBlock shape = onlineBlock(attention, tile);
    piece.blocks = shape.blocks;
    piece.threads = shape.threads;
    piece.tiles = BlockOnlineNest::memoryOf(shape, builder.getContext());
    piece.sums = shape.sums();
  }
  piece.emitBody = [this, &attention, tile, tensor, &piece](ArrayRef<Value> values, Value block) {
    Value thread = gpu::ThreadIdOp::create(builder, def.getLoc(), gpu::Dimension::x);
    SmallVector<Value> memory =
        llvm::map_to_vector(piece.tiles, [&](MemRefType type) { return kernelMemory.takeTile(type.getElementType()); });
    if (tensor)
      MmaOnlineNest(builder, attention, tile, *tensor, values, memory).emit(block, thread);
    else
      BlockOnlineNest(builder, attention, tile, values, memory).emit(block, thread);
  };
}

/// Adds a piece for products of which each reads the one before. What only the next one reads needs no buffer of the
/// task.
void TaskEmitter::addChains(ArrayRef<Chain> chains, BlockSchedules all) {
  NestGroup &group = joinedGroups.emplace_back();
  group.nests = {*chains[0].first};
  for (const Chain &chain : chains)
    group.nests.push_back(*chain.second);
  ChainSchedules own = schedulesOf(chains, all.loops, all.threads);
  SmallVector<unsigned> used = buffersOf(group);
  for (const Chain &chain : chains)
    if (!chain.isStored)
      llvm::erase(used, chain.buffer);
  ChainNest shape(builder, chains, own, {}, early);
  auto emitBody = [=, this](ArrayRef<Value> values, Value block) {
    Value thread = gpu::ThreadIdOp::create(builder, def.getLoc(), gpu::Dimension::x);
    ChainNest(builder, chains, own, values, early).emit(block, thread, kernelMemory);
  };
  pieces.push_back({&group, all, used, passedOf(used), shape.blocks(), shape.threads(), std::nullopt,
                    /*writesAlone=*/true, shape.memory(), emitBody, shape.sums(), shape.products(),
                    /*waitsForLaunches=*/early != nullptr});
}

/// Adds a piece for the nest of group number `number` and the pool of its results, which need no buffer of the task.
void TaskEmitter::addPooled(size_t number, const Pool &pool) {
  NestGroup &group = joinedGroups.emplace_back(program.groups[number]);
  addWhole(group);
  group.nests.push_back(pool.nest);
  LaunchPiece &piece = pieces.back();
  piece.used = buffersOf(group);
  llvm::erase(piece.used, pool.buffer);
  piece.passed = passedOf(piece.used);
  piece.emitBody = [&, this](ArrayRef<Value> values, Value block) {
    emitTile(group.nests[0], values, block, gpu::ThreadIdOp::create(builder, def.getLoc(), gpu::Dimension::x), {},
             &pool);
  };
}

/// Emits the bodies of all pieces. The blocks of the first piece have the lowest numbers, then those of the next one.
/// If one piece waits for earlier launches by itself, the others wait first.
void TaskEmitter::emitPieces(const SharedLaunch &shared, ArrayRef<Value> values, Value block) {
  Location loc = def.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  bool haveWaits = llvm::any_of(shared.pieces, [](const LaunchPiece *piece) { return piece->waitsForLaunches; });
  auto emitBody = [&](const LaunchPiece &piece) {
    if (haveWaits && !piece.waitsForLaunches)
      waitForLaunches(builder, loc);
    piece.emitBody(values, block);
  };
  for (const LaunchPiece *piece : shared.pieces) {
    schedules = piece->schedules;
    kernelMemory.beginPiece();
    if (piece == shared.pieces.back())
      return emitBody(*piece);
    Value count = arith::ConstantIndexOp::create(builder, loc, int64_t(piece->blocksOf(threads, cluster)));
    Value isOwn = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, block, count);
    auto branch = scf::IfOp::create(builder, loc, isOwn, /*withElseRegion=*/true);
    builder.setInsertionPointToStart(branch.thenBlock());
    emitBody(*piece);
    builder.setInsertionPointToStart(branch.elseBlock());
    block = arith::SubIOp::create(builder, loc, block, count);
  }
}

Launch TaskEmitter::emitKernel(const SharedLaunch &shared, unsigned number) {
  threads = shared.pieces.front()->threads;
  cluster = shared.pieces.front()->cluster;
  llvm::SmallSetVector<unsigned, 8> used, passed;
  Size blocks = 0;
  TileSizes tiles;
  for (const LaunchPiece *piece : shared.pieces) {
    tiles.add(piece->tiles);
    used.insert_range(piece->used);
    passed.insert_range(piece->passed);
    blocks += piece->blocksOf(threads, cluster);
  }
  kernel = createKernel(shared, number, passed.getArrayRef(), threads);
  kernelMemory.beginKernel(kernel, threads, std::move(tiles));
  Block *entry = kernel.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  SmallVector<Value> values = memoryOf(used.getArrayRef(), passed.getArrayRef(), entry->getArguments());
  emitPieces(shared, values, entry->getArguments().back());
  builder.setInsertionPointToEnd(entry);
  func::ReturnOp::create(builder, def.getLoc());
  return {kernel.getSymName().str(), SmallVector<unsigned>(passed.getArrayRef()), std::move(blocks)};
}

void TaskEmitter::run(int64_t mostSharedBytes) {
  BlockSchedules all = schedules;
  joined = findJoined(program, schedules);
  TaskSignature signature;
  for (unsigned argument = 0; argument < def.getNumArguments(); ++argument) {
    auto it = packings.find(argument);
    bool isKept = it != packings.end() || joined.isReadUntilEnd(program, argument);
    inplaceResults.push_back(isKept ? std::nullopt : inplaceResult(program, argument));
    auto packing = it == packings.end()
                       ? nullptr
                       : task::PackingAttr::get(def.getContext(), it->second.elements, it->second.nests);
    signature.arguments.push_back({packing, inplaceResults.back()});
  }
  unsigned nests = 0;
  for (auto [number, group] : llvm::enumerate(program.groups)) {
    if (auto attention = joined.attentions.find(number); attention != joined.attentions.end())
      addOnline(attention->second);
    else if (auto chains = joined.chains.find(number); chains != joined.chains.end())
      addChains(chains->second, all);
    else if (GroupShape(group, schedules).split())
      addSplit(group);
    else if (auto pool = joined.pools.find(number); pool != joined.pools.end())
      addPooled(number, pool->second);
    else if (!joined.elsewhere.contains(nests))
      addWhole(group);
    nests += group.nests.size();
    schedules = {schedules.loops.drop_front(group.nests.size()), schedules.threads.drop_front(group.nests.size())};
  }
  // Kernels are emitted before the body is written, because they clone operations of the old body.
  SmallVector<Launch> launches;
  for (const SharedLaunch &shared : shareLaunches(pieces, mostSharedBytes))
    launches.push_back(emitKernel(shared, launches.size()));
  std::map<unsigned, Size> scratch;
  for (const auto &[buffer, rows] : rowsInMemory)
    scratch[buffer] = rows.elements;
  writeBody(def, program, signature, launches, scratch, counters);
}

} // namespace

void emitBlocks(task::DefOp def, const TaskProgram &program, BlockSchedules schedules,
                const std::map<unsigned, ConstantPacking> &packings, bool dependentLaunch, bool clusters,
                int64_t mostSharedBytes) {
  TaskEmitter(def, program, schedules, packings, dependentLaunch, clusters).run(mostSharedBytes);
}

} // namespace cameo::schedule
