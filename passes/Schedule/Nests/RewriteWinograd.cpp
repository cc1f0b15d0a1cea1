// Three stages in the language of loop nests: the emitter knows nothing of them.
#include "passes/Schedule/Nests/RewriteWinograd.h"

#include "passes/Schedule/Nests/WinogradTransform.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

class Rewriter {
public:
  Rewriter(TaskProgram &program, const LoopNest &nest, const ConvolutionNest &roles, const WinogradStep &step)
      : program(program), nest(nest), roles(roles), step(step), transform(*winogradTransform(step.outputs)),
        size(step.outputs + 2), inputChannels(nest.dims[roles.depth].extent),
        outputChannels(nest.dims[roles.channels].extent) {
    makeOperations();
  }

  std::vector<NestGroup> run() {
    TiledPlane plane = tilesOf(nest, roles, step.outputs);
    if (step.rows >= plane.tileRows() && step.columns >= plane.tileColumns())
      addStages(wholeSpaces(plane));
    else
      addBlocks(blockSpaces(plane, step.rows, step.columns));
    return std::move(groups);
  }

private:
  void makeOperations();
  void addStages(ArrayRef<TileSpace> spaces);
  void addBlocks(ArrayRef<TileSpace> spaces);
  void addBuffers(Buffer::Kind kind, int64_t tiles);
  LoopNest makeNest(const char *stage, const TileSpace &space, int64_t channels) const;
  LoopNest transformInput(const TileSpace &space) const;
  LoopNest multiply(const TileSpace &space) const;
  LoopNest transformOutput(const TileSpace &space) const;
  SmallVector<NodeId> transformTile(LoopNest &into, const RationalMatrix &matrix, ArrayRef<NodeId> tile) const;
  NodeId cloneInto(LoopNest &into, NodeId id, ArrayRef<LinearForm> dims, NodeId sum) const;
  LinearForm substitute(const LinearForm &form, ArrayRef<LinearForm> dims) const;
  LinearForm between(const TileSpace &space, int64_t element, int64_t channels, int64_t stride) const;

  TaskProgram &program;
  const LoopNest &nest;
  const ConvolutionNest &roles;
  WinogradStep step;
  const WinogradTransform &transform;
  int64_t size, inputChannels, outputChannels;
  ScalarOps ops;
  /// Between the stages: per element of a transformed tile, all tiles, channels innermost.
  unsigned inputs = 0, products = 0;
  int64_t inputStride = 0, productStride = 0;
  std::vector<NestGroup> groups;
};

void Rewriter::makeOperations() {
  if (!program.operations)
    program.operations = std::make_shared<Block>();
  Type type = nest.nodes[nest.reductions.front().update].type;
  OpBuilder builder(type.getContext());
  builder.setInsertionPointToEnd(program.operations.get());
  Value left = program.operations->addArgument(type, nest.loc), right = program.operations->addArgument(type, nest.loc);
  ops.add = arith::AddFOp::create(builder, nest.loc, left, right);
  ops.subtract = arith::SubFOp::create(builder, nest.loc, left, right);
  ops.multiply = arith::MulFOp::create(builder, nest.loc, left, right);
}

/// The elements of a tile lie apart by an odd number of cache lines: at a power of two they would share cache sets.
void Rewriter::addBuffers(Buffer::Kind kind, int64_t tiles) {
  auto add = [&](int64_t channels, int64_t &stride) {
    stride = (llvm::divideCeil(tiles * channels, 16) | 1) * 16;
    program.buffers.push_back({kind, 0, size * size * stride, nest.nodes[roles.input].type, {}, false});
    return program.buffers.size() - 1;
  };
  inputs = add(inputChannels, inputStride);
  products = add(outputChannels, productStride);
}

/// All tiles go through one stage before the next.
void Rewriter::addStages(ArrayRef<TileSpace> spaces) {
  addBuffers(Buffer::Kind::Scratch, spaces.front().blockTiles);
  auto add = [&](LoopNest stage) { groups.emplace_back().nests.push_back(std::move(stage)); };
  for (const TileSpace &space : spaces)
    add(transformInput(space));
  add(multiply(spaces.front()));
  for (const TileSpace &space : spaces)
    add(transformOutput(space));
}

/// Each block goes through all stages before the next. Those at the edges, which have fewer tiles, are rows of another kind.
void Rewriter::addBlocks(ArrayRef<TileSpace> spaces) {
  int64_t most = 0;
  for (const TileSpace &space : spaces)
    most = std::max(most, space.blockTiles);
  addBuffers(Buffer::Kind::RowLocal, most);
  for (const TileSpace &space : spaces) {
    NestGroup &group = groups.emplace_back();
    group.rowDims = space.blockDims;
    group.continues = groups.size() > 1;
    group.nests = {transformInput(space), multiply(space), transformOutput(space)};
  }
}

