// --fold-constants: evaluates ops on constants, one after the other, as implemented in Evaluate<Kind>.cpp. Shape
// arithmetic is left to the ops' fold methods.
#include "passes/Graph/Constants/EvaluateConstant.h"
#include "passes/Graph/Constants/ScalarConstant.h"
#include "passes/Graph/Passes.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxDialect.h"
#include "dialects/Onnx/OnnxOps.h"

#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace cameo::graph;

namespace cameo {

#define GEN_PASS_DEF_FOLDCONSTANTSPASS
#include "passes/Graph/Passes.h.inc"

namespace {

int64_t countBytes(RankedTensorType type) {
  return type.getNumElements() * onnx::getElementBytes(type.getElementType());
}

bool isShapeOnly(Operation *op) {
  return isa<onnx::ReshapeOp, onnx::FlattenOp, onnx::SqueezeOp, onnx::UnsqueezeOp, onnx::IdentityOp>(op);
}

/// Returns the same bytes with another shape. A resource is shared, not copied.
ElementsAttr reshapeConstant(ElementsAttr value, RankedTensorType type) {
  type = RankedTensorType::get(type.getShape(), type.getElementType());
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value))
    return DenseResourceElementsAttr::get(type, resource.getRawHandle());
  if (auto strings = dyn_cast<DenseStringElementsAttr>(value))
    return DenseStringElementsAttr::get(type, strings.getRawStringData());
  if (auto transposed = dyn_cast<onnx::TransposedAttr>(value))
    return onnx::TransposedAttr::get(value.getContext(), type, transposed.getSource(), transposed.getPerm());
  auto dense = dyn_cast<DenseElementsAttr>(value);
  return dense ? dense.reshape(type) : DenseElementsAttr();
}

/// Prefix of the names of resources that this pass creates and may therefore free.
constexpr StringLiteral ownName = "folded";

using BlobEntry = DialectResourceBlobManager::BlobEntry;

BlobEntry *getBlobEntry(Operation *op) {
  auto constant = dyn_cast<onnx::ConstantOp>(op);
  DenseResourceElementsAttr resource = constant ? onnx::getResource(constant.getValue()) : DenseResourceElementsAttr();
  return resource ? resource.getRawHandle().getResource() : nullptr;
}

struct FoldOptions {
  int64_t maxGrowth, copiedBytes;
  bool dequantize, freeWeights;
};

class ConstantFolder {
public:
  ConstantFolder(ModuleOp module, FoldOptions options) : builder(module.getContext()), options(options) {
    module.walk([&](Operation *op) {
      if (BlobEntry *entry = getBlobEntry(op))
        ++users[entry];
    });
  }

  void run(Block &block);

private:
  bool pays(Operation *op, RankedTensorType type) const;
  ElementsAttr foldInPlace(Operation *op, RankedTensorType type) const;
  bool fold(Operation *op);
  std::optional<SmallVector<ConstantTensor>> readOperands(Operation *op);
  void replace(Operation *op, ElementsAttr value);
  void eraseUnused(Operation *op);

  OpBuilder builder;
  FoldOptions options;
  DenseMap<BlobEntry *, unsigned> users; // constants that share the resource
  SmallVector<Bytes, 4> expanded;        // splat operands of the current op, expanded
};

std::optional<SmallVector<ConstantTensor>> ConstantFolder::readOperands(Operation *op) {
  SmallVector<ConstantTensor> tensors;
  expanded.clear();
  for (Value operand : op->getOperands()) {
    Operation *def = operand.getDefiningOp();
    RankedTensorType type = getStaticType(operand);
    if (isa_and_nonnull<onnx::NoneOp>(def)) {
      tensors.push_back({});
      continue;
    }
    std::optional<ArrayRef<char>> raw = type ? onnx::getRawConstant(operand) : std::nullopt;
    if (raw && static_cast<int64_t>(raw->size()) == countBytes(type)) {
      tensors.push_back({type, *raw});
      continue;
    }
    std::optional<Bytes> bytes = type ? onnx::readConstant(operand) : std::nullopt;
    if (!bytes)
      return std::nullopt;
    expanded.push_back(std::move(*bytes));
    tensors.push_back({type, expanded.back()});
  }
  return tensors;
}

