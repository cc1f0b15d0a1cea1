// One kernel per group of nests, or per groups that share a range: a function of buffers and a part of the parallel range, and the dispatch that runs it.
#include "passes/Schedule/Emission/EmitTask.h"

#include "passes/Schedule/Emission/KernelStack.h"
#include "passes/Schedule/Nests/IndependentNests.h"
#include "passes/Schedule/Nests/TensorSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

using Kind = Buffer::Kind;

/// Memory for rows that lie `apart` elements from each other.
struct ArenaRows {
  Size apart, elements;
};

class TaskEmitter {
public:
  TaskEmitter(task::DefOp def, const TaskProgram &program, ArrayRef<NestSchedule> schedules,
              const std::map<unsigned, Relayout> &relayouts, Instructions instructions)
      : def(def), program(program), schedules(schedules), relayouts(relayouts), instructions(instructions),
        builder(def.getContext()) {}

  void run();

private:
  MemRefType typeOf(const Buffer &buffer) const { return typeOf(elementsOf(buffer), buffer.elementType); }
  static MemRefType typeOf(const Size &elements, Type elementType);
  Size elementsOf(const Buffer &buffer) const;
  Value addScratch(const Size &elements, Type elementType);
  llvm::SetVector<unsigned> buffersOf(ArrayRef<NestGroup> groups) const;
  void findArenaRows(ArrayRef<NestGroup> groups);
  bool isPassed(unsigned buffer) const;
  std::optional<unsigned> inplaceResult(unsigned argument) const;
  memref::GlobalOp tableOf(unsigned number);
  SmallVector<std::pair<Value, Value>> partsOf(Value begin, Value end, ArrayRef<NestGroup> groups);
  std::pair<Value, Value> shareOf(Value begin, Value end, const Size &extent, const Size &count, bool isAhead);
  Value rowOf(Value rows, Value index, const Size &apart, const Size &elements);
  func::FuncOp emitKernel(ArrayRef<NestGroup> groups, unsigned number, ArrayRef<NestSchedule> own);
  void emitBody(const NestGroup &group, ArrayRef<NestSchedule> own, ArrayRef<Value> values, Value begin, Value end);
  void setSignature();

  task::DefOp def;
  const TaskProgram &program;
  ArrayRef<NestSchedule> schedules;
  const std::map<unsigned, Relayout> &relayouts;
  Instructions instructions;
  OpBuilder builder;
  /// Row-local buffers that are too large for the stack, or as large as only the run knows, with the memory they have in the arena. A call of the kernel works in
  /// the row that belongs to the first iteration of its range: no other call has it, and one thread meets the same row again
  /// and again.
  std::map<unsigned, ArenaRows> arenaRows;
};

MemRefType TaskEmitter::typeOf(const Size &elements, Type elementType) {
  Type element = elementType.isInteger(1) ? IntegerType::get(elementType.getContext(), 8) : elementType;
  return MemRefType::get({elements.isKnown() ? int64_t(elements) : ShapedType::kDynamic}, element);
}

Size TaskEmitter::elementsOf(const Buffer &buffer) const {
  if (buffer.kind == Kind::Argument)
    if (auto it = relayouts.find(buffer.index); it != relayouts.end())
      return it->second.elements;
  return buffer.elements;
}

llvm::SetVector<unsigned> TaskEmitter::buffersOf(ArrayRef<NestGroup> groups) const {
  llvm::SetVector<unsigned> buffers;
  for (const NestGroup &group : groups)
    for (const LoopNest &nest : group.nests)
      forEachAccess(nest, [&](unsigned buffer, const LinearForm &, bool) { buffers.insert(buffer); });
  return buffers;
}

/// The rows of all `groups`, which make one range.
static Size rowsOf(ArrayRef<NestGroup> groups) {
  Size rows = 0;
  for (const NestGroup &group : groups)
    rows += group.rows();
  return rows;
}

