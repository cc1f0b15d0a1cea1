// --share-packed-constants: gathers from a constant read the layout in which a product reads it.
#include "dialects/Onnx/ConstantData.h"
#include "dialects/Task/SameWeights.h"
#include "passes/Schedule/Loops/WriteLoops.h"
#include "passes/Schedule/MatrixPlaces.h"
#include "passes/Schedule/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace cameo {
#define GEN_PASS_DEF_SHAREPACKEDCONSTANTSPASS
#include "passes/Schedule/Passes.h.inc"
namespace {

using schedule::LoopNest;
using schedule::MatrixPlaces;
using schedule::Node;
using schedule::NodeId;

/// Makes gathers of a nest from one buffer read a packed layout.
class GatherRewriter {
public:
  GatherRewriter(schedule::TaskProgram &program, LoopNest &nest, const MatrixPlaces &places)
      : program(program), nest(nest), places(places) {}

  /// Returns the number of nodes that were added before the gather `id`.
  NodeId rewrite(NodeId id);

private:
  NodeId insert(Node node);
  template <typename OpTy> NodeId apply(NodeId left, NodeId right);
  NodeId divide(NodeId index, int64_t number);
  void add(NodeId index, int64_t stride);
  void addLast(NodeId row, NodeId column, std::optional<NodeId> columnBlock);

  schedule::TaskProgram &program;
  LoopNest &nest;
  const MatrixPlaces &places;
  NodeId gather = 0;
};

} // namespace

/// Inserts a node before the gather.
NodeId GatherRewriter::insert(Node node) {
  schedule::insertNode(nest, gather, std::move(node));
  return gather++;
}

template <typename OpTy> NodeId GatherRewriter::apply(NodeId left, NodeId right) {
  Type type = nest.nodes[left].type;
  OpBuilder builder = program.operationBuilder(type.getContext());
  Node node{Node::Kind::Apply, type};
  node.op = OpTy::create(builder, nest.loc, program.operations->addArgument(type, nest.loc),
                         program.operations->addArgument(type, nest.loc));
  node.operands = {left, right};
  return insert(std::move(node));
}

NodeId GatherRewriter::divide(NodeId index, int64_t number) {
  Node divisor{Node::Kind::Constant, nest.nodes[index].type};
  divisor.constant = OpBuilder(divisor.type.getContext()).getIndexAttr(number);
  return apply<arith::DivUIOp>(index, insert(std::move(divisor)));
}

void GatherRewriter::add(NodeId index, int64_t stride) {
  if (stride == 0)
    return;
  nest.nodes[gather].operands.push_back(index);
  nest.nodes[gather].strides.push_back(stride);
}

/// Adds the distance between the places of the last block and those that it would have as one of the others.
void GatherRewriter::addLast(NodeId row, NodeId column, std::optional<NodeId> columnBlock) {
  const MatrixPlaces::Last &last = *places.last;
  NodeId isLast = divide(row, last.begin); // 0 or 1, as there are at most as many rows after it as before
  add(isLast, last.base - places.base - last.begin * last.step - last.begin / places.rows.block * places.rows.jump);
  auto addProduct = [&](NodeId index, int64_t stride) {
    if (stride != 0)
      add(apply<arith::MulIOp>(isLast, index), stride);
  };
  addProduct(row, last.step - places.rows.step);
  addProduct(column, last.columns.step - places.columns.step);
  if (columnBlock)
    addProduct(*columnBlock, last.columns.jump - places.columns.jump);
}

NodeId GatherRewriter::rewrite(NodeId id) {
  gather = id;
  NodeId row = nest.nodes[gather].operands.front();
  Node index{Node::Kind::Index, nest.nodes[row].type};
  index.address = nest.nodes[gather].address;
  schedule::LinearForm address(nest.dims.size());
  address.add(index.address, places.columns.step);
  address.constant += places.base;
  nest.nodes[gather].address = std::move(address);
  nest.nodes[gather].strides.front() = places.rows.step;
  if (places.rows.jump != 0)
    add(divide(row, places.rows.block), places.rows.jump);
  if (places.columns.jump == 0 && !places.last)
    return gather - id;
  NodeId column = insert(std::move(index));
  std::optional<NodeId> columnBlock;
  if (places.columns.jump != 0) {
    columnBlock = divide(column, places.columns.block);
    add(*columnBlock, places.columns.jump);
  }
  if (places.last)
    addLast(row, column, columnBlock);
  return gather - id;
}

