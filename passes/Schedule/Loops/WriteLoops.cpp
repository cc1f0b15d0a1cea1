#include "passes/Schedule/Loops/WriteLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

/// The position of a node relative to the reduction. Nodes that only the reduction uses are inside of it, even if they
/// are invariant in it. Unused nodes are not written.
enum class Place { Nowhere, Before, Inside, Behind };

class NestWriter {
public:
  NestWriter(OpBuilder &builder, const LoopNest &nest, ArrayRef<Value> buffers)
      : builder(builder), nest(nest), buffers(buffers), values(nest.nodes.size()) {}

  void write(const NestSchedule *schedule, const GpuSchedule &gpuSchedule);

private:
  void placeNodes();
  void writePlaced(Place place);
  void writeReduction();
  void writeOutputs();
  Value writeNode(const Node &node);
  loop::LoadOp writeLoad(const Node &node);
  void addForm(const LinearForm &form, SmallVectorImpl<Value> &indices, SmallVectorImpl<Attribute> &strides);
  ArrayAttr sizes(ArrayRef<Size> list);
  Attribute size(const Size &value);

  OpBuilder &builder;
  const LoopNest &nest;
  ArrayRef<Value> buffers;
  SmallVector<Value> values; ///< of nodes
  SmallVector<Place> places; ///< of nodes
  SmallVector<Value> dims;
};

} // namespace

static Attribute sizeAttr(Builder &builder, const Size &value) {
  assert(!value.isUnknown() && "sizes of nests are numbers or expressions");
  return makeSize(value.exact(), builder.getContext());
}

Attribute NestWriter::size(const Size &value) { return sizeAttr(builder, value); }

ArrayAttr NestWriter::sizes(ArrayRef<Size> list) {
  return builder.getArrayAttr(llvm::map_to_vector(list, [&](const Size &each) { return size(each); }));
}

void NestWriter::addForm(const LinearForm &form, SmallVectorImpl<Value> &indices, SmallVectorImpl<Attribute> &strides) {
  for (auto [dim, coefficient] : llvm::enumerate(form.coefficients))
    if (coefficient != 0) {
      indices.push_back(dims[dim]);
      strides.push_back(size(coefficient));
    }
}

loop::LoadOp NestWriter::writeLoad(const Node &node) {
  SmallVector<Value> indices;
  SmallVector<Attribute> strides;
  addForm(node.address, indices, strides);
  for (auto [operand, stride] : llvm::zip_equal(node.operands, node.strides)) {
    indices.push_back(values[operand]);
    strides.push_back(size(stride));
  }
  auto load =
      loop::LoadOp::create(builder, nest.loc, node.type, buffers[node.buffer], indices, builder.getArrayAttr(strides),
                           size(node.address.constant), loop::RunAttr(), ArrayAttr(), loop::PackedAttr());
  MLIRContext *context = builder.getContext();
  if (node.shared)
    load.setRunAttr(loop::RunAttr::get(context, node.shared->length, size(node.shared->position.constant),
                                       sizes(node.shared->position.coefficients)));
  if (!node.transforms.empty())
    load.setTransformsAttr(
        builder.getArrayAttr(llvm::map_to_vector(node.transforms, [&](const DimensionTransform &each) -> Attribute {
          return loop::TransformAttr::get(context, each.dim, each.matrix->columns, each.matrix->denominator,
                                          each.matrix->entries);
        })));
  if (const std::optional<PackedLayout> &packed = node.packed)
    load.setPackedAttr(loop::PackedAttr::get(context, packed->offset, packed->blockStride, packed->group,
                                             sizes(packed->fixed), packed->perWidth, packed->width,
                                             packed->prefetched));
  return load;
}

Value NestWriter::writeNode(const Node &node) {
  switch (node.kind) {
  case Node::Kind::Load:
  case Node::Kind::Gather:
    return writeLoad(node);
  case Node::Kind::Constant:
    return arith::ConstantOp::create(builder, nest.loc, node.constant);
  case Node::Kind::Index: {
    SmallVector<Value> indices;
    SmallVector<Attribute> strides;
    addForm(node.address, indices, strides);
    return loop::IndexOp::create(builder, nest.loc, builder.getIndexType(), indices, builder.getArrayAttr(strides),
                                 size(node.address.constant));
  }
  case Node::Kind::Apply: {
    Operation *copy = builder.clone(*node.op);
    copy->setOperands(llvm::map_to_vector(node.operands, [&](NodeId operand) { return values[operand]; }));
    return copy->getResult(0);
  }
  case Node::Kind::Accumulator:
    break;
  }
  llvm_unreachable("running results are arguments and results of the reduction");
}

