// Queries, printing and normalisation of loop nests.
#include "passes/Schedule/Nests/LoopNest.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/raw_ostream.h"

#include <functional>

namespace cameo::schedule {

Size LoopNest::parallelPoints() const {
  Size points = 1;
  for (const Dimension &dim : dims)
    if (!dim.reduction)
      points *= dim.extent;
  return points;
}

static bool isKnown(const LinearForm &form) {
  return form.constant.isKnown() && llvm::all_of(form.coefficients, [](const Size &size) { return size.isKnown(); });
}

bool LoopNest::hasKnownSizes() const {
  return llvm::all_of(dims, [](const Dimension &dim) { return dim.extent.isKnown(); }) &&
         llvm::all_of(nodes,
                      [](const Node &node) {
                        return isKnown(node.address) &&
                               llvm::all_of(node.strides, [](const Size &stride) { return stride.isKnown(); });
                      }) &&
         llvm::all_of(outputs, [](const Output &output) { return isKnown(output.address); });
}

llvm::SmallVector<NodeId> LoopNest::computed(bool insideReduction) const {
  llvm::SmallVector<NodeId> found;
  llvm::SmallBitVector seen(nodes.size());
  std::function<void(NodeId)> visit = [&](NodeId id) {
    if (seen.test(id))
      return;
    seen.set(id);
    for (NodeId operand : nodes[id].operands)
      visit(operand);
    found.push_back(id);
  };
  if (insideReduction)
    for (const Reduction &reduction : reductions)
      visit(reduction.update);
  else
    for (const Output &output : outputs) {
      visit(output.value);
      if (output.index)
        visit(*output.index);
    }
  return found;
}

llvm::SmallVector<NodeId> LoopNest::loads(bool insideReduction) const {
  llvm::SmallVector<NodeId> found = computed(insideReduction);
  llvm::erase_if(found, [&](NodeId id) { return !nodes[id].isRead(); });
  return found;
}

static Size pointsOf(llvm::ArrayRef<Dimension> dims) {
  Size count = 1;
  for (const Dimension &dim : dims)
    count *= dim.extent;
  return count;
}

Size NestGroup::orderedRows() const {
  return pointsOf(llvm::ArrayRef(nests.front().dims).slice(rowDims - orderedDims, orderedDims));
}

Size NestGroup::parallelRows() const {
  return pointsOf(llvm::ArrayRef(nests.front().dims).take_front(rowDims - orderedDims));
}

bool NestGroup::writes(unsigned buffer) const {
  return llvm::any_of(nests, [&](const LoopNest &nest) {
    return llvm::any_of(nest.outputs, [&](const Output &output) { return output.buffer == buffer; });
  });
}

bool TaskProgram::hasKnownSizes() const {
  return llvm::all_of(groups, [](const NestGroup &group) {
    return llvm::all_of(group.nests, [](const LoopNest &nest) { return nest.hasKnownSizes(); });
  });
}

mlir::OpBuilder TaskProgram::operationBuilder(mlir::MLIRContext *context) {
  if (!operations)
    operations = std::make_shared<mlir::Block>();
  mlir::OpBuilder builder(context);
  builder.setInsertionPointToEnd(operations.get());
  return builder;
}

bool isLongFunction(const Node &node) {
  using namespace mlir::math;
  return node.kind == Node::Kind::Apply && llvm::isa<MathDialect>(node.op->getDialect()) &&
         !llvm::isa<AbsFOp, CeilOp, FloorOp, FmaOp, RoundEvenOp, SqrtOp>(node.op);
}

NodeId addNode(LoopNest &nest, Node node) {
  for (auto [id, other] : llvm::enumerate(nest.nodes))
    if (other.kind == node.kind && other.type == node.type && other.buffer == node.buffer && other.op == node.op &&
        other.operands == node.operands && other.constant == node.constant && other.strides == node.strides &&
        other.accumulator == node.accumulator && other.address == node.address && other.shared == node.shared &&
        other.transforms == node.transforms)
      return id;
  return appendNode(nest, std::move(node));
}

NodeId appendNode(LoopNest &nest, Node node) {
  node.usesAccumulator = node.kind == Node::Kind::Accumulator;
  node.dependsOn = 0;
  for (auto [dim, coefficient] : llvm::enumerate(node.address.coefficients))
    if (coefficient != 0)
      node.dependsOn |= uint64_t(1) << dim;
  for (NodeId operand : node.operands) {
    node.dependsOn |= nest.nodes[operand].dependsOn;
    node.usesAccumulator |= nest.nodes[operand].usesAccumulator;
  }
  nest.nodes.push_back(std::move(node));
  return nest.nodes.size() - 1;
}

/// Calls `fn` on the number of every node that a reduction or an output uses.
template <typename Fn> static void forEachRoot(LoopNest &nest, Fn fn) {
  for (Reduction &reduction : nest.reductions) {
    fn(reduction.initial);
    fn(reduction.update);
  }
  for (Output &output : nest.outputs) {
    fn(output.value);
    if (output.index)
      fn(*output.index);
  }
}

void insertNode(LoopNest &nest, NodeId at, Node node) {
  auto move = [&](NodeId &id) { id += id >= at; };
  for (Node &other : nest.nodes)
    llvm::for_each(other.operands, move);
  forEachRoot(nest, move);
  if (node.address.coefficients.empty())
    node.address = LinearForm(nest.dims.size());
  nest.nodes.insert(nest.nodes.begin() + at, std::move(node));
}

void replaceNode(LoopNest &nest, NodeId at, NodeId by) {
  assert(by < at && "a node is defined before its users");
  auto move = [&](NodeId &id) { id = id == at ? by : id - (id > at); };
  nest.nodes.erase(nest.nodes.begin() + at);
  for (Node &other : nest.nodes)
    llvm::for_each(other.operands, move);
  forEachRoot(nest, move);
}

std::optional<unsigned> stepInRun(const LoopNest &nest, const Node &node, int64_t length) {
  for (auto [dim, dimension] : llvm::enumerate(nest.dims))
    if (dimension.reduction && dimension.extent == length && node.address.coefficients[dim] == 1)
      return dim;
  return std::nullopt;
}

void forEachForm(LoopNest &nest, llvm::function_ref<void(LinearForm &)> fn) {
  for (Node &node : nest.nodes) {
    if (!node.address.coefficients.empty())
      fn(node.address);
    if (node.shared)
      fn(node.shared->position);
  }
  for (Output &output : nest.outputs)
    fn(output.address);
}

static void eraseDimension(LoopNest &nest, unsigned dim) {
  forEachForm(nest, [&](LinearForm &form) { form.coefficients.erase(form.coefficients.begin() + dim); });
  nest.dims.erase(nest.dims.begin() + dim);
}

static bool walkedAsOne(LoopNest &nest, unsigned outer) {
  if (nest.dims[outer].reduction != nest.dims[outer + 1].reduction)
    return false;
  bool asOne = true;
  forEachForm(nest, [&](LinearForm &form) {
    asOne &= form.coefficients[outer] == form.coefficients[outer + 1] * nest.dims[outer + 1].extent;
  });
  return asOne;
}

void divideDimension(LoopNest &nest, unsigned dim, int64_t inner) {
  int64_t outer = int64_t(nest.dims[dim].extent) / inner;
  nest.dims.insert(nest.dims.begin() + dim, {outer, nest.dims[dim].reduction});
  nest.dims[dim + 1].extent = inner;
  forEachForm(nest, [&](LinearForm &form) {
    Size stride = form.coefficients[dim] * inner;
    form.coefficients.insert(form.coefficients.begin() + dim, stride);
  });
}

/// Erases nodes that no output or reduction uses, such as indices that have become parts of addresses.
static void eraseUnusedNodes(LoopNest &nest) {
  std::vector<bool> isUsed(nest.nodes.size());
  forEachRoot(nest, [&](NodeId id) { isUsed[id] = true; });
  // Operands come before their users.
  for (NodeId id = nest.nodes.size(); id-- > 0;)
    if (isUsed[id])
      for (NodeId operand : nest.nodes[id].operands)
        isUsed[operand] = true;
  std::vector<NodeId> numbers(nest.nodes.size());
  std::vector<Node> nodes;
  for (auto [id, node] : llvm::enumerate(nest.nodes)) {
    if (!isUsed[id])
      continue;
    for (NodeId &operand : node.operands)
      operand = numbers[operand];
    numbers[id] = nodes.size();
    nodes.push_back(std::move(node));
  }
  forEachRoot(nest, [&](NodeId &id) { id = numbers[id]; });
  nest.nodes = std::move(nodes);
}

void collapseDimensions(LoopNest &nest, unsigned keep) {
  eraseUnusedNodes(nest);
  for (unsigned dim = nest.dims.size(); dim-- > keep;)
    if (nest.dims[dim].extent == 1)
      eraseDimension(nest, dim);
  for (unsigned dim = nest.dims.size(); dim-- > keep + 1;) {
    if (!walkedAsOne(nest, dim - 1))
      continue;
    nest.dims[dim].extent *= nest.dims[dim - 1].extent;
    eraseDimension(nest, dim - 1);
  }
  updateDependences(nest);
}

void updateDependences(LoopNest &nest) {
  for (Node &node : nest.nodes) {
    node.dependsOn = 0;
    for (auto [dim, coefficient] : llvm::enumerate(node.address.coefficients))
      if (coefficient != 0)
        node.dependsOn |= uint64_t(1) << dim;
    // Operands come before their users.
    for (NodeId operand : node.operands)
      node.dependsOn |= nest.nodes[operand].dependsOn;
  }
}

static void printForm(const LinearForm &form, llvm::raw_ostream &os) {
  bool first = true;
  for (auto [dim, coefficient] : llvm::enumerate(form.coefficients)) {
    if (coefficient == 0)
      continue;
    os << (first ? "" : " + ");
    if (coefficient != 1)
      os << coefficient << '*';
    os << 'd' << dim;
    first = false;
  }
  if (form.constant != 0 || first)
    os << (first ? "" : " + ") << form.constant;
}

static std::string bufferName(const TaskProgram &program, unsigned number) {
  const Buffer &buffer = program.buffers[number];
  switch (buffer.role) {
  case loop::Role::Argument:
    return "in" + std::to_string(buffer.index);
  case loop::Role::Result:
    return "out" + std::to_string(buffer.index);
  case loop::Role::Temporary:
    return (buffer.perRow ? "row" : "scratch") + std::to_string(number);
  case loop::Role::Table:
    return "table" + std::to_string(number);
  }
  llvm_unreachable("all roles are named");
}

static void printNode(const TaskProgram &program, const LoopNest &nest, NodeId id, llvm::raw_ostream &os) {
  const Node &node = nest.nodes[id];
  switch (node.kind) {
  case Node::Kind::Load:
  case Node::Kind::Gather:
    os << bufferName(program, node.buffer) << '[';
    printForm(node.address, os);
    if (node.shared) {
      os << " - (";
      printForm(node.shared->position, os);
      os << ") mod " << node.shared->length;
    }
    for (const DimensionTransform &transform : node.transforms)
      os << ", d" << transform.dim << " by " << transform.matrix->rows << 'x' << transform.matrix->columns;
    for (auto [operand, stride] : llvm::zip_equal(node.operands, node.strides)) {
      os << " + " << stride << '*';
      printNode(program, nest, operand, os);
    }
    os << ']';
    return;
  case Node::Kind::Constant:
    node.constant.print(os, /*elideType=*/true);
    return;
  case Node::Kind::Index:
    printForm(node.address, os);
    return;
  case Node::Kind::Accumulator:
    os << "acc" << node.accumulator;
    return;
  case Node::Kind::Apply:
    os << node.op->getName().stripDialect() << '(';
    llvm::interleaveComma(node.operands, os, [&](NodeId operand) { printNode(program, nest, operand, os); });
    os << ')';
    return;
  }
}

void print(const TaskProgram &program, const LoopNest &nest, llvm::raw_ostream &os) {
  os << "for";
  for (auto [number, dim] : llvm::enumerate(nest.dims))
    os << " d" << number << (dim.reduction ? " in reduce " : " in ") << dim.extent;
  os << ":\n";
  for (auto [number, reduction] : llvm::enumerate(nest.reductions)) {
    os << "  acc" << number << " = ";
    printNode(program, nest, reduction.initial, os);
    os << " then ";
    printNode(program, nest, reduction.update, os);
    os << '\n';
  }
  for (const Output &output : nest.outputs) {
    os << "  " << bufferName(program, output.buffer) << '[';
    printForm(output.address, os);
    if (output.index) {
      os << " + " << output.stride << '*';
      printNode(program, nest, *output.index, os);
    }
    os << "] = ";
    printNode(program, nest, output.value, os);
    os << '\n';
  }
}

void print(const TaskProgram &program, llvm::raw_ostream &os) {
  for (const NestGroup &group : program.groups) {
    if (group.rowDims > 0) {
      os << (group.continues ? "and rows " : "rows ") << group.rowDims;
      if (group.orderedDims > 0 && group.orderedDims < group.rowDims)
        os << ", the last " << group.orderedDims;
      os << (group.orderedDims > 0 ? " in order:\n" : ":\n");
    }
    for (const LoopNest &nest : group.nests)
      print(program, nest, os);
  }
}

} // namespace cameo::schedule
