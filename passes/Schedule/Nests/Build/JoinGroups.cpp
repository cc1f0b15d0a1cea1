#include "passes/Schedule/Nests/Build/JoinGroups.h"

#include "llvm/Support/MathExtras.h"

namespace cameo::schedule {
namespace {

/// The largest number of results per group: more fill the widest vectors without other groups.
constexpr int64_t longestRun = 8;

class Joiner {
public:
  Joiner(const TaskProgram &program, LoopNest &nest, unsigned groups, unsigned members)
      : program(program), nest(nest), groups(groups), members(members), length(nest.dims[members].extent) {}

  bool run() {
    if (!isKnownAndParallel(groups) || !isKnownAndParallel(members) || nest.dims[groups].extent == 1 || length < 2 ||
        length > longestRun || !llvm::isPowerOf2_64(length) || !findShared() || !walksOthersAsOne())
      return false;
    LinearForm position = LinearForm::dimension(nest.dims.size(), members);
    for (NodeId id : shared) {
      nest.nodes[id].address.coefficients[members] = 1;
      nest.nodes[id].shared = SharedRun{position, length};
    }
    nest.dims[members].extent *= nest.dims[groups].extent;
    nest.dims[groups].extent = 1;
    return true;
  }

private:
  bool isKnownAndParallel(unsigned dim) const { return !nest.dims[dim].reduction && nest.dims[dim].extent.isKnown(); }

  /// Collects the loads that are common to all results of a group and walk one reduction step by step; the neighbouring
  /// group reads the neighbouring elements.
  bool findShared() {
    for (NodeId id : nest.loads(/*insideReduction=*/true)) {
      const Node &node = nest.nodes[id];
      if (node.address.coefficients[groups] == 0 || node.address.coefficients[members] != 0)
        continue;
      if (node.kind != Node::Kind::Load || !llvm::isa<mlir::FloatType>(node.type) || node.shared ||
          node.address.coefficients[groups] != length || !stepInRun(nest, node, length))
        return false;
      shared.push_back(id);
    }
    return !shared.empty();
  }

  /// Whether all other addresses are contiguous from one group to the next, and operands that vary within a group are
  /// packable. Non-constant ones would have to be packed in every run.
  bool walksOthersAsOne() const {
    auto continues = [&](const LinearForm &form) {
      return form.coefficients[groups] == form.coefficients[members] * length;
    };
    for (auto [id, node] : llvm::enumerate(nest.nodes))
      if (!node.address.coefficients.empty() && !llvm::is_contained(shared, static_cast<NodeId>(id)) &&
          !continues(node.address))
        return false;
    for (NodeId id : nest.loads(/*insideReduction=*/true))
      if (nest.nodes[id].address.coefficients[members] != 0 && !program.buffers[nest.nodes[id].buffer].packable)
        return false;
    return llvm::all_of(nest.outputs, [&](const Output &output) { return continues(output.address); });
  }

  const TaskProgram &program;
  LoopNest &nest;
  unsigned groups, members;
  int64_t length;
  llvm::SmallVector<NodeId> shared;
};

} // namespace

void joinGroups(const TaskProgram &program, LoopNest &nest, unsigned rowDims) {
  for (unsigned groups = rowDims; groups < nest.dims.size(); ++groups)
    for (unsigned members = rowDims; members < nest.dims.size(); ++members)
      if (groups != members && Joiner(program, nest, groups, members).run())
        return;
}

} // namespace cameo::schedule
