// A row of 7 pixels fills register blocks of 6 only as 4 and 3. A plane is flattened if this costs more than computing
// the addresses of the pixels for every block of the flattened plane. Short rows without a reduction fill no vector;
// they are flattened if whole vectors and shuffles take fewer instructions.
#include "passes/Schedule/Rules/ChooseFlattening.h"

#include "passes/Schedule/Nests/IndependentNests.h"
#include "passes/Schedule/Rules/ElementwiseBlock.h"

namespace cameo::schedule {
namespace {

/// With more vector registers than these, blocks of whole rows lose little, and general registers cannot hold the
/// addresses of their pixels.
constexpr int64_t fewRegisters = 16;
/// The number of addresses that fit into general registers beside loop counters. With more points in a block, addresses
/// are read from the stack in every step.
constexpr int64_t mostPlaces = 8;
/// The minimum gain, as a fraction.
constexpr double leastGain = 0.005, leastGainOfRows = 0.15;

bool isReplaced(llvm::ArrayRef<Replacement> chosen, unsigned nest) {
  return llvm::any_of(chosen, [&](const Replacement &replacement) {
    if (const auto *fuse = std::get_if<FuseStep>(&replacement))
      return fuse->nest <= nest && nest <= fuse->last;
    return std::visit([](const auto &step) { return step.nest; }, replacement) == nest;
  });
}

/// Whether `nest` multiplies an operand that varies along `dim` and `dim` + 1 by one that does not, and the two share
/// no parallel dimension. Depthwise convolutions are excluded because their windows share loads within a row, bytes
/// because their groups need linear addresses.
bool isProduct(const LoopNest &nest, unsigned dim) {
  llvm::SmallVector<NodeId> loads = nest.loads(/*insideReduction=*/true);
  if (nest.reductions.size() != 1 || loads.size() != 2)
    return false;
  uint64_t parallel = 0, pixels = uint64_t(3) << dim;
  for (auto [number, dimension] : llvm::enumerate(nest.dims))
    parallel |= uint64_t(!dimension.reduction) << number;
  const Node &first = nest.nodes[loads[0]], &second = nest.nodes[loads[1]];
  bool areApart = (first.dependsOn & second.dependsOn & parallel) == 0;
  bool isEither = ((first.dependsOn & pixels) == 0) != ((second.dependsOn & pixels) == 0);
  return areApart && isEither && llvm::isa<mlir::FloatType>(first.type) && llvm::isa<mlir::FloatType>(second.type);
}

/// Whether the default schedule of `nest` has blocks with more points along `dim` than addresses fit into registers.
bool hasManyPlaces(const TaskProgram &program, const LoopNest &nest, unsigned dim, const Machine &machine) {
  if (llvm::none_of(nest.nodes, [](const Node &node) { return node.kind == Node::Kind::Gather; }))
    return false;
  int64_t points = nest.dims[dim].extent;
  for (const Loop &loop : defaultSchedule(program, nest, /*rowDims=*/0, machine).loops)
    if (loop.dim == dim)
      points = std::min(points, loop.size);
  return points > mostPlaces;
}

/// Whether all results stay contiguous if `dim` and `dim` + 1 are flattened.
bool storesAsOne(const LoopNest &nest, unsigned dim) {
  return llvm::all_of(nest.outputs, [&](const Output &output) {
    const LinearForm &form = output.address;
    return !output.index && form.coefficients[dim] == form.coefficients[dim + 1] * nest.dims[dim + 1].extent;
  });
}

class PlaneChooser {
public:
  PlaneChooser(const TaskProgram &program, const Machine &machine) : program(program), machine(machine) {}

  /// Returns the best step for nest number `number`, alone in group `position`.
  std::optional<FlattenStep> choose(unsigned number, unsigned position) const {
    const LoopNest &nest = program.groups[position].nests[0];
    return nest.hasReduction() ? choosePlane(nest, number, position) : chooseRows(nest, number, position);
  }

private:
  /// Returns the step, if any, after which register blocks of the product `nest` take least.
  std::optional<FlattenStep> choosePlane(const LoopNest &nest, unsigned number, unsigned position) const {
    std::optional<FlattenStep> best;
    if (machine.vectorRegisters > fewRegisters || !nest.hasKnownSizes())
      return best;
    double least = 0;
    for (unsigned dim = 0; dim + 1 < nest.dims.size(); ++dim) {
      if (nest.dims[dim].reduction || nest.dims[dim + 1].reduction || !isProduct(nest, dim))
        continue;
      if (least == 0)
        least = (1 - leastGain) * registerBlockCycles(program, nest, machine);
      TaskProgram flattened = program;
      if (llvm::Error error = flattenDimensions(flattened, {number, dim})) {
        llvm::consumeError(std::move(error));
        continue;
      }
      const LoopNest &line = flattened.groups[position].nests[0];
      if (hasManyPlaces(flattened, line, dim, machine))
        continue;
      if (double cycles = registerBlockCycles(flattened, line, machine); cycles < least) {
        best = {number, dim};
        least = cycles;
      }
    }
    return best;
  }

  /// Returns the step, if any, after which an instruction computes most points of `nest`, which has no reduction.
  std::optional<FlattenStep> chooseRows(const LoopNest &nest, unsigned number, unsigned position) const {
    std::optional<FlattenStep> best;
    double most = 0;
    for (unsigned dim = 0; dim + 1 < nest.dims.size(); ++dim) {
      if (nest.dims[dim].reduction || nest.dims[dim + 1].reduction || !storesAsOne(nest, dim) || storesConstants(nest))
        continue;
      if (most == 0)
        most = (1 + leastGainOfRows) * pointsPerInstruction(program, nest, /*rowDims=*/0, machine);
      TaskProgram flattened = program;
      if (llvm::Error error = flattenDimensions(flattened, {number, dim})) {
        llvm::consumeError(std::move(error));
        continue;
      }
      const LoopNest &line = flattened.groups[position].nests[0];
      if (double points = pointsPerInstruction(flattened, line, /*rowDims=*/0, machine); points > most) {
        best = {number, dim};
        most = points;
      }
    }
    return best;
  }

  const TaskProgram &program;
  const Machine &machine;
};

} // namespace

std::vector<FlattenStep> chooseFlattening(const TaskProgram &program, llvm::ArrayRef<Replacement> chosen,
                                          const Machine &machine) {
  std::vector<FlattenStep> steps;
  PlaneChooser chooser(program, machine);
  unsigned number = 0;
  for (auto [position, group] : llvm::enumerate(program.groups)) {
    if (isAlone(group) && !isReplaced(chosen, number))
      if (std::optional<FlattenStep> step = chooser.choose(number, position))
        steps.push_back(*step);
    number += group.nests.size();
  }
  return steps;
}

} // namespace cameo::schedule