LoopNest Rewriter::makeNest(const char *stage, const TileSpace &space, int64_t channels) const {
  LoopNest made(nest.loc);
  made.name = nest.name + stage;
  made.dims.assign(space.dims.begin(), space.dims.end());
  made.dims.back().extent = channels;
  return made;
}

/// `form` over the dimensions of the convolution, each replaced by one over those of a stage.
LinearForm Rewriter::substitute(const LinearForm &form, ArrayRef<LinearForm> dims) const {
  LinearForm result(dims.front().coefficients.size());
  result.constant = form.constant;
  for (auto [dim, coefficient] : llvm::enumerate(form.coefficients))
    if (coefficient != 0)
      result.add(dims[dim], coefficient);
  return result;
}

/// The address of an element of a transformed tile, at the stage's channel.
LinearForm Rewriter::between(const TileSpace &space, int64_t element, int64_t channels, int64_t stride) const {
  LinearForm form(space.dims.size());
  form.add(space.tile, channels);
  form.coefficients.back() = 1;
  form.constant += element * stride;
  return form;
}

/// matrix * tile * transposed matrix.
SmallVector<NodeId> Rewriter::transformTile(LoopNest &into, const RationalMatrix &matrix, ArrayRef<NodeId> tile) const {
  std::vector<SmallVector<NodeId>> columns;
  for (int64_t column = 0; column < matrix.columns; ++column) {
    SmallVector<NodeId> values;
    for (int64_t row = 0; row < matrix.columns; ++row)
      values.push_back(tile[row * matrix.columns + column]);
    columns.push_back(applyMatrix(into, matrix, values, ops));
  }
  SmallVector<NodeId> result;
  for (int64_t row = 0; row < matrix.rows; ++row) {
    SmallVector<NodeId> values;
    for (const SmallVector<NodeId> &column : columns)
      values.push_back(column[row]);
    result.append(applyMatrix(into, matrix, values, ops));
  }
  return result;
}

LoopNest Rewriter::transformInput(const TileSpace &space) const {
  LoopNest stage = makeNest(".input", space, inputChannels);
  unsigned count = stage.dims.size();
  SmallVector<LinearForm> dims(nest.dims.size(), LinearForm(count));
  for (auto [dim, form] : llvm::zip_equal(roles.batch, space.batch))
    dims[dim] = form;
  dims[roles.rows] = space.row;
  dims[roles.columns] = space.column;
  dims[roles.depth] = LinearForm::dimension(count, count - 1);
  SmallVector<NodeId> tile;
  for (int64_t row = 0; row < size; ++row)
    for (int64_t column = 0; column < size; ++column) {
      dims[roles.filterRows].constant = row;
      dims[roles.filterColumns].constant = column;
      Node load{Node::Kind::Load, nest.nodes[roles.input].type};
      load.buffer = nest.nodes[roles.input].buffer;
      load.address = substitute(nest.nodes[roles.input].address, dims);
      tile.push_back(addNode(stage, std::move(load)));
    }
  for (auto [element, value] : llvm::enumerate(transformTile(stage, transform.input, tile)))
    stage.outputs.push_back({value, inputs, between(space, element, inputChannels, inputStride)});
  return stage;
}

/// One matrix product per element of a tile: tiles by channels.
LoopNest Rewriter::multiply(const TileSpace &space) const {
  LoopNest stage(nest.loc);
  stage.name = nest.name + ".product";
  stage.dims.assign(space.dims.begin(), space.dims.begin() + space.blockDims);
  unsigned row = space.blockDims, column = row + 1, tile = row + 2, channel = row + 3, depth = row + 4, count = row + 5;
  for (int64_t extent : {size, size, space.blockTiles, outputChannels})
    stage.dims.push_back({extent, false});
  stage.dims.push_back({inputChannels, true});
  Type type = nest.nodes[roles.input].type;
  auto addressOf = [&](int64_t stride, int64_t channels, unsigned channelDim) {
    LinearForm form(count);
    form.coefficients[row] = size * stride;
    form.coefficients[column] = stride;
    form.coefficients[tile] = channels;
    form.coefficients[channelDim] = 1;
    return form;
  };
  Node input{Node::Kind::Load, type};
  input.buffer = inputs;
  input.address = addressOf(inputStride, inputChannels, depth);
  Node filter{Node::Kind::Load, type};
  filter.buffer = nest.nodes[roles.filter].buffer;
  SmallVector<LinearForm> dims(nest.dims.size(), LinearForm(count));
  dims[roles.filterRows] = LinearForm::dimension(count, row);
  dims[roles.filterColumns] = LinearForm::dimension(count, column);
  dims[roles.channels] = LinearForm::dimension(count, channel);
  dims[roles.depth] = LinearForm::dimension(count, depth);
  filter.address = substitute(nest.nodes[roles.filter].address, dims);
  filter.transforms = {{row, &transform.filter}, {column, &transform.filter}};
  auto apply = [&](Operation *op, NodeId left, NodeId right) {
    Node node{Node::Kind::Apply, type};
    node.op = op;
    node.operands = {left, right};
    return addNode(stage, std::move(node));
  };
  Node zero{Node::Kind::Constant, type};
  zero.constant = nest.nodes[nest.reductions.front().initial].constant;
  NodeId initial = addNode(stage, std::move(zero));
  NodeId sum = addNode(stage, Node{Node::Kind::Accumulator, type});
  NodeId left = addNode(stage, std::move(input));
  NodeId product = apply(ops.multiply, left, addNode(stage, std::move(filter)));
  stage.reductions.push_back({initial, apply(ops.add, sum, product)});
  stage.outputs.push_back({sum, products, addressOf(productStride, outputChannels, channel)});
  return stage;
}

