// Inverts the store of the inlined nest: the strides of a result nest like the digits of a number, so the address of a
// read determines the point of the nest that computed the element. The nodes of the nest are evaluated at that point.
#include "passes/Schedule/Nests/Rewrite/InlineNest.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

/// A dimension of the inlined nest and its stride in the address of the result.
struct Digit {
  unsigned dim;
  int64_t stride;
};

class Inliner {
public:
  Inliner(const TaskProgram &program, const NestGroup &group, const LoopNest &nest)
      : program(program), group(group), nest(nest), output(nest.outputs.front()), forms(nest.dims.size()) {}

  /// Returns null, or why the nest cannot be inlined into any reader.
  const char *findObstacle();
  bool isRead(const LoopNest &reader) const;
  /// Returns `reader`, of a group with `rowDims` row dimensions, with the nest inlined into it.
  llvm::Expected<LoopNest> computeIn(LoopNest reader, unsigned rowDims);

private:
  bool hasDigits();
  void divideMerged(LoopNest &reader, unsigned rowDims) const;
  bool locate(const LoopNest &reader, const LinearForm &address);
  LinearForm atPoint(const LinearForm &form, unsigned dimCount) const;
  NodeId evaluate(LoopNest &reader) const;

  const TaskProgram &program;
  const NestGroup &group;
  const LoopNest &nest;
  const Output &output;
  SmallVector<Digit> digits;     ///< largest stride first
  unsigned kept = 0;             ///< leading row dimensions; the result buffer is separate for each row
  SmallVector<LinearForm> forms; ///< per dimension of the nest: the point that a load reads, over the dimensions of the
                                 ///< reader
};

bool Inliner::hasDigits() {
  kept = program.buffers[output.buffer].perRow ? group.rowDims : 0;
  for (unsigned dim = kept; dim < nest.dims.size(); ++dim)
    if (nest.dims[dim].extent > 1)
      digits.push_back({dim, output.address.coefficients[dim]});
  llvm::sort(digits, [](const Digit &a, const Digit &b) { return a.stride > b.stride; });
  int64_t reached = 0;
  for (const Digit &digit : llvm::reverse(digits)) {
    if (digit.stride <= reached)
      return false;
    reached += digit.stride * (nest.dims[digit.dim].extent - 1);
  }
  return true;
}

const char *Inliner::findObstacle() {
  if (!program.hasKnownSizes())
    return "static sizes";
  if (!program.buffers[output.buffer].isTemporary() || output.index)
    return "a nest whose result stays in the task, at a linear address";
  if (group.orderedDims > 0)
    return "a nest whose rows may run in any order";
  if (llvm::any_of(nest.nodes, [](const Node &node) { return node.shared || !node.transforms.empty(); }))
    return "a nest of plain loads";
  return hasDigits() ? nullptr : "a nest that stores each point at a different address";
}

bool Inliner::isRead(const LoopNest &reader) const {
  return llvm::any_of(reader.nodes, [&](const Node &node) { return node.reads(output.buffer); });
}

/// Splits dimensions of `reader` that merge several dimensions of the nest.
void Inliner::divideMerged(LoopNest &reader, unsigned rowDims) const {
  auto innerExtent = [&](unsigned dim) -> int64_t {
    for (const Node &node : reader.nodes)
      if (node.kind == Node::Kind::Load && node.buffer == output.buffer)
        for (size_t level = 1; level < digits.size(); ++level) {
          int64_t stride = digits[level].stride, above = digits[level - 1].stride, extent = reader.dims[dim].extent;
          if (node.address.coefficients[dim] != stride || above % stride != 0)
            continue;
          if (int64_t inner = above / stride; extent > inner && extent % inner == 0)
            return inner;
        }
    return 0;
  };
  for (unsigned dim = rowDims; dim < reader.dims.size();) {
    int64_t inner = innerExtent(dim);
    if (inner == 0) {
      ++dim;
      continue;
    }
    divideDimension(reader, dim, inner);
  }
}

/// Sets `forms` to the point of the nest that computed the element that `reader` loads at `address`. Returns false if
/// there is no such point.
bool Inliner::locate(const LoopNest &reader, const LinearForm &address) {
  unsigned dimCount = reader.dims.size();
  llvm::fill(forms, LinearForm(dimCount));
  for (unsigned dim = 0; dim < kept; ++dim)
    forms[dim].coefficients[dim] = 1;
  for (unsigned dim = 0; dim < dimCount; ++dim) {
    int64_t rest = reader.dims[dim].extent == 1 ? 0 : int64_t(address.coefficients[dim]);
    for (const Digit &digit : digits) {
      forms[digit.dim].coefficients[dim] += rest / digit.stride;
      rest %= digit.stride;
    }
    if (rest != 0)
      return false;
  }
  int64_t rest = address.constant - output.address.constant;
  for (const Digit &digit : digits) {
    int64_t place = llvm::divideFloorSigned(rest, digit.stride);
    forms[digit.dim].constant = place;
    rest -= place * digit.stride;
  }
  bool isInside = rest == 0;
  for (const Digit &digit : digits) {
    auto reach = reader.reach<int64_t>(forms[digit.dim]);
    isInside &= reach.least >= 0 && reach.greatest < nest.dims[digit.dim].extent;
  }
  // A nest may only read results of its own row.
  for (unsigned dim = 0; dim < group.rowDims; ++dim)
    isInside &= nest.dims[dim].extent == 1 || forms[dim] == LinearForm::dimension(dimCount, dim);
  return isInside;
}

