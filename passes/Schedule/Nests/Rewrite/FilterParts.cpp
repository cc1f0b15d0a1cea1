// Transforms filters at run time. The memory traffic of a filter is then between a quarter and slightly more than half
// of the traffic of the transformed filter.
#include "passes/Schedule/Nests/Rewrite/WinogradStages.h"

#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {

void WinogradStages::addFilterBuffer() { filters = addBuffer(step.channels * step.depth, /*perRow=*/true); }

/// Returns the matrix that transforms the filter at run time. Its denominator is rounded up to a power of two, so that
/// its entries are exact; sumScale corrects for this.
RationalMatrix WinogradStages::exactFilterMatrix() const {
  RationalMatrix matrix = transform.filter;
  matrix.denominator = static_cast<int64_t>(llvm::PowerOf2Ceil(matrix.denominator));
  return matrix;
}

/// Returns the factor that corrects the sums for exactFilterMatrix.
double WinogradStages::sumScale() const {
  double ratio =
      static_cast<double>(exactFilterMatrix().denominator) / static_cast<double>(transform.filter.denominator);
  return step.channels > 0 ? ratio * ratio : 1;
}

LoopNest WinogradStages::transformFilter() const {
  LoopNest stage(nest.loc);
  stage.name = nest.name + ".filter";
  enum { outputPart, inputPart, input, output, count };
  stage.dims = {{outputChannels / step.channels, false},
                {inputChannels / step.depth, false},
                {step.depth, false},
                {step.channels, false}};
  SmallVector<LinearForm> dims(nest.dims.size(), LinearForm(count));
  dims[roles.channels].coefficients[outputPart] = step.channels;
  dims[roles.channels].coefficients[output] = 1;
  dims[roles.depth].coefficients[inputPart] = step.depth;
  dims[roles.depth].coefficients[input] = 1;
  SmallVector<NodeId> weights;
  for (int64_t row = 0; row < 3; ++row)
    for (int64_t column = 0; column < 3; ++column) {
      dims[roles.filterRows].constant = row;
      dims[roles.filterColumns].constant = column;
      weights.push_back(cloneInto(stage, roles.filterFactor, dims));
    }
  for (auto [element, value] : llvm::enumerate(transformTile(stage, exactFilterMatrix(), weights))) {
    LinearForm address(count);
    address.coefficients[input] = step.channels;
    address.coefficients[output] = 1;
    address.constant = static_cast<int64_t>(element) * filters.stride;
    stage.outputs.push_back({value, filters.buffer, std::move(address)});
  }
  return stage;
}

LoopNest WinogradStages::multiplyPart(const TileSpace &space) const {
  LoopNest stage(nest.loc);
  stage.name = nest.name + ".product";
  enum { outputPart, inputPart, row, column, tile, channel, depth, count };
  for (const Size &extent : {Size(outputChannels / step.channels), Size(inputChannels / step.depth), Size(size),
                             Size(size), space.blockTiles, Size(step.channels)})
    stage.dims.push_back({extent, false});
  stage.dims.push_back({step.depth, true});
  auto addressOf = [&](const Tiles &tiles, std::initializer_list<std::pair<unsigned, int64_t>> strides) {
    LinearForm form(count);
    form.coefficients[row] = size * tiles.stride;
    form.coefficients[column] = tiles.stride;
    for (auto [dim, stride] : strides)
      form.coefficients[dim] = stride;
    return form;
  };
  LinearForm sums = addressOf(products, {{outputPart, step.channels}, {tile, outputChannels}, {channel, 1}});
  Node part{Node::Kind::Index, IndexType::get(nest.loc.getContext())};
  part.address = LinearForm::dimension(count, inputPart);
  Node first{Node::Kind::Constant, part.type};
  first.constant = IntegerAttr::get(part.type, 0);
  NodeId isFirst = apply(stage, isSame, {addNode(stage, std::move(part)), addNode(stage, std::move(first))});
  NodeId initial = apply(stage, choose, {isFirst, zeroOf(stage), addNode(stage, loadFrom(products.buffer, sums))});
  addSum(stage, initial,
         loadFrom(inputs.buffer, addressOf(inputs, {{inputPart, step.depth}, {tile, inputChannels}, {depth, 1}})),
         loadFrom(filters.buffer, addressOf(filters, {{depth, step.channels}, {channel, 1}})), sums);
  return stage;
}

} // namespace cameo::schedule
