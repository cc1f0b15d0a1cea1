// --choose-layout: one walk from inputs to outputs. Values that exist channels last are remembered; an op that prefers
// or accepts that order is created anew on them; an op that does not gets its operands transposed back, once per value.
#include "passes/Layout/FollowLayout.h"
#include "passes/Layout/Passes.h"

#include "dialects/Onnx/OnnxOps.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace cameo::layout;

namespace cameo {

#define GEN_PASS_DEF_CHOOSELAYOUTPASS
#include "passes/Layout/Passes.h.inc"

namespace {

/// Ops that run fastest channels last.
bool prefersChannelsLast(Operation *op) {
  auto layoutOp = dyn_cast<onnx::ChannelsLastOp>(op);
  if (!layoutOp || layoutOp.isChannelsLast())
    return false;
  auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  auto result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  bool othersUnused = llvm::all_of(op->getResults().drop_front(), [](Value value) { return value.use_empty(); });
  return type && result && type.getRank() >= 3 && result.getRank() == type.getRank() && othersUnused;
}

/// Whether a pool reads each element at most once.
template <typename OpTy> bool hasApartWindows(OpTy op) {
  std::optional<ArrayRef<int64_t>> strides = op.getStrides();
  return strides && llvm::all_of(llvm::zip_equal(op.getKernelShape(), *strides),
                                 [](auto axis) { return std::get<0>(axis) <= std::get<1>(axis); });
}

/// Whether planes of known sizes have rows that fill more than half a vector of 64 bytes.
bool hasLongRows(Value image) {
  constexpr int64_t fewElements = 8;
  ArrayRef<int64_t> plane = cast<RankedTensorType>(image.getType()).getShape().drop_front();
  return !ShapedType::isDynamicShape(plane) && plane.back() > fewElements;
}

/// Ops that are as fast in the order of the model: transposes before and after would take longer than the op. They are
/// channels last where their input is.
bool followsInput(Operation *op) {
  return TypeSwitch<Operation *, bool>(op)
      .Case<onnx::GlobalAveragePoolOp, onnx::GlobalMaxPoolOp, onnx::GlobalLpPoolOp, onnx::BatchNormalizationOp,
            onnx::InstanceNormalizationOp, onnx::GroupNormalizationOp, onnx::LRNOp>([](auto) { return true; })
      .Case<onnx::AveragePoolOp, onnx::MaxPoolOp, onnx::LpPoolOp>(
          [](auto pool) { return hasApartWindows(pool) || hasLongRows(pool.getX()); })
      .Default(false);
}

class LayoutChooser {
public:
  explicit LayoutChooser(Block &block) : block(block), builder(block.getParentOp()->getContext()) {}

  void run();

private:
  void visit(Operation *op);
  void rewriteChannelsLast(Operation *op);
  bool followTranspose(onnx::TransposeOp op);
  bool followOperand(Operation *op);
  bool isPermuted(Value value) const;
  void keepOrder(Operation *op);

  Block &block;
  OpBuilder builder;
  PermutedValues values;
  SmallVector<Operation *> rewritten;
};

void LayoutChooser::rewriteChannelsLast(Operation *op) {
  int64_t rank = cast<ShapedType>(op->getOperand(0).getType()).getRank();
  Perm places = getChannelsLast(rank);
  Value stored = values.get(builder, op->getLoc(), op->getOperand(0), places);
  Operation *moved = builder.clone(*op);
  moved->setOperand(0, stored);
  for (OpOperand &operand : llvm::drop_begin(moved->getOpOperands()))
    operand.set(values.getOriginal(builder, op->getLoc(), operand.get()));
  moved->getResult(0).setType(permuteType(cast<RankedTensorType>(op->getResult(0).getType()), places));
  cast<onnx::ChannelsLastOp>(moved).setChannelsLastLayout(true);
  values.set(op->getResult(0), {moved->getResult(0), places, true});
}

/// A transpose of a stored value is the same stored value under another name. One of any other value is kept, but what
/// it was made from is remembered: that may be the order somebody wants.
bool LayoutChooser::followTranspose(onnx::TransposeOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getData().getType());
  if (!type)
    return false;
  const Permuted *entry = values.find(op.getData());
  bool isComputed = entry && entry->isComputed;
  Perm places;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    int64_t dim = op.getPerm() ? (*op.getPerm())[i] : type.getRank() - 1 - i;
    places.push_back(isComputed ? entry->places[dim] : dim);
  }
  values.set(op.getTransposed(), {isComputed ? entry->value : op.getData(), places, isComputed});
  return isComputed;
}