void NestWriter::placeNodes() {
  places.assign(nest.nodes.size(), Place::Nowhere);
  for (NodeId id : nest.computed(/*insideReduction=*/true))
    places[id] = Place::Inside;
  auto moveOut = [&](auto &&moveOut, NodeId id) -> void {
    places[id] = Place::Before;
    for (NodeId operand : nest.nodes[id].operands)
      moveOut(moveOut, operand);
  };
  for (const Reduction &reduction : nest.reductions)
    moveOut(moveOut, reduction.initial);
  for (NodeId id : nest.computed(/*insideReduction=*/false)) {
    if (places[id] == Place::Nowhere)
      places[id] = Place::Behind;
    else if (places[id] == Place::Inside && !nest.nodes[id].usesAccumulator) // used inside and after
      moveOut(moveOut, id);
  }
}

void NestWriter::writePlaced(Place place) {
  for (auto [id, node] : llvm::enumerate(nest.nodes))
    if (places[id] == place && node.kind != Node::Kind::Accumulator)
      values[id] = writeNode(node);
}

void NestWriter::writeReduction() {
  auto valuesOf = [&](auto member) {
    return llvm::map_to_vector(nest.reductions, [&](const Reduction &each) { return values[each.*member]; });
  };
  SmallVector<Value> initial = valuesOf(&Reduction::initial);
  SmallVector<Type> types = llvm::map_to_vector(initial, [](Value value) { return value.getType(); });
  auto reduce = loop::ReduceOp::create(builder, nest.loc, types, initial);
  auto setAccumulators = [&](ValueRange running) {
    for (auto [id, node] : llvm::enumerate(nest.nodes))
      if (node.kind == Node::Kind::Accumulator)
        values[id] = running[node.accumulator];
  };
  Block *body = builder.createBlock(&reduce.getBody(), {}, types, SmallVector<Location>(types.size(), nest.loc));
  setAccumulators(body->getArguments());
  writePlaced(Place::Inside);
  loop::YieldOp::create(builder, nest.loc, valuesOf(&Reduction::update));
  builder.setInsertionPointAfter(reduce);
  setAccumulators(reduce.getValues());
}

void NestWriter::writeOutputs() {
  // A value of a reduction step may also be used after it.
  for (NodeId id : nest.computed(/*insideReduction=*/false))
    if (places[id] == Place::Inside)
      places[id] = Place::Behind;
  writePlaced(Place::Behind);
  for (const Output &output : nest.outputs) {
    SmallVector<Value> indices;
    SmallVector<Attribute> strides;
    addForm(output.address, indices, strides);
    if (output.index) {
      indices.push_back(values[*output.index]);
      strides.push_back(size(output.stride));
    }
    loop::StoreOp::create(builder, nest.loc, values[output.value], buffers[output.buffer], indices,
                          builder.getArrayAttr(strides), size(output.address.constant));
  }
}

static loop::OrderAttr orderAttr(MLIRContext *context, const NestSchedule &schedule, const GpuSchedule &gpuSchedule) {
  SmallVector<int64_t> loops;
  for (const Loop &loop : schedule.loops)
    loops.append({loop.dim, loop.size});
  SmallVector<int64_t> units, bound, tensor, online, pool;
  if (auto [large, small] = schedule.pieceUnits; large > 1)
    units = {large, small};
  for (const BoundLoop &each : gpuSchedule.bound)
    bound.append({each.loop, static_cast<int64_t>(each.to)});
  if (const std::optional<TensorShape> &shape = gpuSchedule.tensor)
    tensor = {static_cast<int64_t>(shape->kind), shape->rows, shape->columns, shape->depth};
  if (const std::optional<OnlineTile> &tile = gpuSchedule.online)
    online = {tile->rows, tile->keys};
  for (const PoolWindow &window : gpuSchedule.pool)
    pool.append({window.size, window.stride, window.before, window.count});
  auto numberOf = [](std::optional<unsigned> number) { return number ? static_cast<int64_t>(*number) : -1; };
  return loop::OrderAttr::get(
      context, loops, schedule.parallelLoops, schedule.repeatedLoops, numberOf(schedule.vectorDim), schedule.lanes,
      numberOf(schedule.partialLoop), schedule.combinesSteps, numberOf(schedule.dotDim), schedule.packedBuffers,
      schedule.prefetchedBuffers, schedule.turnsRows,
      schedule.fetchWork == 0 ? FloatAttr() : Builder(context).getF64FloatAttr(schedule.fetchWork), units,
      schedule.functionsInTurns, schedule.finishesInLoop, bound, gpuSchedule.cachedBuffers, gpuSchedule.stages,
      gpuSchedule.unroll, gpuSchedule.copy == Copy::Async, tensor, online, gpuSchedule.chained, pool);
}

