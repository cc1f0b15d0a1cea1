#include "passes/Schedule/Loops/ReadLoops.h"

#include "passes/Schedule/Nests/Build/BuildNests.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

class NestReader {
public:
  NestReader(loop::NestOp source, TaskProgram &program, const DenseMap<Value, unsigned> &buffers)
      : source(source), program(program), buffers(buffers), nest(source.getLoc()) {}

  LoopNest read();

private:
  void readBody(Block &body);
  void readReduction(loop::ReduceOp reduce);
  void readLoad(loop::LoadOp load);
  void add(Value value, Node node) { nodes[value] = appendNode(nest, std::move(node)); }
  LinearForm linear(OperandRange indices, ArrayRef<Attribute> strides, Attribute offset,
                    llvm::function_ref<void(Value, Size)> computed);
  const RationalMatrix *matrixOf(loop::TransformAttr transform);

  loop::NestOp source;
  TaskProgram &program;
  const DenseMap<Value, unsigned> &buffers;
  LoopNest nest;
  DenseMap<Value, NodeId> nodes;
};

} // namespace

static Size sizeOf(Attribute size) { return Size(readSize(size)); }

static SmallVector<Size, 8> sizesOf(ArrayAttr sizes) {
  return llvm::map_to_vector<8>(sizes, [](Attribute size) { return sizeOf(size); });
}

/// Returns the linear form over the nest's dimensions; passes computed indices with their strides to `computed`.
LinearForm NestReader::linear(OperandRange indices, ArrayRef<Attribute> strides, Attribute offset,
                              llvm::function_ref<void(Value, Size)> computed) {
  LinearForm form(nest.dims.size());
  form.constant = sizeOf(offset);
  for (auto [index, stride] : llvm::zip_equal(indices, strides)) {
    auto dim = dyn_cast<BlockArgument>(index);
    if (dim && dim.getOwner() == &source.getBody().front())
      form.coefficients[dim.getArgNumber()] += sizeOf(stride);
    else
      computed(index, sizeOf(stride));
  }
  return form;
}

/// Returns the matrix of `transform`; equal matrices are shared.
const RationalMatrix *NestReader::matrixOf(loop::TransformAttr transform) {
  if (!program.matrices)
    program.matrices = std::make_shared<std::deque<RationalMatrix>>();
  auto rows = static_cast<int64_t>(transform.getEntries().size()) / transform.getColumns();
  RationalMatrix matrix{rows, transform.getColumns(), transform.getDenominator(),
                        SmallVector<int64_t>(transform.getEntries())};
  auto known = llvm::find(*program.matrices, matrix);
  return known != program.matrices->end() ? &*known : &program.matrices->emplace_back(std::move(matrix));
}

void NestReader::readLoad(loop::LoadOp load) {
  Node node{Node::Kind::Load, load.getValue().getType(), buffers.lookup(load.getBuffer())};
  node.address =
      linear(load.getIndices(), load.getStrideList(), load.getOffset(), [&](Value index, const Size &stride) {
        node.operands.push_back(nodes.lookup(index));
        node.strides.push_back(stride);
      });
  if (!node.operands.empty())
    node.kind = Node::Kind::Gather;
  if (std::optional<loop::RunAttr> run = load.getRun()) {
    node.shared = SharedRun{LinearForm(), run->getLength()};
    node.shared->position.coefficients = sizesOf(run->getStrides());
    node.shared->position.constant = sizeOf(run->getOffset());
  }
  if (std::optional<ArrayAttr> transforms = load.getTransforms())
    for (auto transform : transforms->getAsRange<loop::TransformAttr>())
      node.transforms.push_back({transform.getDim(), matrixOf(transform)});
  if (std::optional<loop::PackedAttr> packed = load.getPacked())
    node.packed = PackedLayout{packed->getOffset(),
                               packed->getBlockStride(),
                               packed->getGroup(),
                               sizesOf(packed->getFixed()),
                               SmallVector<int64_t, 8>(packed->getPerWidth()),
                               packed->getWidth(),
                               packed->getPrefetched()};
  add(load.getValue(), std::move(node));
}

