// Implements reads and region evaluation: translates linalg semantics to the expression trees of LoopNest.h.
#include "passes/Schedule/Nests/Build/NestBuilder.h"

#include "dialects/Task/TaskStringOps.h"
#include "passes/Schedule/Nests/TensorSizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace cameo::schedule {

void NestBuilder::setDimensions(linalg::GenericOp op) {
  for (auto [extent, kind] : llvm::zip_equal(loopSizesOf(op), op.getIteratorTypesArray()))
    nest.dims.push_back({extent, kind == utils::IteratorType::reduction});
}

void NestBuilder::setDimensions(ArrayRef<Size> shape) {
  for (const Size &extent : shape)
    nest.dims.push_back({extent, false});
}

SmallVector<LinearForm> NestBuilder::identityForms() const {
  SmallVector<LinearForm> forms;
  for (unsigned dim = rowDims; dim < nest.dims.size(); ++dim)
    forms.push_back(LinearForm::dimension(nest.dims.size(), dim));
  return forms;
}

NodeId NestBuilder::accumulator(unsigned number, Type type) {
  Node node{Node::Kind::Accumulator, type};
  node.accumulator = number;
  return addNode(nest, std::move(node));
}

NodeId NestBuilder::constant(TypedAttr value) {
  Node node{Node::Kind::Constant, value.getType()};
  node.constant = value;
  return addNode(nest, std::move(node));
}

/// Extends a form over the rows to all dimensions of the nest.
LinearForm NestBuilder::overRows(const LinearForm &form) const {
  LinearForm whole(nest.dims.size());
  whole.constant = form.constant;
  if (rowDims > 0)
    whole.coefficients[0] = form.coefficients[0];
  return whole;
}

/// Returns the address of the first element of the view in the current row.
LinearForm NestBuilder::origin(const View &view) const {
  LinearForm form(nest.dims.size());
  form.constant = view.offset;
  if (rowDims > 0)
    form.coefficients[0] = view.rowStride;
  return form;
}

LinearForm NestBuilder::address(const View &view, ArrayRef<LinearForm> index) const {
  LinearForm form = origin(view);
  for (auto [dim, stride] : llvm::enumerate(view.strides))
    form.add(index[dim], stride);
  return form;
}

NodeId NestBuilder::load(const View &view, Type type, ArrayRef<LinearForm> index) {
  Node node{Node::Kind::Load, type};
  node.buffer = view.buffer;
  node.address = address(view, index);
  return addNode(nest, std::move(node));
}

void NestBuilder::addOutput(NodeId value, const View &view, ArrayRef<LinearForm> index) {
  nest.outputs.push_back({value, view.buffer, address(view, index)});
}

void NestBuilder::bind(Value tensor, ArrayRef<LinearForm> index, NodeId node) {
  bound[tensor] = {SmallVector<LinearForm>(index), node};
}

const SmallVector<LinearForm> *NestBuilder::boundIndex(Value tensor) const {
  auto it = bound.find(tensor);
  return it == bound.end() ? nullptr : &it->second.index;
}

static SmallVector<Size> staticShape(RankedTensorType type) {
  return SmallVector<Size>(type.getShape().begin(), type.getShape().end());
}

std::optional<NodeId> NestBuilder::readConstant(ElementsAttr value, ArrayRef<LinearForm> index) {
  if (!isa<DenseElementsAttr>(value))
    return fail("a constant whose elements are not in the text");
  if (value.isSplat())
    return constant(cast<TypedAttr>(value.getSplatValue<Attribute>()));
  auto type = cast<RankedTensorType>(value.getType());
  unsigned number = 0;
  while (number < program.buffers.size() && program.buffers[number].table != value)
    ++number;
  if (number == program.buffers.size())
    program.buffers.push_back(
        {loop::Role::Table, loop::Space::Global, 0, type.getNumElements(), type.getElementType(), value});
  return load(denseView(number, staticShape(type)), type.getElementType(), index);
}