void NestWriter::write(const NestSchedule *schedule, const GpuSchedule &gpuSchedule) {
  SmallVector<Attribute> extents;
  SmallVector<bool> reductions;
  for (const Dimension &dim : nest.dims) {
    extents.push_back(size(dim.extent));
    reductions.push_back(dim.reduction);
  }
  auto made = loop::NestOp::create(builder, nest.loc, builder.getStringAttr(nest.name), builder.getArrayAttr(extents),
                                   builder.getDenseBoolArrayAttr(reductions),
                                   schedule ? orderAttr(builder.getContext(), *schedule, gpuSchedule) : nullptr);
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Type> types(nest.dims.size(), builder.getIndexType());
  Block *body = builder.createBlock(&made.getBody(), {}, types, SmallVector<Location>(types.size(), nest.loc));
  dims.assign(body->args_begin(), body->args_end());
  placeNodes();
  writePlaced(Place::Before);
  if (nest.hasReduction())
    writeReduction();
  writeOutputs();
}

/// Creates the operation of `buffer`.
static Value writeBuffer(OpBuilder &builder, Location loc, const Buffer &buffer,
                         const std::map<unsigned, ConstantPacking> &packings) {
  MLIRContext *context = builder.getContext();
  Attribute space = buffer.space == loop::Space::Global ? nullptr : loop::SpaceAttr::get(context, buffer.space);
  IntegerAttr number = buffer.isArgument() || buffer.isResult() ? builder.getI64IntegerAttr(buffer.index) : nullptr;
  int64_t elements = buffer.elements.isKnown() ? int64_t(buffer.elements) : ShapedType::kDynamic;
  // All loads of a packed argument use its packed layout.
  auto packing = buffer.isArgument() ? packings.find(buffer.index) : packings.end();
  if (packing != packings.end())
    elements = packing->second.elements;
  auto type = MemRefType::get({elements}, buffer.elementType, MemRefLayoutAttrInterface(), space);
  auto made =
      loop::BufferOp::create(builder, loc, type, buffer.role, number, buffer.table, buffer.packable, buffer.perRow,
                             elements == ShapedType::kDynamic ? buffer.elements.getExpression() : DimExprAttr());
  if (packing != packings.end())
    made->setAttr(task::TaskDialect::getPackingName(),
                  task::PackingAttr::get(context, packing->second.elements, packing->second.nests));
  return made;
}

void writeLoops(task::DefOp def, const LoopForm &form) {
  Block &body = def.getBody().front();
  OpBuilder builder(body.getTerminator());
  auto made = loop::ProgramOp::create(builder, def.getLoc(), def.getResultTypes(), body.getArguments());
  builder.createBlock(&made.getBody());
  SmallVector<Value> buffers;
  for (const Buffer &buffer : form.program.buffers)
    buffers.push_back(writeBuffer(builder, def.getLoc(), buffer, form.packings));
  size_t number = 0;
  const NestSchedule *schedule = form.schedules.empty() ? nullptr : form.schedules.data();
  for (const NestGroup &group : form.program.groups) {
    auto madeGroup = loop::GroupOp::create(builder, group.nests.front().loc, group.rowDims, group.orderedDims,
                                           group.continues, group.sharesMatrix, group.sharesKernel);
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&madeGroup.getBody());
    for (const LoopNest &nest : group.nests) {
      NestWriter(builder, nest, buffers)
          .write(schedule, form.gpuSchedules.empty() ? GpuSchedule() : form.gpuSchedules[number++]);
      schedule = schedule ? schedule + 1 : nullptr;
    }
  }
  body.getTerminator()->setOperands(made.getOutputs());
  while (&body.front() != made)
    made->getPrevNode()->erase();
}

} // namespace cameo::schedule