/// Iterations that a dispatch of `groups` divides among threads: where they are nests that do not look at each other, the most that
/// one of them has.
static Size extentOf(ArrayRef<NestGroup> groups, ArrayRef<NestSchedule> own) {
  if (!isAlone(groups.front()))
    return groups.size() == 1 ? parallelExtent(groups.front(), own) : rowsOf(groups);
  Size most = 0;
  for (auto [group, schedule] : llvm::zip_equal(groups, own))
    most = std::max(most, parallelExtent(group.nests[0], schedule));
  return most;
}

void TaskEmitter::findArenaRows(ArrayRef<NestGroup> groups) {
  int64_t bytes = 0;
  SmallVector<std::pair<unsigned, ArenaRows>> rows;
  for (unsigned buffer : buffersOf(groups)) {
    if (program.buffers[buffer].kind != Kind::RowLocal)
      continue;
    const Size &elements = program.buffers[buffer].elements;
    int64_t elementBytes = task::getElementBytes(typeOf(program.buffers[buffer]).getElementType());
    bytes += elements.isKnown() ? int64_t(elements) * elementBytes : 0;
    int64_t aligned = stackAlignment / elementBytes;
    Size apart = countPieces(elements, aligned) * aligned;
    rows.emplace_back(buffer, ArenaRows{apart, rowsOf(groups) * apart});
  }
  for (const auto &[buffer, memory] : rows)
    if (bytes > maxRowBytes || !memory.apart.isKnown())
      arenaRows[buffer] = memory;
}

/// Whether a kernel gets `buffer` as an argument.
bool TaskEmitter::isPassed(unsigned buffer) const {
  Kind kind = program.buffers[buffer].kind;
  return kind != Kind::Table && (kind != Kind::RowLocal || arenaRows.contains(buffer));
}

/// Whether the output computes `operand`.
static bool uses(const LoopNest &nest, const Output &output, NodeId operand) {
  llvm::BitVector users(nest.nodes.size());
  users.set(operand);
  for (NodeId id : nest.computed(/*insideReduction=*/false))
    if (llvm::any_of(nest.nodes[id].operands, [&](NodeId used) { return users.test(used); }))
      users.set(id);
  return users.test(output.value);
}

/// The result that may be written over `argument`: every element of it is read once, right before its place is written. Results are
/// computed one after the other: what the result does not depend on could be read when it is overwritten.
std::optional<unsigned> TaskEmitter::inplaceResult(unsigned argument) const {
  if (program.groups.size() != 1 || program.groups[0].nests.size() != 1 || relayouts.contains(argument))
    return std::nullopt;
  const LoopNest &nest = program.groups[0].nests[0];
  auto isArgument = [&](unsigned number) {
    return program.buffers[number].kind == Kind::Argument && program.buffers[number].index == argument;
  };
  std::optional<NodeId> load;
  for (auto [id, node] : llvm::enumerate(nest.nodes)) {
    if ((node.kind != Node::Kind::Load && node.kind != Node::Kind::Gather) || !isArgument(node.buffer))
      continue;
    if (node.kind == Node::Kind::Gather || load)
      return std::nullopt;
    load = id;
  }
  if (!load || llvm::any_of(nest.loads(/*insideReduction=*/true),
                               [&](NodeId id) { return isArgument(nest.nodes[id].buffer); }))
    return std::nullopt;
  for (const Output &output : nest.outputs) {
    const Buffer &buffer = program.buffers[output.buffer];
    if (buffer.kind == Kind::Result && !output.index && output.address == nest.nodes[*load].address &&
        buffer.elementType == nest.nodes[*load].type && uses(nest, output, *load) &&
        llvm::count_if(nest.outputs, [&](const Output &other) { return other.buffer == output.buffer; }) == 1)
      return buffer.index;
  }
  return std::nullopt;
}