std::optional<NodeId> NestBuilder::readReshaped(Operation *op, ArrayRef<LinearForm> index) {
  SmallVector<LinearForm> source;
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    SmallVector<Size> shape = shapeOf(expand);
    for (const auto &group : expand.getReassociationIndices()) {
      LinearForm merged(nest.dims.size());
      for (int64_t dim : group) {
        LinearForm scaled(nest.dims.size());
        scaled.add(merged, shape[dim]);
        scaled.add(index[dim]);
        merged = scaled;
      }
      source.push_back(merged);
    }
    return read(expand.getSrc(), source);
  }
  auto collapse = cast<tensor::CollapseShapeOp>(op);
  SmallVector<Size> shape = shapeOf(collapse.getSrc());
  const View *view = placement.lookup(collapse.getSrc());
  if (view) {
    // A stored source must be contiguous over each merged group: the merged index then uses the stride of the innermost
    // dimension.
    LinearForm form = origin(*view);
    for (auto [number, group] : llvm::enumerate(collapse.getReassociationIndices())) {
      Size stride = 0, expected = 0;
      for (int64_t dim : llvm::reverse(group)) {
        if (shape[dim] == 1)
          continue;
        if (stride != 0 && view->strides[dim] != expected)
          return fail("a reshape of a strided tensor");
        if (stride == 0)
          stride = view->strides[dim];
        expected = view->strides[dim] * shape[dim];
      }
      form.add(index[number], stride);
    }
    Node node{Node::Kind::Load, collapse.getSrcType().getElementType()};
    node.buffer = view->buffer;
    node.address = form;
    return addNode(nest, std::move(node));
  }
  for (auto [number, group] : llvm::enumerate(collapse.getReassociationIndices())) {
    bool used = false;
    for (int64_t dim : group) {
      bool wide = shape[dim] != 1;
      if (wide && used)
        return fail("a reshape that merges dimensions of a tensor that is not stored");
      source.push_back(wide ? index[number] : LinearForm(nest.dims.size()));
      used |= wide;
    }
  }
  return read(collapse.getSrc(), source);
}

std::optional<NodeId> NestBuilder::read(Value tensor, ArrayRef<LinearForm> index) {
  if (auto it = bound.find(tensor); it != bound.end()) {
    if (ArrayRef<LinearForm>(it->second.index) != index)
      return fail("a value in registers is read at another point");
    return it->second.node;
  }
  auto type = cast<RankedTensorType>(tensor.getType());
  if (const View *view = placement.lookup(tensor))
    return load(*view, type.getElementType(), index);
  Operation *op = tensor.getDefiningOp();
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return readReshaped(op, index);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    SmallVector<LinearForm> source;
    unsigned next = 0;
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    for (int64_t dim = 0; dim < slice.getSourceType().getRank(); ++dim) {
      LinearForm form = overRows(*rowForm(slice.getMixedOffsets()[dim]));
      if (!dropped.test(dim))
        form.add(index[next++], slice.getStaticStrides()[dim]);
      source.push_back(form);
    }
    return read(slice.getSource(), source);
  }
  if (auto fill = dyn_cast<linalg::FillOp>(op)) {
    TypedAttr value;
    if (!matchPattern(fill.value(), m_Constant(&value)))
      return fail("a fill with a value that is not constant");
    return constant(value);
  }
  if (auto value = dyn_cast<arith::ConstantOp>(op))
    return readConstant(cast<ElementsAttr>(value.getValue()), index);
  if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
    if (generic.getNumReductionLoops() != 0)
      return fail("a reduction that is read before it is stored");
    // Invert the result's map: each dimension of the producer is one of its result's.
    AffineMap map = generic.getMatchingIndexingMap(generic.getDpsInitOperand(cast<OpResult>(tensor).getResultNumber()));
    SmallVector<LinearForm> dims(map.getNumDims(), LinearForm(nest.dims.size()));
    for (auto [position, expr] : llvm::enumerate(map.getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(expr))
        dims[dim.getPosition()] = index[position];
    std::optional<SmallVector<NodeId>> values = evaluate(generic, dims);
    if (!values)
      return std::nullopt;
    return (*values)[cast<OpResult>(tensor).getResultNumber()];
  }
  return fail("a tensor made by " + op->getName().getStringRef());
}

std::optional<NodeId> NestBuilder::gather(tensor::ExtractOp op, ArrayRef<NodeId> indices) {
  const View *view = placement.lookup(op.getTensor());
  View table;
  if (!view) {
    auto value = op.getTensor().getDefiningOp<arith::ConstantOp>();
    if (!value)
      return fail("an indirect read of a tensor that is not stored");
    auto type = cast<RankedTensorType>(op.getTensor().getType());
    SmallVector<LinearForm> zero(type.getRank(), LinearForm(nest.dims.size()));
    std::optional<NodeId> first = readConstant(cast<ElementsAttr>(value.getValue()), zero);
    if (!first || nest.nodes[*first].kind == Node::Kind::Constant)
      return first;
    table = denseView(nest.nodes[*first].buffer, staticShape(type));
    view = &table;
  }
  Node node{Node::Kind::Gather, op.getType()};
  node.buffer = view->buffer;
  node.address = origin(*view);
  for (auto [id, stride] : llvm::zip_equal(indices, view->strides)) {
    if (nest.nodes[id].kind == Node::Kind::Index) {
      node.address.add(nest.nodes[id].address, stride);
      continue;
    }
    node.operands.push_back(id);
    node.strides.push_back(stride);
  }
  if (node.operands.empty())
    node.kind = Node::Kind::Load;
  return addNode(nest, std::move(node));
}

