// Emits one kernel per group of nests, or per groups that share a parallel range: a function of buffers and a part of
// the range, and the dispatch that runs it.
#include "passes/Schedule/Emission/Cpu/EmitTask.h"

#include "passes/Schedule/Emission/Cpu/KernelStack.h"
#include "passes/Schedule/Emission/Cpu/SharedRange.h"
#include "passes/Schedule/Emission/Shared/TaskBody.h"
#include "passes/Schedule/Nests/InplaceResults.h"
#include "passes/Schedule/Nests/TensorSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

/// Memory for rows at a distance of `apart` elements.
struct ArenaRows {
  Size apart, elements;
};

class TaskEmitter {
public:
  TaskEmitter(task::DefOp def, const TaskProgram &program, ArrayRef<NestSchedule> schedules,
              const std::map<unsigned, ConstantPacking> &packings, const Machine &machine)
      : def(def), program(program), schedules(schedules), packings(packings), machine(machine),
        builder(def.getContext()) {
    for (unsigned argument = 0; argument < def.getNumArguments(); ++argument)
      inplaceResults.push_back(packings.contains(argument) ? std::nullopt : inplaceResult(program, argument));
  }

  void run();

private:
  MemRefType typeOf(const Buffer &buffer) const { return flatBufferType(elementsOf(buffer), buffer.elementType); }
  Size elementsOf(const Buffer &buffer) const;
  void layOutArenaRows(ArrayRef<NestGroup> groups);
  bool isPassed(unsigned buffer) const;
  bool isUnshared(const Buffer &buffer);
  memref::GlobalOp tableOf(unsigned buffer);
  func::FuncOp createKernel(unsigned number, ArrayRef<unsigned> passed);
  SmallVector<Value> memoryOf(ArrayRef<unsigned> used, ArrayRef<unsigned> passed, Block::BlockArgListType arguments,
                              Value begin);
  func::FuncOp emitKernel(ArrayRef<NestGroup> groups, unsigned number, ArrayRef<NestSchedule> own);
  void emitBody(const NestGroup &group, ArrayRef<NestSchedule> own, ArrayRef<Value> values, SharedRange::Part part);
  SmallVector<std::optional<RowFetch>> fetchesOf(const NestGroup &group, ArrayRef<NestSchedule> own,
                                                 ArrayRef<Value> rows);
  TaskSignature signature();

  task::DefOp def;
  const TaskProgram &program;
  ArrayRef<NestSchedule> schedules;
  const std::map<unsigned, ConstantPacking> &packings;
  const Machine &machine;
  OpBuilder builder;
  /// Row buffers in the arena with their memory. A kernel call uses the row of the first iteration of its range: no
  /// other call uses it, and the row stays in the cache of one thread.
  std::map<unsigned, ArenaRows> arenaRows;
  std::map<unsigned, memref::GlobalOp> tables;
  /// For each argument, the result that may be written over it.
  SmallVector<std::optional<unsigned>> inplaceResults;
};

Size TaskEmitter::elementsOf(const Buffer &buffer) const {
  if (buffer.isArgument())
    if (auto it = packings.find(buffer.index); it != packings.end())
      return it->second.elements;
  return buffer.elements;
}

/// Allocates memory for the row buffers of `groups` in the arena.
void TaskEmitter::layOutArenaRows(ArrayRef<NestGroup> groups) {
  for (unsigned number : buffersOf(groups)) {
    const Buffer &buffer = program.buffers[number];
    if (!buffer.perRow || buffer.space != loop::Space::Arena)
      continue;
    int64_t aligned = stackAlignment / task::getElementBytes(typeOf(buffer).getElementType());
    Size apart = countPieces(buffer.elements, aligned) * aligned;
    arenaRows[number] = {apart, rowsOf(groups) * apart};
  }
}

/// Whether `buffer` is an argument of a kernel.
bool TaskEmitter::isPassed(unsigned buffer) const {
  return !program.buffers[buffer].isTable() && program.buffers[buffer].space != loop::Space::Stack;
}

/// Returns the global that holds a small constant of the body.
memref::GlobalOp TaskEmitter::tableOf(unsigned buffer) {
  memref::GlobalOp &table = tables[buffer];
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(def);
  if (!table)
    table = createTable(builder, def, buffer, cast<DenseElementsAttr>(program.buffers[buffer].table));
  return table;
}