/// The read-only global that holds a small constant of the body.
memref::GlobalOp TaskEmitter::tableOf(unsigned number) {
  const Buffer &buffer = program.buffers[number];
  std::string name = (def.getSymName() + ".table" + llvm::Twine(number)).str();
  auto module = def->getParentOfType<ModuleOp>();
  if (auto existing = module.lookupSymbol<memref::GlobalOp>(name))
    return existing;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(def);
  MemRefType type = typeOf(buffer);
  auto flat = RankedTensorType::get(type.getShape(), type.getElementType());
  DenseElementsAttr values;
  if (buffer.elementType.isInteger(1)) {
    SmallVector<int8_t> bytes;
    for (bool value : cast<DenseElementsAttr>(buffer.table).getValues<bool>())
      bytes.push_back(value);
    values = DenseElementsAttr::get(flat, ArrayRef<int8_t>(bytes));
  } else {
    values = cast<DenseElementsAttr>(buffer.table).reshape(flat);
  }
  return memref::GlobalOp::create(builder, def.getLoc(), name, builder.getStringAttr("private"), type, values,
                                  /*constant=*/true, builder.getI64IntegerAttr(64));
}

void TaskEmitter::emitBody(const NestGroup &group, ArrayRef<NestSchedule> own, ArrayRef<Value> values, Value begin,
                           Value end) {
  if (group.rowDims == 0) {
    bool alone = group.nests.size() == 1;
    for (auto [nest, schedule] : llvm::zip_equal(group.nests, own))
      emitNest(builder, nest, schedule, values, {}, alone ? std::optional(std::pair{begin, end}) : std::nullopt,
               instructions);
    return;
  }
  Location loc = group.nests[0].loc;
  auto one = arith::ConstantIndexOp::create(builder, loc, 1);
  if (group.sequential) {
    begin = arith::ConstantIndexOp::create(builder, loc, 0);
    end = createSize(builder, loc, group.rows());
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
  for (auto [nest, schedule] : llvm::zip_equal(group.nests, own))
    emitNest(builder, nest, schedule, values, rows, std::nullopt, instructions);
}

/// What [begin, end) of the rows of all `groups` has of each of them, which are of different kinds: every one is spread over the range, so that each thread
/// has its share of the large and of the small rows, and every iteration is one row. A single first or last one stays first or last.
SmallVector<std::pair<Value, Value>> TaskEmitter::partsOf(Value begin, Value end, ArrayRef<NestGroup> groups) {
  Location loc = def.getLoc();
  auto constant = [&](int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); };
  SmallVector<std::pair<Value, Value>> parts(groups.size());
  int64_t all = rowsOf(groups);
  for (size_t number = groups.size() - 1; number > 0; --number) {
    // Of the first rows of the kinds up to this one, so many are of those before it.
    int64_t others = rowsOf(groups.take_front(number));
    auto before = [&](Value rows) -> Value {
      Value product = arith::MulIOp::create(builder, loc, rows, constant(others));
      Value rounded = arith::AddIOp::create(builder, loc, product, constant(all - 1));
      return arith::DivUIOp::create(builder, loc, rounded, constant(all));
    };
    Value first = before(begin), behind = before(end);
    parts[number] = {arith::SubIOp::create(builder, loc, begin, first), arith::SubIOp::create(builder, loc, end, behind)};
    begin = first;
    end = behind;
    all = others;
  }
  parts[0] = {begin, end};
  return parts;
}

/// What [begin, end) of `extent` is of `count` iterations: every one belongs to one part of the range, in proportion. A single one belongs to the
/// first part where it `isAhead`, else to the last.
std::pair<Value, Value> TaskEmitter::shareOf(Value begin, Value end, const Size &extent, const Size &count, bool isAhead) {
  Location loc = def.getLoc();
  auto constant = [&](const Size &value) { return arith::ConstantIndexOp::create(builder, loc, value); };
  auto scale = [&](Value value) -> Value {
    if (count == extent)
      return value;
    Value product = arith::MulIOp::create(builder, loc, value, constant(count));
    if (isAhead)
      product = arith::AddIOp::create(builder, loc, product, constant(extent - 1));
    return arith::DivUIOp::create(builder, loc, product, constant(extent));
  };
  return {scale(begin), scale(end)};
}

/// Row number `index` of `rows`.
Value TaskEmitter::rowOf(Value rows, Value index, const Size &apart, const Size &elements) {
  Location loc = def.getLoc();
  Value offset = arith::MulIOp::create(builder, loc, index, createSize(builder, loc, apart));
  OpFoldResult length = elements.isKnown() ? OpFoldResult(builder.getIndexAttr(elements)) : createSize(builder, loc, elements);
  return memref::SubViewOp::create(builder, loc, rows, ArrayRef<OpFoldResult>{offset}, ArrayRef<OpFoldResult>{length},
                                   ArrayRef<OpFoldResult>{builder.getIndexAttr(1)});
}

