// An access that is contiguous over both dimensions keeps its linear address. Any other access is moved by a constant
// distance after every row: its computed index is the row number, which is the flattened index divided by the row
// length.
#include "passes/Schedule/Nests/Rewrite/FlattenDimensions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace cameo::schedule {
namespace {

class Flattener {
public:
  Flattener(TaskProgram &program, LoopNest &nest, unsigned dim)
      : program(program), nest(nest), dim(dim), width(nest.dims[dim + 1].extent) {}

  /// Returns null, or why the dimensions cannot be merged.
  const char *findObstacle() const;
  void run();

private:
  /// Returns the distance that an access at `form` moves per row, beyond its steps within the row.
  int64_t distance(const LinearForm &form) const { return form.coefficients[dim] - form.coefficients[dim + 1] * width; }
  /// Whether a row has a known length, and all accesses known distances in it and to the next one.
  bool hasKnownRows() const;
  NodeId addRowNumber();

  TaskProgram &program;
  LoopNest &nest;
  unsigned dim;
  int64_t width; ///< the length of a row
};

bool Flattener::hasKnownRows() const {
  auto isKnown = [&](const LinearForm &form) {
    return form.coefficients.empty() || (form.coefficients[dim].isKnown() && form.coefficients[dim + 1].isKnown());
  };
  return nest.dims[dim + 1].extent.isKnown() &&
         llvm::all_of(nest.nodes, [&](const Node &node) { return isKnown(node.address); }) &&
         llvm::all_of(nest.outputs, [&](const Output &output) { return isKnown(output.address); });
}

const char *Flattener::findObstacle() const {
  if (!hasKnownRows())
    return "a row of dynamic size";
  for (const Node &node : nest.nodes) {
    if (!node.transforms.empty())
      return "a transformed operand";
    if (node.shared && distance(node.shared->position) != 0)
      return "runs that end at a row";
    if (node.kind == Node::Kind::Index && distance(node.address) != 0)
      return "the index of a point as a value";
  }
  return nullptr;
}

/// Adds the row number as three nodes before all others, because operands come before their users. Returns its node.
NodeId Flattener::addRowNumber() {
  OpBuilder builder = program.operationBuilder(nest.nodes.front().type.getContext());
  Type type = builder.getIndexType();
  Value left = program.operations->addArgument(type, nest.loc), right = program.operations->addArgument(type, nest.loc);
  Node point{Node::Kind::Index, type}, length{Node::Kind::Constant, type}, row{Node::Kind::Apply, type};
  point.address = LinearForm::dimension(nest.dims.size(), dim);
  length.constant = builder.getIndexAttr(width);
  row.op = arith::DivUIOp::create(builder, nest.loc, left, right);
  row.operands = {0, 1};
  NodeId number = 0;
  for (Node *node : {&point, &length, &row})
    insertNode(nest, number++, std::move(*node));
  return number - 1;
}

void Flattener::run() {
  NodeId row = addRowNumber();
  for (Node &node : llvm::drop_begin(nest.nodes, row + 1))
    if (int64_t further = node.address.coefficients.empty() ? 0 : distance(node.address)) {
      node.kind = Node::Kind::Gather;
      node.operands.push_back(row);
      node.strides.push_back(further);
    }
  for (Output &output : nest.outputs)
    if (int64_t further = distance(output.address)) {
      assert(!output.index && "a computed place has no room for another index");
      output.index = row;
      output.stride = further;
    }
  nest.dims[dim].extent *= width;
  nest.dims.erase(nest.dims.begin() + dim + 1);
  // The row number already counts points of the flattened dimension, so its stride is that of a step within a row.
  nest.nodes.front().address.coefficients[dim + 1] = 1;
  forEachForm(nest, [&](LinearForm &form) { form.coefficients.erase(form.coefficients.begin() + dim); });
  updateDependences(nest);
}

} // namespace

/// Flattens `dim` and the next dimension of `nest`, whose group has `rowDims` row dimensions.
static llvm::Error flatten(TaskProgram &program, LoopNest &nest, unsigned rowDims, unsigned dim) {
  if (dim < rowDims || dim + 1 >= nest.dims.size() || nest.dims[dim].reduction || nest.dims[dim + 1].reduction)
    return llvm::createStringError("expected two adjacent parallel dimensions inside of a row, got %u and %u", dim,
                                   dim + 1);
  Flattener flattener(program, nest, dim);
  if (const char *obstacle = flattener.findObstacle())
    return llvm::createStringError("dimensions %u and %u cannot be flattened: there is %s", dim, dim + 1, obstacle);
  flattener.run();
  return llvm::Error::success();
}

llvm::Error flattenDimensions(TaskProgram &program, const FlattenStep &step) {
  unsigned number = 0;
  for (NestGroup &group : program.groups) {
    if (step.nest < number + group.nests.size())
      return flatten(program, group.nests[step.nest - number], group.rowDims, step.dim);
    number += group.nests.size();
  }
  return llvm::createStringError("expected a nest below %u, got %u", number, step.nest);
}

} // namespace cameo::schedule
