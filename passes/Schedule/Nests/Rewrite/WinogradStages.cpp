// Builds the stages from ordinary expressions and sums, so the emitters need no special support.
#include "passes/Schedule/Nests/Rewrite/WinogradStages.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {

WinogradStages::WinogradStages(TaskProgram &program, const LoopNest &nest, const ConvolutionNest &roles,
                               const WinogradStep &step)
    : program(program), nest(nest), roles(roles), step(step), transform(*winogradTransform(step.outputs)),
      type(nest.nodes[nest.reductions.front().update].type), size(step.outputs + 2),
      inputChannels(nest.dims[roles.depth].extent), outputChannels(nest.dims[roles.channels].extent) {
  makeOperations();
}

void WinogradStages::makeOperations() {
  OpBuilder builder = program.operationBuilder(type.getContext());
  Value left = program.operations->addArgument(type, nest.loc), right = program.operations->addArgument(type, nest.loc);
  ops.add = arith::AddFOp::create(builder, nest.loc, left, right);
  ops.subtract = arith::SubFOp::create(builder, nest.loc, left, right);
  ops.multiply = arith::MulFOp::create(builder, nest.loc, left, right);
  Value number = program.operations->addArgument(builder.getIndexType(), nest.loc);
  auto same = arith::CmpIOp::create(builder, nest.loc, arith::CmpIPredicate::eq, number, number);
  isSame = same;
  choose = arith::SelectOp::create(builder, nest.loc, same, left, right);
}

/// Adds a buffer for `count` values per element of a tile. The stride between elements is an odd number of cache lines,
/// because elements at a power of two apart would map to the same cache sets.
WinogradStages::Tiles WinogradStages::addBuffer(const Size &count, bool perRow) {
  Size stride = (countWholePieces(countPieces(count, 16), 2) * 2 + 1) * 16;
  program.buffers.push_back(Buffer::scratch(size * size * stride, type));
  if (perRow)
    program.buffers.back().becomeRow(size * size * stride);
  return {static_cast<unsigned>(program.buffers.size() - 1), stride};
}

void WinogradStages::addBuffers(const Size &tiles, bool perRow) {
  inputs = addBuffer(tiles * inputChannels, perRow);
  products = addBuffer(tiles * outputChannels, perRow);
}

LoopNest WinogradStages::makeNest(const char *stage, const TileSpace &space, int64_t channels) const {
  LoopNest made(nest.loc);
  made.name = nest.name + stage;
  made.dims.assign(space.dims.begin(), space.dims.end());
  made.dims.back().extent = channels;
  return made;
}

/// Returns `form`, over the dimensions of the convolution, with each dimension replaced by a form over those of a
/// stage.
LinearForm WinogradStages::substitute(const LinearForm &form, ArrayRef<LinearForm> dims) const {
  LinearForm result(dims.front().coefficients.size());
  result.constant = form.constant;
  for (auto [dim, coefficient] : llvm::enumerate(form.coefficients))
    if (coefficient != 0)
      result.add(dims[dim], coefficient);
  return result;
}

/// Returns the address of an element of a transformed tile at the stage's channel.
LinearForm WinogradStages::between(const TileSpace &space, int64_t element, int64_t channels,
                                   const Tiles &tiles) const {
  LinearForm form(space.dims.size());
  form.add(space.tile, channels);
  form.coefficients.back() = 1;
  form.constant += element * tiles.stride;
  return form;
}

Node WinogradStages::loadFrom(unsigned buffer, LinearForm address) const {
  Node load{Node::Kind::Load, type};
  load.buffer = buffer;
  load.address = std::move(address);
  return load;
}

NodeId WinogradStages::apply(LoopNest &into, Operation *op, ArrayRef<NodeId> operands) const {
  Node node{Node::Kind::Apply, op->getResult(0).getType()};
  node.op = op;
  node.operands.assign(operands.begin(), operands.end());
  return addNode(into, std::move(node));
}

/// Returns matrix * tile * transposed matrix, for a square tile.
SmallVector<NodeId> WinogradStages::transformTile(LoopNest &into, const RationalMatrix &matrix,
                                                  ArrayRef<NodeId> tile) const {
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

LoopNest WinogradStages::transformInput(const TileSpace &space) const {
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
      tile.push_back(cloneInto(stage, roles.inputFactor, dims));
    }
  for (auto [element, value] : llvm::enumerate(transformTile(stage, transform.input, tile)))
    stage.outputs.push_back({value, inputs.buffer, between(space, element, inputChannels, inputs)});
  return stage;
}