/// Whether `nest` begins to store at a place before that where `other` does.
static bool liesBefore(const LoopNest &nest, const LoopNest &other) {
  return !nest.outputs.empty() && !other.outputs.empty() && nest.outputs[0].buffer == other.outputs[0].buffer &&
         nest.outputs[0].address.constant < other.outputs[0].address.constant;
}

func::FuncOp TaskEmitter::emitKernel(ArrayRef<NestGroup> groups, unsigned number, ArrayRef<NestSchedule> own) {
  Location loc = def.getLoc();
  SmallVector<Type> types;
  SmallVector<unsigned> passed;
  llvm::SetVector<unsigned> used = buffersOf(groups);
  for (unsigned buffer : used)
    if (isPassed(buffer)) {
      auto rows = arenaRows.find(buffer);
      types.push_back(rows != arenaRows.end() ? typeOf(rows->second.elements, program.buffers[buffer].elementType)
                                              : typeOf(program.buffers[buffer]));
      passed.push_back(buffer);
    }
  types.append(2, builder.getIndexType());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(def);
  std::string name = (def.getSymName() + ".k" + llvm::Twine(number)).str();
  auto kernel = func::FuncOp::create(builder, loc, name, builder.getFunctionType(types, {}));
  kernel.setPrivate();
  for (auto [position, buffer] : llvm::enumerate(passed)) {
    const Buffer &passedBuffer = program.buffers[buffer];
    bool shared = passedBuffer.kind == Kind::Argument
                      ? inplaceResult(passedBuffer.index).has_value()
                      : passedBuffer.kind == Kind::Result &&
                            llvm::any_of(llvm::seq(0u, def.getNumArguments()), [&](unsigned argument) {
                              return inplaceResult(argument) == passedBuffer.index;
                            });
    if (!shared)
      kernel.setArgAttr(position, LLVM::LLVMDialect::getNoAliasAttrName(), builder.getUnitAttr());
  }
  Block *entry = kernel.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  SmallVector<Value> values(program.buffers.size());
  for (auto [position, buffer] : llvm::enumerate(passed))
    values[buffer] = entry->getArgument(position);
  Value begin = entry->getArgument(passed.size()), end = entry->getArgument(passed.size() + 1);
  for (unsigned buffer : used) {
    MemRefType type = typeOf(program.buffers[buffer]);
    if (program.buffers[buffer].kind == Kind::Table)
      values[buffer] = memref::GetGlobalOp::create(builder, loc, type, tableOf(buffer).getSymName());
    if (auto rows = arenaRows.find(buffer); rows != arenaRows.end())
      values[buffer] = rowOf(values[buffer], begin, rows->second.apart, program.buffers[buffer].elements);
    else if (program.buffers[buffer].kind == Kind::RowLocal)
      values[buffer] = allocateOnStack(builder, loc, type);
  }
  Size extent = extentOf(groups, own);
  SmallVector<std::pair<Value, Value>> parts = {{begin, end}};
  if (groups.size() > 1 && !isAlone(groups.front()))
    parts = partsOf(begin, end, groups);
  for (auto [number, group] : llvm::enumerate(groups)) {
    bool isAhead = isAlone(group) && liesBefore(group.nests[0], groups.front().nests[0]);
    auto [first, behind] =
        isAlone(group) ? shareOf(begin, end, extent, parallelExtent(group.nests[0], own.front()), isAhead) : parts[number];
    emitBody(group, own.take_front(group.nests.size()), values, first, behind);
    own = own.drop_front(group.nests.size());
  }
  func::ReturnOp::create(builder, loc);
  return kernel;
}

Value TaskEmitter::addScratch(const Size &elements, Type elementType) {
  return task::ScratchOp::create(builder, def.getLoc(), typeOf(elements, elementType), elements.getExpression());
}