std::optional<NodeId> NestBuilder::foldIndexArithmetic(Operation &op, ArrayRef<NodeId> operands) {
  if (operands.size() != 2 || !isa<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return std::nullopt;
  const Node &left = nest.nodes[operands[0]], &right = nest.nodes[operands[1]];
  if (left.kind != Node::Kind::Index || right.kind != Node::Kind::Index)
    return std::nullopt;
  Node node{Node::Kind::Index, left.type};
  node.address = LinearForm(nest.dims.size());
  if (isa<arith::MulIOp>(op)) {
    if (!left.address.isConstant() && !right.address.isConstant())
      return std::nullopt;
    bool leftScales = left.address.isConstant();
    node.address.add(leftScales ? right.address : left.address,
                     leftScales ? left.address.constant : right.address.constant);
  } else {
    node.address.add(left.address);
    node.address.add(right.address, isa<arith::SubIOp>(op) ? -1 : 1);
  }
  return addNode(nest, std::move(node));
}

/// Reads a scalar from outside of the linalg body: a constant, a size, or an index along the rows.
std::optional<NodeId> NestBuilder::readOuter(Value value) {
  TypedAttr attribute;
  if (matchPattern(value, m_Constant(&attribute)))
    return constant(attribute);
  std::optional<LinearForm> form = value.getType().isIndex() ? rowForm(value) : std::nullopt;
  if (!form)
    return fail("a scalar computed outside of the loops");
  Node node{Node::Kind::Index, value.getType()};
  node.address = overRows(*form);
  return addNode(nest, std::move(node));
}

std::optional<NodeId> NestBuilder::evaluateScalar(Operation &op, DenseMap<Value, NodeId> &values,
                                                  ArrayRef<LinearForm> dims) {
  Node node{Node::Kind::Apply, op.getResult(0).getType()};
  if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    node.kind = Node::Kind::Index;
    node.address = dims[index.getDim()];
    return addNode(nest, std::move(node));
  }
  SmallVector<NodeId> operands;
  for (Value operand : op.getOperands()) {
    auto it = values.find(operand);
    if (it == values.end() && isa<TensorType>(operand.getType()))
      continue;
    if (it == values.end()) {
      std::optional<NodeId> outer = readOuter(operand);
      if (!outer)
        return std::nullopt;
      it = values.try_emplace(operand, *outer).first;
    }
    operands.push_back(it->second);
  }
  if (auto value = dyn_cast<arith::ConstantOp>(op)) {
    if (!value.getType().isIndex())
      return constant(value.getValue());
    node.kind = Node::Kind::Index;
    node.address = LinearForm(nest.dims.size());
    node.address.constant = cast<IntegerAttr>(value.getValue()).getInt();
    return addNode(nest, std::move(node));
  }
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return gather(extract, operands);
  // Operations on strings have no vector form.
  bool isOnStrings = isa<task::InvokeOp, task::TextAreaOp, task::StringOp>(op);
  if (op.getNumResults() != 1 || op.getNumRegions() != 0 || !isMemoryEffectFree(&op) || isOnStrings)
    return fail("the scalar operation " + op.getName().getStringRef());
  if (std::optional<NodeId> folded = foldIndexArithmetic(op, operands))
    return folded;
  node.op = &op;
  node.operands.assign(operands.begin(), operands.end());
  return addNode(nest, std::move(node));
}

std::optional<SmallVector<NodeId>> NestBuilder::evaluate(linalg::GenericOp op, ArrayRef<LinearForm> dims) {
  Block &body = op.getRegion().front();
  bool reduces = op.getNumReductionLoops() != 0;
  DenseMap<Value, NodeId> values;
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(&operand);
    if (argument.use_empty())
      continue;
    if (reduces && op.isDpsInit(&operand)) {
      values[argument] = accumulator(operand.getOperandNumber() - op.getNumDpsInputs(), argument.getType());
      continue;
    }
    SmallVector<LinearForm> index;
    for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults()) {
      std::optional<LinearForm> form = substitute(expr, dims, nest.dims.size());
      if (!form)
        return fail("an index that is not linear");
      index.push_back(*form);
    }
    std::optional<NodeId> value = read(operand.get(), index);
    if (!value)
      return std::nullopt;
    values[argument] = *value;
  }
  for (Operation &scalar : body.without_terminator()) {
    std::optional<NodeId> value = evaluateScalar(scalar, values, dims);
    if (!value)
      return std::nullopt;
    values[scalar.getResult(0)] = *value;
  }
  SmallVector<NodeId> results;
  for (Value yielded : body.getTerminator()->getOperands()) {
    TypedAttr value;
    if (!values.contains(yielded) && matchPattern(yielded, m_Constant(&value)))
      values[yielded] = constant(value);
    if (!values.contains(yielded))
      return fail("a value yielded from outside of the loops");
    results.push_back(values[yielded]);
  }
  return results;
}

} // namespace cameo::schedule