bool ConstantFolder::pays(Operation *op, RankedTensorType type) const {
  if (isa<onnx::DequantizeLinearOp>(op))
    return options.dequantize;
  if (isa<onnx::MelWeightMatrixOp>(op)) // Each run would compute logarithms and powers, also for the many zeros.
    return true;
  int64_t before = 0;
  for (Value operand : op->getOperands())
    if (RankedTensorType operandType = getStaticType(operand))
      before += countBytes(operandType);
  return countBytes(type) <= before + options.maxGrowth;
}

/// Returns a constant that shares the bytes of the operand; null if the op needs other bytes.
ElementsAttr ConstantFolder::foldInPlace(Operation *op, RankedTensorType type) const {
  if (isShapeOnly(op))
    return reshapeConstant(onnx::getConstantAttr(op->getOperand(0)), type);
  auto transpose = dyn_cast<onnx::TransposeOp>(op);
  if (!transpose || countBytes(type) <= options.copiedBytes)
    return {};
  std::optional<ArrayRef<int64_t>> perm = transpose.getPerm();
  auto reversed = llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, type.getRank())));
  return onnx::transposeConstant(onnx::getConstantAttr(transpose.getData()),
                                 perm ? *perm : ArrayRef<int64_t>(reversed));
}

bool ConstantFolder::fold(Operation *op) {
  RankedTensorType type = op->getNumResults() == 1 ? getStaticType(op->getResult(0)) : RankedTensorType();
  bool areConstant = op->getNumOperands() > 0 && llvm::all_of(op->getOperands(), [](Value operand) {
                       return isa_and_nonnull<onnx::ConstantOp, onnx::NoneOp>(operand.getDefiningOp());
                     });
  if (!type || !areConstant || op->getNumRegions() != 0 || !pays(op, type))
    return false;
  if (ElementsAttr value = foldInPlace(op, type)) {
    replace(op, value);
    return true;
  }
  std::optional<SmallVector<ConstantTensor>> operands = readOperands(op);
  std::optional<Bytes> result = operands ? evaluateMovement(op, *operands) : std::nullopt;
  if (operands && !result)
    result = evaluateElementwise(op, *operands);
  if (!result)
    result = evaluateSignal(op);
  if (!result)
    return false;
  replace(op, onnx::makeConstantAttr(type, std::move(*result), ownName));
  return true;
}

void ConstantFolder::replace(Operation *op, ElementsAttr value) {
  builder.setInsertionPoint(op);
  auto constant = onnx::ConstantOp::create(builder, op->getLoc(), cast<ShapedType>(value.getType()), value);
  if (BlobEntry *entry = getBlobEntry(constant))
    ++users[entry];
  op->getResult(0).replaceAllUsesWith(constant);
}

/// Erases the op and the constants that only it used.
void ConstantFolder::eraseUnused(Operation *op) {
  SmallVector<Operation *> constants;
  for (Value operand : op->getOperands())
    if (Operation *def = operand.getDefiningOp(); !llvm::is_contained(constants, def))
      constants.push_back(def);
  op->erase();
  for (Operation *constant : constants) {
    if (!constant->use_empty())
      continue;
    BlobEntry *entry = getBlobEntry(constant);
    constant->erase();
    if (entry && --users[entry] == 0 && (options.freeWeights || entry->getKey().starts_with(ownName)))
      entry->setBlob({});
  }
}

void ConstantFolder::run(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block))
    if (!isa<onnx::ConstantOp, onnx::NoneOp>(op) && isa<onnx::OnnxOp>(op) && fold(&op))
      eraseUnused(&op);
}

struct FoldConstantsPass : impl::FoldConstantsPassBase<FoldConstantsPass> {
  using FoldConstantsPassBase::FoldConstantsPassBase;
  void runOnOperation() override {
    ConstantFolder folder(getOperation(), {maxGrowth, copiedBytes, dequantize, freeWeights});
    for (auto function : getOperation().getOps<func::FuncOp>())
      for (Block &block : function.getBody())
        folder.run(block);
  }
};

} // namespace
} // namespace cameo