void TaskEmitter::setSignature() {
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attributes;
  for (Kind kind : {Kind::Argument, Kind::Result})
    for (const Buffer &buffer : program.buffers) {
      if (buffer.kind != kind)
        continue;
      types.push_back(typeOf(buffer));
      NamedAttrList list;
      if (StringAttr elements = elementsOf(buffer).getExpression())
        list.set(task::TaskDialect::getElementsName(), elements);
      if (kind == Kind::Argument) {
        if (auto it = relayouts.find(buffer.index); it != relayouts.end())
          list.set("task.relayout",
                   task::RelayoutAttr::get(def.getContext(), it->second.elements, it->second.nests));
        if (std::optional<unsigned> result = inplaceResult(buffer.index))
          list.set("task.inplace", builder.getI64IntegerAttr(*result));
      }
      attributes.push_back(list.getDictionary(def.getContext()));
    }
  def.setFunctionType(builder.getFunctionType(types, {}));
  def.removeArgAttrsAttr();
  def.removeResAttrsAttr();
  Block &body = def.getBody().front();
  body.clear();
  body.eraseArguments(0, body.getNumArguments());
  for (Type type : types)
    body.addArgument(type, def.getLoc());
  def.setAllArgAttrs(attributes);
}

void TaskEmitter::run() {
  // The kernels come first: what they clone lives in the body that setSignature clears.
  struct Launch {
    func::FuncOp kernel;
    SmallVector<unsigned> buffers;
    Size extent;
  };
  SmallVector<Launch> launches;
  ArrayRef<NestSchedule> rest = schedules;
  for (ArrayRef<NestGroup> left = program.groups; !left.empty();) {
    size_t count = countTogether(left), nests = 0;
    ArrayRef<NestGroup> groups = left.take_front(count);
    for (const NestGroup &group : groups)
      nests += group.nests.size();
    ArrayRef<NestSchedule> own = rest.take_front(nests);
    left = left.drop_front(count);
    rest = rest.drop_front(nests);
    findArenaRows(groups);
    unsigned number = launches.size();
    Launch launch{emitKernel(groups, number, own), {}, extentOf(groups, own)};
    for (unsigned buffer : buffersOf(groups))
      if (isPassed(buffer))
        launch.buffers.push_back(buffer);
    launches.push_back(std::move(launch));
  }
  setSignature();
  Block &body = def.getBody().front();
  builder.setInsertionPointToStart(&body);
  SmallVector<Value> values(program.buffers.size());
  unsigned arguments = llvm::count_if(program.buffers, [](const Buffer &b) { return b.kind == Kind::Argument; });
  for (auto [number, buffer] : llvm::enumerate(program.buffers)) {
    if (buffer.kind == Kind::Argument)
      values[number] = body.getArgument(buffer.index);
    if (buffer.kind == Kind::Result)
      values[number] = body.getArgument(arguments + buffer.index);
    bool isUsed = llvm::any_of(launches, [&](const Launch &launch) { return llvm::is_contained(launch.buffers, number); });
    if (buffer.kind == Kind::Scratch && isUsed)
      values[number] = addScratch(buffer.elements, buffer.elementType);
    if (auto rows = arenaRows.find(number); rows != arenaRows.end())
      values[number] = addScratch(rows->second.elements, buffer.elementType);
  }
  for (Launch &launch : launches) {
    SmallVector<Value> operands;
    for (unsigned buffer : launch.buffers)
      operands.push_back(values[buffer]);
    StringAttr expression = launch.extent.getExpression();
    Attribute extent = expression ? Attribute(expression) : builder.getI64IntegerAttr(launch.extent);
    task::DispatchOp::create(builder, def.getLoc(), launch.kernel.getSymName(), operands, extent, /*task_index=*/IntegerAttr());
  }
  task::ReturnOp::create(builder, def.getLoc(), ValueRange());
  def->removeAttr("schedule");
}

} // namespace

void emitTask(task::DefOp def, const TaskProgram &program, ArrayRef<NestSchedule> schedules,
              const std::map<unsigned, Relayout> &relayouts, Instructions instructions) {
  TaskEmitter(def, program, schedules, relayouts, instructions).run();
}

} // namespace cameo::schedule
