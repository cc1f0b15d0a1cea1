// The roles follow from the dimensions that each address depends on; operator names are not used.
#include "passes/Schedule/Nests/Rewrite/ConvolutionNest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

class Matcher {
public:
  Matcher(const TaskProgram &program, const LoopNest &nest) : program(program), nest(nest) {}

  llvm::Expected<ConvolutionNest> run() {
    const char *wrong = matchOperands();
    if (!wrong)
      wrong = matchReductions();
    if (!wrong)
      wrong = matchParallel();
    if (wrong)
      return llvm::createStringError("expected a 3x3 convolution of stride 1, got %s", wrong);
    return found;
  }

private:
  const Size &inputStride(unsigned dim) const { return nest.nodes[found.input].address.coefficients[dim]; }
  const Size &filterStride(unsigned dim) const { return nest.nodes[found.filter].address.coefficients[dim]; }

  /// Matches a sum, starting from zero, of products of an input and a constant filter. Returns what is missing, or
  /// null.
  const char *matchOperands() {
    if (nest.reductions.size() != 1)
      return "a nest without a sum";
    const Reduction &reduction = nest.reductions.front();
    const Node &initial = nest.nodes[reduction.initial], &update = nest.nodes[reduction.update];
    if (initial.kind != Node::Kind::Constant || !matchPattern(initial.constant, m_AnyZeroFloat()))
      return "a sum that does not begin with zero";
    if (update.kind != Node::Kind::Apply || !isa<arith::AddFOp>(update.op) || !update.type.isF32())
      return "a nest without a sum of f32";
    auto isAccumulator = [&](NodeId id) { return nest.nodes[id].kind == Node::Kind::Accumulator; };
    if (!isAccumulator(update.operands[0]) && !isAccumulator(update.operands[1]))
      return "a nest without a running sum";
    const Node &product = nest.nodes[update.operands[isAccumulator(update.operands[0]) ? 1 : 0]];
    if (product.kind != Node::Kind::Apply || !isa<arith::MulFOp>(product.op))
      return "a sum whose terms are not products";
    std::optional<NodeId> left = loadOf(product.operands[0]), right = loadOf(product.operands[1]);
    if (!left || !right)
      return "a product of computed values";
    bool isRight = isConstant(*right);
    found.input = isRight ? *left : *right;
    found.filter = isRight ? *right : *left;
    found.inputFactor = product.operands[isRight ? 0 : 1];
    found.filterFactor = product.operands[isRight ? 1 : 0];
    if (!isConstant(found.filter))
      return "a filter that is not constant";
    return found.filter == found.filterFactor || isReadOnce(nest.nodes[found.filter].buffer)
               ? nullptr
               : "a 16-bit filter that others read, too";
  }

  /// Returns the load of a factor: itself, or what it converts to f32.
  std::optional<NodeId> loadOf(NodeId factor) const {
    const Node &node = nest.nodes[factor];
    if (node.kind == Node::Kind::Load)
      return factor;
    bool widens = node.kind == Node::Kind::Apply && isa<arith::ExtFOp>(node.op) &&
                  nest.nodes[node.operands[0]].kind == Node::Kind::Load;
    return widens ? std::optional(node.operands[0]) : std::nullopt;
  }

  /// Whether the program has a single load from `buffer`. A constant is packed with elements of one type.
  bool isReadOnce(unsigned buffer) const {
    int64_t reads = 0;
    for (const NestGroup &group : program.groups)
      for (const LoopNest &other : group.nests)
        reads += llvm::count_if(other.nodes, [&](const Node &node) { return node.reads(buffer); });
    return reads == 1;
  }

  bool isConstant(NodeId id) const { return program.buffers[nest.nodes[id].buffer].packable; }

  const char *matchReductions() {
    SmallVector<unsigned, 2> filter;
    std::optional<unsigned> depth;
    for (auto [dim, dimension] : llvm::enumerate(nest.dims)) {
      if (!dimension.reduction)
        continue;
      // Channels must be contiguous, because the stages load vectors of them.
      if (inputStride(dim) == 1 && !depth)
        depth = dim;
      else if (dimension.extent == 3)
        filter.push_back(dim);
      else
        return "another extent of the filter";
    }
    if (!depth || filter.size() != 2)
      return "a sum over other dimensions than filter and neighbouring channels";
    found.depth = *depth;
    found.filterRows = filter[0];
    found.filterColumns = filter[1];
    return filterStride(filter[0]) != 0 && filterStride(filter[1]) != 0 ? nullptr : "a filter without extent";
  }

  /// Returns the parallel dimension whose input stride is the largest one that divides the input stride of the
  /// reduction `dim`. The stride of an image is larger than that of any filter dimension, and the stride of a column is
  /// smaller than that of a row.
  std::optional<unsigned> partnerOf(unsigned dim) const {
    std::optional<unsigned> partner;
    for (unsigned other = 0; other < nest.dims.size(); ++other) {
      bool isSpatial = !nest.dims[other].reduction && filterStride(other) == 0 && inputStride(other) > 0;
      if (isSpatial && divideExactly(inputStride(dim), inputStride(other)).isKnown() &&
          (!partner || inputStride(other) > inputStride(*partner)))
        partner = other;
    }
    return partner;
  }

  const char *matchParallel() {
    std::optional<unsigned> rows = partnerOf(found.filterRows), columns = partnerOf(found.filterColumns), channels;
    if (!rows || !columns || rows == columns)
      return "another stride";
    for (auto [dim, dimension] : llvm::enumerate(nest.dims)) {
      if (dimension.reduction || rows == dim || columns == dim)
        continue;
      if (filterStride(dim) == 0) {
        found.batch.push_back(dim);
        continue;
      }
      if (channels || inputStride(dim) != 0)
        return "more than one group";
      channels = dim;
    }
    if (!channels)
      return "a single output channel";
    found.rows = *rows;
    found.columns = *columns;
    found.channels = *channels;
    found.rowDilation = divideExactly(inputStride(found.filterRows), inputStride(*rows));
    found.columnDilation = divideExactly(inputStride(found.filterColumns), inputStride(*columns));
    bool knowsChannels = nest.dims[*channels].extent.isKnown() && nest.dims[found.depth].extent.isKnown();
    return knowsChannels ? nullptr : "channels of dynamic number";
  }

  const TaskProgram &program;
  const LoopNest &nest;
  ConvolutionNest found;
};

} // namespace

llvm::Expected<ConvolutionNest> matchConvolution(const TaskProgram &program, const LoopNest &nest) {
  return Matcher(program, nest).run();
}

} // namespace cameo::schedule