void TaskEmitter::emitBody(const NestGroup &group, ArrayRef<NestSchedule> own, ArrayRef<Value> values,
                           SharedRange::Part part) {
  if (group.rowDims == 0) {
    bool alone = group.nests.size() == 1;
    for (auto [nest, schedule] : llvm::zip_equal(group.nests, own))
      emitNest(builder, nest, schedule, values, {}, alone ? std::optional(part) : std::nullopt, machine);
    return;
  }
  auto [begin, end] = part;
  Location loc = group.nests[0].loc;
  auto one = arith::ConstantIndexOp::create(builder, loc, 1);
  if (group.orderedDims > 0 && !group.isLoop()) {
    Value inOrder = createSize(builder, loc, group.orderedRows());
    begin = arith::MulIOp::create(builder, loc, begin, inOrder);
    end = arith::MulIOp::create(builder, loc, end, inOrder);
  }
  auto loop = scf::ForOp::create(builder, loc, begin, end, one);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> rows(group.rowDims);
  Value rest = loop.getInductionVar();
  for (unsigned dim = group.rowDims; dim-- > 1;) {
    Value extent = createSize(builder, loc, group.nests[0].dims[dim].extent);
    rows[dim] = arith::RemUIOp::create(builder, loc, rest, extent);
    rest = arith::DivUIOp::create(builder, loc, rest, extent);
  }
  rows[0] = rest;
  SmallVector<std::optional<RowFetch>> fetches = fetchesOf(group, own, rows);
  for (auto [nest, schedule, fetch] : llvm::zip_equal(group.nests, own, fetches))
    emitNest(builder, nest, schedule, values, rows, std::nullopt, machine, fetch);
}

/// Returns the prefetches of each nest: a part, in proportion to its schedule, of the packed elements that only the
/// next row reads.
SmallVector<std::optional<RowFetch>> TaskEmitter::fetchesOf(const NestGroup &group, ArrayRef<NestSchedule> own,
                                                            ArrayRef<Value> rows) {
  const PackedLayout *layout = nullptr;
  unsigned buffer = 0, last = rows.size() - 1;
  double all = 0;
  for (auto [nest, schedule] : llvm::zip_equal(group.nests, own)) {
    all += schedule.fetchWork;
    if (nest.hasReduction())
      continue;
    for (NodeId id : nest.loads(/*insideReduction=*/false))
      if (const Node &node = nest.nodes[id];
          !layout && node.packed && node.packed->prefetched && node.address.dependsOn(last)) {
        layout = &*node.packed;
        buffer = node.buffer;
      }
  }
  if (!layout || all == 0)
    return SmallVector<std::optional<RowFetch>>(group.nests.size());
  Location loc = group.nests.front().loc;
  int64_t elements = layout->fixed[last], asked = 0;
  Value next = createSize(builder, loc, Size(layout->offset + elements));
  for (auto [dim, row] : llvm::enumerate(rows))
    next = arith::AddIOp::create(
        builder, loc, next, arith::MulIOp::create(builder, loc, row, createSize(builder, loc, layout->fixed[dim])));
  SmallVector<std::optional<RowFetch>> fetches;
  for (const NestSchedule &schedule : own) {
    auto share = static_cast<int64_t>(static_cast<double>(elements) * schedule.fetchWork / all);
    Value begin = arith::AddIOp::create(builder, loc, next, createSize(builder, loc, Size(asked)));
    fetches.push_back(RowFetch{buffer, begin, share});
    asked += share;
  }
  return fetches;
}

/// Whether no other argument of a kernel aliases `buffer`, an argument or result of the task.
bool TaskEmitter::isUnshared(const Buffer &buffer) {
  if (buffer.isArgument())
    return !inplaceResults[buffer.index];
  return !buffer.isResult() || !llvm::is_contained(inplaceResults, std::optional(buffer.index));
}

/// Creates the kernel, without a body, with arguments for the buffers in `passed` and a part of the range.
func::FuncOp TaskEmitter::createKernel(unsigned number, ArrayRef<unsigned> passed) {
  SmallVector<Type> types;
  for (unsigned buffer : passed) {
    auto rows = arenaRows.find(buffer);
    types.push_back(rows != arenaRows.end() ? flatBufferType(rows->second.elements, program.buffers[buffer].elementType)
                                            : typeOf(program.buffers[buffer]));
  }
  types.append(2, builder.getIndexType());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(def);
  std::string name = (def.getSymName() + ".k" + llvm::Twine(number)).str();
  auto kernel = func::FuncOp::create(builder, def.getLoc(), name, builder.getFunctionType(types, {}));
  kernel.setPrivate();
  for (auto [position, buffer] : llvm::enumerate(passed))
    if (isUnshared(program.buffers[buffer]))
      kernel.setArgAttr(position, LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr());
  return kernel;
}