/// Maps the running values inside of the reduction and its results to the same nodes.
void NestReader::readReduction(loop::ReduceOp reduce) {
  for (auto [number, running, result] : llvm::enumerate(reduce.getBody().getArguments(), reduce.getValues())) {
    Node node{Node::Kind::Accumulator, running.getType()};
    node.accumulator = number;
    add(running, std::move(node));
    nodes[result] = nodes[running];
  }
  readBody(reduce.getBody().front());
  auto yield = cast<loop::YieldOp>(reduce.getBody().front().back());
  for (auto [initial, next] : llvm::zip_equal(reduce.getInitial(), yield.getValues()))
    nest.reductions.push_back({nodes.lookup(initial), nodes.lookup(next)});
}

void NestReader::readBody(Block &body) {
  for (Operation &op : body) {
    if (auto load = dyn_cast<loop::LoadOp>(op)) {
      readLoad(load);
    } else if (auto reduce = dyn_cast<loop::ReduceOp>(op)) {
      readReduction(reduce);
    } else if (auto store = dyn_cast<loop::StoreOp>(op)) {
      Output output{nodes.lookup(store.getValue()), buffers.lookup(store.getBuffer()), {}};
      output.address =
          linear(store.getIndices(), store.getStrideList(), store.getOffset(), [&](Value index, const Size &stride) {
            output.index = nodes.lookup(index);
            output.stride = int64_t(stride);
          });
      nest.outputs.push_back(std::move(output));
    } else if (auto index = dyn_cast<loop::IndexOp>(op)) {
      Node node{Node::Kind::Index, index.getValue().getType()};
      node.address = linear(index.getIndices(), index.getStrideList(), index.getOffset(), [](Value, const Size &) {});
      add(index.getValue(), std::move(node));
    } else if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      Node node{Node::Kind::Constant, constant.getType()};
      node.constant = constant.getValue();
      add(constant.getResult(), std::move(node));
    } else if (!isa<loop::YieldOp>(op)) {
      Node node{Node::Kind::Apply, op.getResult(0).getType()};
      node.op = &op;
      node.operands = llvm::map_to_vector<3>(op.getOperands(), [&](Value operand) { return nodes.lookup(operand); });
      add(op.getResult(0), std::move(node));
    }
  }
}

LoopNest NestReader::read() {
  nest.name = source.getName().str();
  for (auto [extent, isReduction] : llvm::zip_equal(source.getExtents(), source.getReductions()))
    nest.dims.push_back({sizeOf(extent), isReduction});
  readBody(source.getBody().front());
  return std::move(nest);
}

static NestSchedule scheduleOf(loop::OrderAttr order) {
  NestSchedule schedule;
  for (size_t loop = 0; loop < order.getLoops().size(); loop += 2)
    schedule.loops.push_back({static_cast<unsigned>(order.getLoops()[loop]), order.getLoops()[loop + 1]});
  auto numberOf = [](int64_t number) {
    return number < 0 ? std::nullopt : std::optional(static_cast<unsigned>(number));
  };
  schedule.parallelLoops = order.getParallel();
  schedule.repeatedLoops = order.getRepeated();
  schedule.vectorDim = numberOf(order.getVector());
  schedule.lanes = order.getLanes();
  schedule.partialLoop = numberOf(order.getPartial());
  schedule.combinesSteps = order.getCombinesSteps();
  schedule.dotDim = numberOf(order.getDot());
  schedule.packedBuffers.assign(order.getPacked().begin(), order.getPacked().end());
  schedule.prefetchedBuffers.assign(order.getPrefetched().begin(), order.getPrefetched().end());
  schedule.turnsRows = order.getTurnsRows();
  schedule.fetchWork = order.getFetchWork() ? order.getFetchWork().getValueAsDouble() : 0;
  if (ArrayRef<int64_t> units = order.getPieceUnits(); !units.empty())
    schedule.pieceUnits = {units[0], units[1]};
  schedule.functionsInTurns = order.getFunctionsInTurns();
  schedule.finishesInLoop = order.getFinishesInLoop();
  return schedule;
}

