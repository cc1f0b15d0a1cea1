// A convolution of f16 reads each element nine times, so its input is converted to f32 once, in memory. The transform
// of Winograd's method reads it 2.25 to 4 times, and converts it in less time than memory takes for a plane in f32. A
// row of a small product waits for the vector that it stores and reads by element. Sums of few outputs read few
// elements often.
#include "passes/Schedule/Rules/InlineConversions.h"

#include "passes/Schedule/Rules/DefaultSchedule.h"
#include "passes/Schedule/Rules/NestCost.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace cameo::schedule {
namespace {

bool isConversion(const LoopNest &nest) {
  if (nest.hasReduction() || nest.outputs.size() != 1 || nest.nodes.size() != 2)
    return false;
  const Node &value = nest.nodes[nest.outputs.front().value];
  return value.kind == Node::Kind::Apply && llvm::isa<mlir::arith::ExtFOp>(value.op) &&
         nest.nodes[value.operands[0]].kind == Node::Kind::Load;
}

bool isFused(llvm::ArrayRef<Replacement> chosen, unsigned nest) {
  return llvm::any_of(chosen, [&](const Replacement &replacement) {
    const auto *fuse = std::get_if<FuseStep>(&replacement);
    return fuse && fuse->nest <= nest && nest <= fuse->last;
  });
}

bool isTransformed(llvm::ArrayRef<Replacement> chosen, unsigned nest) {
  return llvm::any_of(chosen, [&](const Replacement &replacement) {
    const auto *winograd = std::get_if<WinogradStep>(&replacement);
    return winograd && winograd->nest == nest;
  });
}

/// Calls `act` with the number of each nest, and the nest.
void forEachNest(const TaskProgram &program, llvm::function_ref<void(unsigned, const LoopNest &)> act) {
  unsigned number = 0;
  for (const NestGroup &group : program.groups)
    for (const LoopNest &nest : group.nests)
      act(number++, nest);
}

/// Whether all nests that read `buffer` are convolutions that `chosen` transforms.
bool isReadByTransforms(const TaskProgram &program, llvm::ArrayRef<Replacement> chosen, unsigned buffer) {
  bool isRead = true;
  forEachNest(program, [&](unsigned number, const LoopNest &nest) {
    isRead &= isTransformed(chosen, number) ||
              llvm::none_of(nest.nodes, [&](const Node &node) { return node.reads(buffer); });
  });
  return isRead;
}

/// Whether a row passes on no more than a vector in `buffer`, and each element goes into one vector of products: it is
/// read on its own, for which the processor waits until the vector is stored.
bool isVectorReadByElement(const TaskProgram &program, unsigned buffer, const Machine &machine) {
  const Buffer &passed = program.buffers[buffer];
  int64_t lanes = machine.vectorBytes / 4;
  if (!passed.perRow || !program.hasKnownSizes() || passed.elements > lanes)
    return false;
  auto isReadByElement = [&](const LoopNest &nest, const Node &node, unsigned rowDims) {
    int64_t points = 1;
    for (unsigned dim = rowDims; dim < nest.dims.size(); ++dim)
      if (!nest.dims[dim].reduction && !node.address.dependsOn(dim))
        points *= nest.dims[dim].extent;
    return nest.hasReduction() && node.kind == Node::Kind::Load && points <= lanes;
  };
  return llvm::all_of(program.groups, [&](const NestGroup &group) {
    return llvm::all_of(group.nests, [&](const LoopNest &nest) {
      return llvm::all_of(nest.nodes, [&](const Node &node) {
        return !node.reads(buffer) || isReadByElement(nest, node, group.rowDims);
      });
    });
  });
}

/// Returns the cycles of the nests of `program`, of which none is in a row.
double cyclesOfAll(const TaskProgram &program, const Machine &machine) {
  double cycles = 0;
  forEachNest(program, [&](unsigned, const LoopNest &nest) {
    cycles += nest.hasReduction() ? registerBlockCycles(program, nest, machine) : cyclesOf(program, nest, machine);
  });
  return cycles;
}

/// Whether there are sums, and all have their steps in lanes, so that they convert whole vectors.
bool haveStepsInLanes(const TaskProgram &program, const Machine &machine) {
  bool areLanes = true, haveSums = false;
  forEachNest(program, [&](unsigned, const LoopNest &nest) {
    if (!nest.hasReduction())
      return;
    NestSchedule schedule;
    chooseVectorDimension(program, nest, /*rowDims=*/0, machine, schedule);
    areLanes &= schedule.vectorDim && nest.dims[*schedule.vectorDim].reduction;
    haveSums = true;
  });
  return haveSums && areLanes;
}

/// Whether sums convert what they read in less time than a copy in f32 takes, as those of few outputs.
bool convertsFaster(const TaskProgram &program, llvm::ArrayRef<Replacement> chosen, const TaskProgram &inlined,
                    const Machine &machine) {
  constexpr double ofCopies = 1.05;
  auto isAlone = [](const NestGroup &group) { return group.rowDims == 0; };
  if (!chosen.empty() || !program.hasKnownSizes() || !llvm::all_of(program.groups, isAlone))
    return false;
  return haveStepsInLanes(inlined, machine) && cyclesOfAll(inlined, machine) < ofCopies * cyclesOfAll(program, machine);
}

} // namespace

std::vector<InlineStep> inlineConversions(const TaskProgram &program, llvm::ArrayRef<Replacement> chosen,
                                          const Machine &machine) {
  std::vector<InlineStep> steps;
  std::vector<Replacement> all(chosen.begin(), chosen.end());
  forEachNest(program, [&](unsigned number, const LoopNest &nest) {
    if (!isConversion(nest) || isFused(chosen, number))
      return;
    unsigned buffer = nest.outputs.front().buffer;
    bool isScratch = program.buffers[buffer].isScratch(),
         isTaken = (isScratch && isReadByTransforms(program, chosen, buffer)) ||
                   isVectorReadByElement(program, buffer, machine);
    if (!isTaken && !isScratch)
      return;
    all.push_back(InlineStep{number});
    TaskProgram inlined = program;
    llvm::Error error = replaceNests(all, inlined);
    if (error || (!isTaken && !convertsFaster(program, chosen, inlined, machine)))
      all.pop_back();
    else
      steps.push_back({number});
    llvm::consumeError(std::move(error));
  });
  return steps;
}

} // namespace cameo::schedule