bool LayoutChooser::followOperand(Operation *op) {
  auto result = op->getNumResults() > 0 ? dyn_cast<RankedTensorType>(op->getResult(0).getType()) : RankedTensorType();
  if (!result || op->getNumRegions() != 0)
    return false;
  const Permuted *lead = nullptr;
  for (Value operand : op->getOperands()) {
    const Permuted *entry = values.find(operand);
    if (!entry || isIdentity(entry->places) || static_cast<int64_t>(entry->places.size()) != result.getRank())
      continue;
    // A mere transpose is followed only where it leads to what convolutions want.
    if (!entry->isComputed && entry->places != getChannelsLast(result.getRank()))
      continue;
    if (!lead || (entry->isComputed && !lead->isComputed))
      lead = entry;
  }
  return lead && succeeded(followLayout(op, lead->places, values, builder));
}

/// Whether channels last costs nothing, or may avoid a transpose.
bool LayoutChooser::isPermuted(Value value) const {
  const Permuted *entry = values.find(value);
  return entry &&
         (entry->isComputed ? !isIdentity(entry->places) : entry->places == getChannelsLast(entry->places.size()));
}

void LayoutChooser::keepOrder(Operation *op) {
  op->walk([&](Operation *inner) {
    for (OpOperand &operand : inner->getOpOperands()) {
      const Permuted *entry = values.find(operand.get());
      if (!entry)
        continue;
      if (entry->isComputed && !isIdentity(entry->places) && !inner->hasTrait<OpTrait::IsTerminator>())
        remark::missed(inner->getLoc(), remark::RemarkOpts::name("transpose").category("choose-layout"))
            << llvm::formatv("needs operand #{0} in the layout of the model: it is transposed from channels last",
                             operand.getOperandNumber())
                   .str();
      operand.set(values.getOriginal(builder, inner->getLoc(), operand.get()));
    }
  });
}

void LayoutChooser::visit(Operation *op) {
  builder.setInsertionPoint(op);
  if (prefersChannelsLast(op)) {
    // Nobody reads the others, which would have to be permuted, too.
    for (Value other : op->getResults().drop_front())
      other.setType(builder.getNoneType());
    if (!followsInput(op) || isPermuted(op->getOperand(0))) {
      rewriteChannelsLast(op);
      rewritten.push_back(op);
      return;
    }
  }
  bool isRewritten = false;
  if (auto transpose = dyn_cast<onnx::TransposeOp>(op))
    isRewritten = followTranspose(transpose);
  else if (isa<onnx::ReshapeOp>(op))
    isRewritten = succeeded(followReshape(op, values, builder));
  else
    isRewritten = followOperand(op);
  if (isRewritten)
    rewritten.push_back(op);
  else
    keepOrder(op);
}

void LayoutChooser::run() {
  SmallVector<Operation *> ops;
  for (Operation &op : block)
    ops.push_back(&op);
  if (llvm::none_of(ops, prefersChannelsLast))
    return;
  for (Operation *op : ops)
    visit(op);
  for (Operation *op : llvm::reverse(rewritten))
    op->erase();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

struct ChooseLayoutPass : impl::ChooseLayoutPassBase<ChooseLayoutPass> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      LayoutChooser(block).run();
  }
};

} // namespace
} // namespace cameo