/// The expression `id` of the convolution with other dimensions and another sum.
NodeId Rewriter::cloneInto(LoopNest &into, NodeId id, ArrayRef<LinearForm> dims, NodeId sum) const {
  if (nest.nodes[id].kind == Node::Kind::Accumulator)
    return sum;
  Node node = nest.nodes[id];
  for (NodeId &operand : node.operands)
    operand = cloneInto(into, operand, dims, sum);
  if (!node.address.coefficients.empty())
    node.address = substitute(node.address, dims);
  return addNode(into, std::move(node));
}

LoopNest Rewriter::transformOutput(const TileSpace &space) const {
  LoopNest stage = makeNest(".output", space, outputChannels);
  unsigned count = stage.dims.size();
  SmallVector<NodeId> tile;
  for (int64_t element = 0; element < size * size; ++element) {
    Node load{Node::Kind::Load, nest.nodes[roles.input].type};
    load.buffer = products;
    load.address = between(space, element, outputChannels, productStride);
    tile.push_back(addNode(stage, std::move(load)));
  }
  SmallVector<NodeId> sums = transformTile(stage, transform.output, tile);
  SmallVector<LinearForm> dims(nest.dims.size(), LinearForm(count));
  for (auto [dim, form] : llvm::zip_equal(roles.batch, space.batch))
    dims[dim] = form;
  dims[roles.channels] = LinearForm::dimension(count, count - 1);
  for (int64_t row = space.storedRow; row < step.outputs; ++row)
    for (int64_t column = space.storedColumn; column < step.outputs; ++column) {
      dims[roles.rows] = space.row;
      dims[roles.rows].constant += roles.rowDilation * row;
      dims[roles.columns] = space.column;
      dims[roles.columns].constant += roles.columnDilation * column;
      for (const Output &output : nest.outputs) {
        NodeId value = cloneInto(stage, output.value, dims, sums[row * step.outputs + column]);
        stage.outputs.push_back({value, output.buffer, substitute(output.address, dims)});
      }
    }
  return stage;
}

} // namespace

TiledPlane tilesOf(const LoopNest &nest, const ConvolutionNest &roles, int64_t outputs) {
  TiledPlane plane{{}, {nest.dims[roles.rows].extent, roles.rowDilation}, {nest.dims[roles.columns].extent, roles.columnDilation}, outputs};
  for (unsigned dim : roles.batch)
    plane.images.push_back(nest.dims[dim].extent);
  return plane;
}

llvm::Error rewriteWinograd(TaskProgram &program, const WinogradStep &step) {
  unsigned number = 0;
  for (unsigned position = 0; position < program.groups.size(); ++position) {
    unsigned nests = program.groups[position].nests.size();
    if (step.nest >= number + nests) {
      number += nests;
      continue;
    }
    if (program.groups[position].rowDims > 0 || nests > 1)
      return llvm::createStringError("expected a nest of its own, got one of a group");
    if (!winogradTransform(step.outputs))
      return llvm::createStringError("expected tiles of 2 or 4 outputs, got %d", static_cast<int>(step.outputs));
    const LoopNest &nest = program.groups[position].nests.front();
    llvm::Expected<ConvolutionNest> roles = matchConvolution(program, nest);
    if (!roles)
      return roles.takeError();
    if (!tilesOf(nest, *roles, step.outputs).fits())
      return llvm::createStringError("expected a plane of at least one tile");
    std::vector<NestGroup> stages = Rewriter(program, nest, *roles, step).run();
    auto at = program.groups.erase(program.groups.begin() + position);
    program.groups.insert(at, std::make_move_iterator(stages.begin()), std::make_move_iterator(stages.end()));
    return llvm::Error::success();
  }
  return llvm::createStringError("expected a nest below %u, got %u", number, step.nest);
}

} // namespace cameo::schedule