/// Returns `form`, over the dimensions of the nest, at the point in `forms`.
LinearForm Inliner::atPoint(const LinearForm &form, unsigned dimCount) const {
  LinearForm result(dimCount);
  result.constant = form.constant;
  for (auto [coefficient, point] : llvm::zip_equal(form.coefficients, forms))
    result.add(point, coefficient);
  return result;
}

/// Adds the nodes of the nest at the point in `forms` to `reader`, and returns the node of the stored value.
NodeId Inliner::evaluate(LoopNest &reader) const {
  SmallVector<NodeId> numbers;
  for (Node node : nest.nodes) {
    if (node.isRead() || node.kind == Node::Kind::Index)
      node.address = atPoint(node.address, reader.dims.size());
    for (NodeId &operand : node.operands)
      operand = numbers[operand];
    numbers.push_back(addNode(reader, std::move(node)));
  }
  return numbers[output.value];
}

llvm::Expected<LoopNest> Inliner::computeIn(LoopNest reader, unsigned rowDims) {
  if (llvm::none_of(reader.nodes, [](const Node &node) { return node.shared || !node.transforms.empty(); }))
    divideMerged(reader, rowDims);
  std::vector<Node> nodes = std::exchange(reader.nodes, {});
  SmallVector<NodeId> numbers;
  for (Node &node : nodes) {
    for (NodeId &operand : node.operands)
      operand = numbers[operand];
    if (!node.reads(output.buffer)) {
      numbers.push_back(appendNode(reader, std::move(node)));
      continue;
    }
    bool isPlain = node.kind == Node::Kind::Load && !node.shared && node.transforms.empty() &&
                   node.type == nest.nodes[output.value].type;
    if (!isPlain || !locate(reader, node.address))
      return llvm::createStringError("expected readers whose points are points of the nest");
    numbers.push_back(evaluate(reader));
  }
  for (Reduction &reduction : reader.reductions)
    reduction = {numbers[reduction.initial], numbers[reduction.update]};
  for (Output &each : reader.outputs) {
    each.value = numbers[each.value];
    if (each.index)
      each.index = numbers[*each.index];
  }
  return reader;
}

/// Whether a nest after `nest` overwrites an operand of `nest`, so that readers could not load it any more.
bool hasOverwrittenOperands(const TaskProgram &program, const LoopNest &nest) {
  bool isBehind = false, isFound = false;
  for (const NestGroup &group : program.groups)
    for (const LoopNest &other : group.nests) {
      for (const Node &node : nest.nodes)
        isFound |= isBehind && node.isRead() &&
                   llvm::any_of(other.outputs, [&](const Output &each) { return each.buffer == node.buffer; });
      isBehind |= &other == &nest;
    }
  return isFound;
}

} // namespace

llvm::Error inlineNest(TaskProgram &program, const InlineStep &step) {
  unsigned position = step.nest;
  auto found = llvm::find_if(program.groups, [&](const NestGroup &group) {
    bool isHere = position < group.nests.size();
    position -= isHere ? 0 : group.nests.size();
    return isHere;
  });
  if (found == program.groups.end())
    return llvm::createStringError("expected a nest below %u, got %u", step.nest - position, step.nest);
  const LoopNest &nest = found->nests[position];
  if (nest.hasReduction() || nest.outputs.size() != 1)
    return llvm::createStringError("expected a nest of one result without a reduction");
  Inliner inliner(program, *found, nest);
  if (const char *expected = inliner.findObstacle())
    return llvm::createStringError("expected %s", expected);
  unsigned buffer = nest.outputs.front().buffer;
  if (hasOverwrittenOperands(program, nest))
    return llvm::createStringError("expected a nest whose operands are not overwritten after it");
  std::vector<std::pair<LoopNest *, LoopNest>> changed;
  for (NestGroup &group : program.groups)
    for (LoopNest &other : group.nests) {
      if (&other == &nest)
        continue;
      // Another nest fills a border, stores another kind of rows, or continues sums.
      if (llvm::any_of(other.outputs, [&](const Output &output) { return output.buffer == buffer; }))
        return llvm::createStringError("expected a result that no other nest stores to");
      if (!inliner.isRead(other))
        continue;
      if (found->rowDims > 0 && &group != &*found)
        return llvm::createStringError("expected readers in the rows of the nest");
      llvm::Expected<LoopNest> reader = inliner.computeIn(other, group.rowDims);
      if (!reader)
        return reader.takeError();
      changed.emplace_back(&other, std::move(*reader));
    }
  for (auto &[reader, result] : changed)
    *reader = std::move(result);
  found->nests.erase(found->nests.begin() + position);
  if (found->nests.empty()) {
    bool continues = found->continues;
    found = program.groups.erase(found);
    if (found != program.groups.end() && found->continues)
      found->continues = continues;
  }
  return llvm::Error::success();
}

} // namespace cameo::schedule