static GpuSchedule gpuScheduleOf(loop::OrderAttr order) {
  GpuSchedule schedule;
  for (size_t each = 0; each < order.getBound().size(); each += 2)
    schedule.bound.push_back(
        {static_cast<unsigned>(order.getBound()[each]), static_cast<Binding>(order.getBound()[each + 1])});
  schedule.cachedBuffers.assign(order.getCached().begin(), order.getCached().end());
  schedule.stages = order.getStages();
  schedule.unroll = order.getUnroll();
  schedule.copy = order.getAsync() ? Copy::Async : Copy::Vector;
  if (ArrayRef<int64_t> tensor = order.getTensor(); !tensor.empty())
    schedule.tensor = {static_cast<TensorKind>(tensor[0]), tensor[1], tensor[2], tensor[3]};
  if (ArrayRef<int64_t> online = order.getOnline(); !online.empty())
    schedule.online = {online[0], online[1]};
  schedule.chained = order.getChained();
  for (ArrayRef<int64_t> pool = order.getPool(); !pool.empty(); pool = pool.drop_front(4))
    schedule.pool.push_back({pool[0], pool[1], pool[2], pool[3]});
  return schedule;
}

static Buffer readBuffer(loop::BufferOp source) {
  MemRefType type = source.getMemory().getType();
  Buffer buffer{source.getRole()};
  if (Attribute space = type.getMemorySpace())
    buffer.space = cast<loop::SpaceAttr>(space).getValue();
  buffer.index = source.getNumber().value_or(0);
  buffer.elements = source.getElementsAttr() ? Size(Dim(source.getElementsAttr())) : Size(type.getNumElements());
  buffer.elementType = type.getElementType();
  buffer.table = source.getTableAttr();
  buffer.packable = source.getPackable();
  buffer.perRow = source.getPerRow();
  return buffer;
}

loop::ProgramOp programOf(task::DefOp def) {
  return def.getBody().empty() || def.isBufferForm() ? nullptr
                                                     : dyn_cast<loop::ProgramOp>(def.getBody().front().front());
}

llvm::Expected<TaskProgram> nestsOf(task::DefOp def, ArrayRef<bool> constantArguments) {
  return programOf(def) ? llvm::Expected<TaskProgram>(readNests(def)) : buildNests(def, constantArguments);
}

LoopForm readLoops(task::DefOp def) {
  LoopForm form;
  DenseMap<Value, unsigned> buffers;
  bool isOrdered = true;
  Block &body = programOf(def).getBody().front();
  for (auto source : body.getOps<loop::BufferOp>()) {
    buffers[source.getMemory()] = form.program.buffers.size();
    form.program.buffers.push_back(readBuffer(source));
    if (auto packing = source->getAttrOfType<task::PackingAttr>(task::TaskDialect::getPackingName()))
      form.packings[form.program.buffers.back().index] = {packing.getElements(),
                                                          SmallVector<int64_t>(packing.getNests())};
  }
  for (auto source : body.getOps<loop::GroupOp>()) {
    NestGroup &group = form.program.groups.emplace_back();
    group.rowDims = source.getRows();
    group.orderedDims = source.getOrdered();
    group.continues = source.getContinues();
    group.sharesMatrix = source.getSharesMatrix();
    group.sharesKernel = source.getSharesKernel();
    for (auto nest : source.getBody().front().getOps<loop::NestOp>()) {
      group.nests.push_back(NestReader(nest, form.program, buffers).read());
      isOrdered &= nest.getOrder().has_value();
      form.schedules.push_back(nest.getOrder() ? scheduleOf(*nest.getOrder()) : NestSchedule());
      form.gpuSchedules.push_back(nest.getOrder() ? gpuScheduleOf(*nest.getOrder()) : GpuSchedule());
    }
  }
  if (!isOrdered) {
    form.schedules.clear();
    form.gpuSchedules.clear();
  }
  return form;
}

} // namespace cameo::schedule