namespace {

/// An argument of a task that reads a constant as it is.
struct PlainArgument {
  task::DefOp def;
  unsigned number;
  std::optional<int64_t> columns; ///< elements per row if the task only gathers whole rows
  SmallVector<ElementsAttr, 1> constants;
  task::PackingAttr packing; ///< of all constants, if the gathers can read it; else null
  MatrixPlaces places;
};

/// Whether the node reads `columns` elements per row, with one index for the row.
bool readsRows(const LoopNest &nest, const Node &node, int64_t columns) {
  if (node.kind != Node::Kind::Gather || node.operands.size() != 1 || node.strides.front() != columns)
    return false;
  schedule::Reach<schedule::Size> reach = nest.reach<schedule::Size>(node.address);
  return reach.least.isKnown() && reach.greatest.isKnown() && int64_t(reach.least) >= 0 &&
         int64_t(reach.greatest) < columns;
}

/// Returns the number of elements per row if the loops of `def` access the argument only by gathers of rows, and of few
/// of them: in a packed layout each element is in another cache line.
std::optional<int64_t> columnsOfGathers(task::DefOp def, unsigned number) {
  constexpr int64_t leastElementsPerRead = 16;
  schedule::LoopForm form = schedule::readLoops(def);
  std::optional<int64_t> columns;
  for (auto [id, buffer] : llvm::enumerate(form.program.buffers)) {
    if (!buffer.isArgument() || buffer.index != number)
      continue;
    if (!buffer.packable || !buffer.elements.isKnown() || form.packings.contains(number))
      return std::nullopt;
    for (const schedule::NestGroup &group : form.program.groups)
      for (const LoopNest &nest : group.nests)
        for (const Node &node : nest.nodes) {
          if (!node.reads(id))
            continue;
          if (node.kind != Node::Kind::Gather || !node.strides.front().isKnown())
            return std::nullopt;
          columns = columns.value_or(int64_t(node.strides.front()));
          schedule::Size points = 1;
          for (const schedule::Dimension &dim : nest.dims)
            points *= dim.extent;
          bool isMuch = points.isKnown() && int64_t(points) > int64_t(buffer.elements) / leastElementsPerRead;
          if (isMuch || !readsRows(nest, node, *columns) || int64_t(buffer.elements) % *columns != 0)
            return std::nullopt;
        }
  }
  return columns;
}

/// Returns the layout of a constant argument, or null.
task::PackingAttr packingOf(task::DefOp def, unsigned number) {
  if (loop::ProgramOp program = schedule::programOf(def))
    for (auto buffer : program.getBody().front().getOps<loop::BufferOp>())
      if (buffer.getRole() == loop::Role::Argument && buffer.getNumber() == number)
        return buffer->getAttrOfType<task::PackingAttr>(task::TaskDialect::getPackingName());
  return nullptr;
}

/// Makes the gathers of an argument read its packing.
void readPacked(const PlainArgument &argument) {
  schedule::LoopForm form = schedule::readLoops(argument.def);
  for (auto [number, buffer] : llvm::enumerate(form.program.buffers)) {
    if (!buffer.isArgument() || buffer.index != argument.number)
      continue;
    for (schedule::NestGroup &group : form.program.groups)
      for (LoopNest &nest : group.nests) {
        for (NodeId id = 0; id < static_cast<NodeId>(nest.nodes.size()); ++id)
          if (nest.nodes[id].kind == Node::Kind::Gather && nest.nodes[id].buffer == number)
            id += GatherRewriter(form.program, nest, argument.places).rewrite(id);
        schedule::updateDependences(nest);
      }
  }
  form.packings[argument.number] = {argument.packing.getElements(), SmallVector<int64_t>(argument.packing.getNests())};
  schedule::writeLoops(argument.def, form);
}

struct SharePackedConstants : impl::SharePackedConstantsPassBase<SharePackedConstants> {
  void runOnOperation() override {
    readCalls();
    for (PlainArgument &argument : arguments)
      choosePacking(argument);
    // If another task reads a constant as it is, the gather has nothing to save.
    auto isStoredOnce = [&](ElementsAttr constant) {
      return llvm::all_of(readers[constant], [&](size_t number) { return arguments[number].packing; });
    };
    for (const PlainArgument &argument : arguments)
      if (argument.packing && llvm::all_of(argument.constants, isStoredOnce))
        readPacked(argument);
  }

private:
  /// Finds the layouts of constants, and the arguments that read constants as they are.
  void readCalls() {
    SymbolTable symbols(getOperation());
    std::map<std::pair<Operation *, unsigned>, size_t> known;
    getOperation().walk([&](task::CallOp call) {
      auto def = symbols.lookup<task::DefOp>(call.getCallee());
      for (auto [number, input] : llvm::enumerate(call.getInputs())) {
        ElementsAttr constant = onnx::getConstantAttr(input);
        if (!constant || !onnx::getResource(constant))
          continue;
        ElementsAttr stored = task::storedConstant(constant);
        task::PackingAttr packing = packingOf(def, number);
        if (task::PackingAttr ofStored = task::packingOfStored(constant, packing))
          layouts.insert({stored, ofStored});
        if (packing || stored != constant)
          continue;
        auto [place, isNew] = known.try_emplace({def, number}, arguments.size());
        if (isNew)
          arguments.push_back(PlainArgument{def,
                                            static_cast<unsigned>(number),
                                            schedule::programOf(def) ? columnsOfGathers(def, number) : std::nullopt,
                                            {},
                                            nullptr,
                                            {}});
        PlainArgument &argument = arguments[place->second];
        argument.constants.push_back(stored);
        readers[stored].push_back(place->second);
      }
    });
  }

  /// Sets the packing of an argument if all its constants have the same one, and the gathers can read it.
  void choosePacking(PlainArgument &argument) const {
    task::PackingAttr packing = layouts.lookup(argument.constants.front());
    if (!argument.columns || !packing ||
        !llvm::all_of(argument.constants, [&](ElementsAttr each) { return layouts.lookup(each) == packing; }))
      return;
    int64_t rows = argument.constants.front().getNumElements() / *argument.columns;
    if (std::optional<MatrixPlaces> places = schedule::placesOf(packing, rows, *argument.columns)) {
      argument.packing = packing;
      argument.places = *places;
    }
  }

  /// The first layout of each constant that is packed or transposed.
  DenseMap<ElementsAttr, task::PackingAttr> layouts;
  DenseMap<ElementsAttr, SmallVector<size_t, 1>> readers; ///< numbers of the arguments that read it as it is
  std::vector<PlainArgument> arguments;
};

} // namespace
} // namespace cameo