/// Returns the initial value of a sum.
NodeId WinogradStages::zeroOf(LoopNest &into) const {
  Node zero{Node::Kind::Constant, type};
  zero.constant = nest.nodes[nest.reductions.front().initial].constant;
  return addNode(into, std::move(zero));
}

/// Adds a sum of products to every point of `stage`, starting from `initial` and stored at `address`.
void WinogradStages::addSum(LoopNest &stage, NodeId initial, Node input, Node filter, LinearForm address) const {
  NodeId sum = addNode(stage, Node{Node::Kind::Accumulator, input.type});
  NodeId left = addNode(stage, std::move(input)), right = addNode(stage, std::move(filter));
  stage.reductions.push_back({initial, apply(stage, ops.add, {sum, apply(stage, ops.multiply, {left, right})})});
  stage.outputs.push_back({sum, products.buffer, std::move(address)});
}

LoopNest WinogradStages::multiply(const TileSpace &space) {
  LoopNest stage(nest.loc);
  stage.name = nest.name + ".product";
  stage.dims.assign(space.dims.begin(), space.dims.begin() + space.blockDims);
  unsigned row = space.blockDims, column = row + 1, tile = row + 2, channel = row + 3, depth = row + 4, count = row + 5;
  for (const Size &extent : {Size(size), Size(size), space.blockTiles, Size(outputChannels)})
    stage.dims.push_back({extent, false});
  stage.dims.push_back({inputChannels, true});
  auto addressOf = [&](const Tiles &tiles, int64_t channels, unsigned channelDim) {
    LinearForm form(count);
    form.coefficients[row] = size * tiles.stride;
    form.coefficients[column] = tiles.stride;
    form.coefficients[tile] = channels;
    form.coefficients[channelDim] = 1;
    return form;
  };
  SmallVector<LinearForm> dims(nest.dims.size(), LinearForm(count));
  dims[roles.filterRows] = LinearForm::dimension(count, row);
  dims[roles.filterColumns] = LinearForm::dimension(count, column);
  dims[roles.channels] = LinearForm::dimension(count, channel);
  dims[roles.depth] = LinearForm::dimension(count, depth);
  const Node &weight = nest.nodes[roles.filter];
  program.buffers[weight.buffer].elementType = type; // as which a transformed constant is stored
  Node filter = loadFrom(weight.buffer, substitute(weight.address, dims));
  filter.transforms = {{row, &transform.filter}, {column, &transform.filter}};
  addSum(stage, zeroOf(stage), loadFrom(inputs.buffer, addressOf(inputs, inputChannels, depth)), std::move(filter),
         addressOf(products, outputChannels, channel));
  return stage;
}

/// Clones the expression `id` of the convolution, with its dimensions replaced by `dims` and its accumulator by `sum`.
NodeId WinogradStages::cloneInto(LoopNest &into, NodeId id, ArrayRef<LinearForm> dims, NodeId sum) const {
  if (nest.nodes[id].kind == Node::Kind::Accumulator)
    return sum;
  Node node = nest.nodes[id];
  for (NodeId &operand : node.operands)
    operand = cloneInto(into, operand, dims, sum);
  if (!node.address.coefficients.empty())
    node.address = substitute(node.address, dims);
  return addNode(into, std::move(node));
}

LoopNest WinogradStages::transformOutput(const TileSpace &space) const {
  LoopNest stage = makeNest(".output", space, outputChannels);
  unsigned count = stage.dims.size();
  SmallVector<NodeId> tile;
  for (int64_t element = 0; element < size * size; ++element)
    tile.push_back(addNode(stage, loadFrom(products.buffer, between(space, element, outputChannels, products))));
  SmallVector<NodeId> sums = transformTile(stage, transform.output, tile);
  if (double scale = sumScale(); scale != 1) {
    Node factor{Node::Kind::Constant, type};
    factor.constant = FloatAttr::get(type, scale);
    NodeId number = addNode(stage, std::move(factor));
    for (NodeId &sum : sums)
      sum = apply(stage, ops.multiply, {sum, number});
  }
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
} // namespace cameo::schedule