/// Returns the memory of `used` inside of a kernel, by buffer number: `passed` arguments, tables, and row buffers from
/// iteration `begin` on.
SmallVector<Value> TaskEmitter::memoryOf(ArrayRef<unsigned> used, ArrayRef<unsigned> passed,
                                         Block::BlockArgListType arguments, Value begin) {
  Location loc = def.getLoc();
  SmallVector<Value> values(program.buffers.size());
  for (auto [buffer, argument] : llvm::zip(passed, arguments))
    values[buffer] = argument;
  for (unsigned buffer : used) {
    MemRefType type = typeOf(program.buffers[buffer]);
    if (program.buffers[buffer].isTable())
      values[buffer] = memref::GetGlobalOp::create(builder, loc, type, tableOf(buffer).getSymName());
    if (auto rows = arenaRows.find(buffer); rows != arenaRows.end())
      values[buffer] = rowOf(builder, loc, values[buffer], begin, rows->second.apart, program.buffers[buffer].elements);
    else if (program.buffers[buffer].space == loop::Space::Stack)
      values[buffer] = allocateOnStack(builder, loc, type);
  }
  return values;
}

func::FuncOp TaskEmitter::emitKernel(ArrayRef<NestGroup> groups, unsigned number, ArrayRef<NestSchedule> own) {
  Location loc = def.getLoc();
  SmallVector<unsigned> used = buffersOf(groups);
  SmallVector<unsigned> passed = llvm::filter_to_vector(used, [&](unsigned buffer) { return isPassed(buffer); });
  func::FuncOp kernel = createKernel(number, passed);
  OpBuilder::InsertionGuard guard(builder);
  Block *entry = kernel.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  Value begin = entry->getArgument(passed.size()), end = entry->getArgument(passed.size() + 1);
  SmallVector<Value> values = memoryOf(used, passed, entry->getArguments(), begin);
  SharedRange range(builder, loc, groups, own, {begin, end});
  for (auto [position, group] : llvm::enumerate(groups)) {
    emitBody(group, own.take_front(group.nests.size()), values, range.partOf(position));
    own = own.drop_front(group.nests.size());
  }
  func::ReturnOp::create(builder, loc);
  return kernel;
}

/// Returns the form of the task's arguments: packed layouts, and results that may share their memory.
TaskSignature TaskEmitter::signature() {
  TaskSignature signature;
  for (auto [argument, result] : llvm::enumerate(inplaceResults)) {
    auto it = packings.find(argument);
    task::PackingAttr packing = it == packings.end()
                                    ? nullptr
                                    : task::PackingAttr::get(def.getContext(), it->second.elements, it->second.nests);
    signature.arguments.push_back({packing, result});
  }
  return signature;
}

/// Returns the number of parallel points of all nests, 1 for each nest with rows. Nothing is dispatched if it is 0.
static Size pointsOf(ArrayRef<NestGroup> groups) {
  Size points = 0;
  for (const NestGroup &group : groups)
    for (const LoopNest &nest : group.nests)
      points += group.rowDims == 0 ? nest.parallelPoints() : Size(1);
  return points;
}

void TaskEmitter::run() {
  // Kernels are emitted first, because they clone operations of the body that setSignature clears.
  SmallVector<Launch> launches;
  ArrayRef<NestSchedule> rest = schedules;
  for (ArrayRef<NestGroup> left = program.groups; !left.empty();) {
    size_t count = 1, nests = 0;
    while (count < left.size() && left[count].sharesKernel)
      ++count;
    ArrayRef<NestGroup> groups = left.take_front(count);
    for (const NestGroup &group : groups)
      nests += group.nests.size();
    ArrayRef<NestSchedule> own = rest.take_front(nests);
    left = left.drop_front(count);
    rest = rest.drop_front(nests);
    layOutArenaRows(groups);
    unsigned number = launches.size();
    Launch launch{emitKernel(groups, number, own).getSymName().str(), {}, extentOf(groups, own), pointsOf(groups)};
    for (unsigned buffer : buffersOf(groups))
      if (isPassed(buffer))
        launch.buffers.push_back(buffer);
    launches.push_back(std::move(launch));
  }
  std::map<unsigned, Size> scratch;
  for (const auto &[buffer, rows] : arenaRows)
    scratch[buffer] = rows.elements;
  writeBody(def, program, signature(), launches, scratch);
}

} // namespace

void emitTask(task::DefOp def, const TaskProgram &program, ArrayRef<NestSchedule> schedules,
              const std::map<unsigned, ConstantPacking> &packings, const Machine &machine) {
  TaskEmitter(def, program, schedules, packings, machine).run();
}

} // namespace cameo::schedule
