// The common shape rule of the three recurrent layers.
#include "dialects/Onnx/ShapeRules.h"

using namespace mlir;
using namespace cameo;
using namespace cameo::onnx;

#define GET_OP_CLASSES
#include "dialects/Onnx/Ops/OnnxRecurrentOps.cpp.inc"

namespace {

/// The differences between the three kinds of layers.
struct RecurrentKind {
  int64_t gates;
  int64_t activations; // per direction
  bool hasCell;        // LSTM: operands 6 and 7, result 2
};

/// The attributes of a layer, the same for all kinds.
struct RecurrentStated {
  Operation *op = nullptr;
  RecurrentKind kind;
  StringRef direction;
  std::optional<int64_t> hiddenSize;
  int64_t layout = 0;
  std::optional<ArrayAttr> activations;
  std::optional<float> clip;
};

template <typename OpTy> RecurrentStated readStated(OpTy op, RecurrentKind kind) {
  RecurrentStated stated;
  stated.op = op;
  stated.kind = kind;
  stated.direction = op.getDirection();
  stated.hiddenSize = op.getHiddenSize();
  stated.layout = op.getLayout();
  stated.activations = op.getActivations();
  stated.clip = op.getClip();
  return stated;
}

bool isActivation(StringRef name) {
  static constexpr StringLiteral names[] = {
      "relu",       "tanh",        "sigmoid", "affine",   "leakyrelu", "thresholdedrelu",
      "scaledtanh", "hardsigmoid", "elu",     "softsign", "softplus"};
  return llvm::any_of(names, [&](StringRef known) { return known.equals_insensitive(name); });
}

LogicalResult expectActivations(const RecurrentStated &stated, int64_t directions) {
  if (!stated.activations)
    return success();
  int64_t least = directions * stated.kind.activations, count = stated.activations->size();
  if (count < least) // recurrent_c1
    return stated.op->emitOpError() << "expected " << least << " names in 'activations', got " << count;
  for (StringAttr name : stated.activations->getAsRange<StringAttr>())
    if (!isActivation(name)) // recurrent_c2
      return stated.op->emitOpError() << "expected the name of an activation of ONNX, got '" << name.getValue() << "'";
  return success();
}

class RecurrentRule {
public:
  RecurrentRule(const RecurrentStated &stated, SizeConstraints &sizes) : stated(stated), sizes(sizes), op(stated.op) {}

  LogicalResult infer(SmallVectorImpl<Type> &types) {
    if (failed(expectAttributes()) || failed(expectOperands()))
      return failure();
    Type elementType = elementTypeOf(op->getOperand(0));
    DimList y{steps, directions, batch, hidden};
    if (stated.layout == 1)
      y = {batch, steps, directions, hidden};
    types.push_back(makeTensorType(y, elementType));
    types.append(stated.kind.hasCell ? 2 : 1, makeTensorType(state(), elementType));
    return success();
  }

private:
  LogicalResult expectAttributes() {
    if (stated.layout != 0 && stated.layout != 1) // recurrent_c3
      return op->emitOpError() << "expected 'layout' 0 or 1, got " << stated.layout;
    if (stated.clip && !(*stated.clip >= 0)) // recurrent_c13
      return op->emitOpError() << "expected a 'clip' of 0 or more, got " << *stated.clip;
    directions = Dim(stated.direction == "bidirectional" ? 2 : 1);
    if (failed(expectActivations(stated, directions.getSize())))
      return failure();
    std::optional<DimList> recurrence = getDims(op->getOperand(2));
    if (recurrence && recurrence->size() == 3)
      hidden = recurrence->back();
    if (!stated.hiddenSize)
      return success();
    constexpr int64_t kMaxHidden = std::numeric_limits<int32_t>::max();
    if (*stated.hiddenSize < 1 || *stated.hiddenSize > kMaxHidden ||
        failed(sizes.requireEqual(hidden, *stated.hiddenSize))) // recurrent_c4
      return op->emitOpError() << "expected 'hidden_size' of the recurrence weights, got " << *stated.hiddenSize;
    hidden = Dim(*stated.hiddenSize);
    return success();
  }

  LogicalResult expectOperands() {
    SmallVector<unsigned> tensors;
    for (unsigned i = 0; i < op->getNumOperands(); ++i)
      if (i != 4)
        tensors.push_back(i);
    if (failed(expectSameElementType(op, tensors)) || failed(expectRank(op, 0, 3, 3))) // recurrent_c5
      return failure();
    Dim input = Dim::unknown();
    if (std::optional<DimList> x = getDims(op->getOperand(0))) {
      steps = (*x)[stated.layout == 0 ? 0 : 1];
      batch = (*x)[stated.layout == 0 ? 1 : 0];
      input = (*x)[2];
    }
    Dim gates = mulDims(hidden, Dim(stated.kind.gates));
    return failure(failed(expectOperand(1, {directions, gates, input})) /*recurrent_c6*/ ||
                   failed(expectOperand(2, {directions, gates, hidden})) /*recurrent_c7*/ ||
                   failed(expectOperand(3, {directions, mulDims(gates, Dim(2))})) /*recurrent_c8*/ ||
                   failed(expectOperand(4, {batch})) /*recurrent_c9*/ ||
                   failed(expectOperand(5, state())) /*recurrent_c10*/ ||
                   (stated.kind.hasCell && failed(expectCell())));
  }

  LogicalResult expectCell() {
    return failure(failed(expectOperand(6, state())) /*recurrent_c11*/ ||
                   failed(expectOperand(7, {directions, mulDims(hidden, Dim(3))})) /*recurrent_c12*/);
  }

  DimList state() const {
    return stated.layout == 1 ? DimList{batch, directions, hidden} : DimList{directions, batch, hidden};
  }

  LogicalResult expectOperand(unsigned operand, const DimList &dims) {
    return expectDims(op, sizes, operand, dims, "from the other operands");
  }

  const RecurrentStated &stated;
  SizeConstraints &sizes;
  Operation *op;
  Dim steps, directions, batch, hidden;
};

} // namespace

LogicalResult RNNOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  return RecurrentRule(readStated(*this, {/*gates=*/1, /*activations=*/1, /*hasCell=*/false}), sizes).infer(types);
}

LogicalResult GRUOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  return RecurrentRule(readStated(*this, {/*gates=*/3, /*activations=*/2, /*hasCell=*/false}), sizes).infer(types);
}

LogicalResult LSTMOp::inferResultTypes(SmallVectorImpl<Type> &types, SizeConstraints &sizes) {
  return RecurrentRule(readStated(*this, {/*gates=*/4, /*activations=*/3, /*hasCell=*/true}), sizes).infer(types);
}
