#include "utils/Driver/Inspect/FormulaWriter.h"

#include "dialects/Task/TaskDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace cameo {

static std::string letter(unsigned number) {
  std::string name(1, static_cast<char>('A' + number % 26));
  return number < 26 ? name : name + std::to_string(number / 26);
}

std::string ValueNames::of(Value value) {
  auto [entry, isNew] = names.try_emplace(value);
  if (isNew)
    entry->second = letter(count++);
  return entry->second;
}

namespace {

/// Writes the scalar expressions of a linalg body.
class FormulaWriter {
public:
  FormulaWriter(linalg::LinalgOp op, ValueNames &names) : op(op), names(names) {}

  std::vector<std::string> write();

private:
  std::string access(OpOperand &operand);
  std::string expression(Value value);
  std::string assignment(Value yielded, OpOperand &init, const std::string &target);

  linalg::LinalgOp op;
  ValueNames &names;
};

} // namespace

/// Returns the name of a loop: i, j, k, l, m, n, o, p, ... from the outermost one.
static std::string loopName(unsigned dimension) {
  if (dimension < 18)
    return std::string(1, static_cast<char>('i' + dimension));
  return "i" + std::to_string(dimension);
}

/// Returns an index expression as text, such as "i*2+k".
static std::string indexText(AffineExpr expression) {
  if (auto dimension = dyn_cast<AffineDimExpr>(expression))
    return loopName(dimension.getPosition());
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return std::to_string(constant.getValue());
  auto binary = dyn_cast<AffineBinaryOpExpr>(expression);
  if (!binary)
    return "?";
  std::string left = indexText(binary.getLHS()), right = indexText(binary.getRHS());
  auto parenthesised = [](AffineExpr part, std::string text) {
    return part.getKind() == AffineExprKind::Add ? "(" + text + ")" : text;
  };
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return left + (StringRef(right).starts_with("-") ? "" : "+") + right;
  case AffineExprKind::Mul:
    return parenthesised(binary.getLHS(), left) + "*" + parenthesised(binary.getRHS(), right);
  case AffineExprKind::Mod:
    return parenthesised(binary.getLHS(), left) + "%" + right;
  default:
    return parenthesised(binary.getLHS(), left) + "/" + right;
  }
}

static std::string subscript(AffineMap map) {
  if (map.getNumResults() == 0)
    return "";
  std::vector<std::string> indices;
  for (AffineExpr result : map.getResults())
    indices.push_back(indexText(result));
  return "[" + llvm::join(indices, ",") + "]";
}

static std::string constantText(Attribute value) {
  if (auto number = dyn_cast<FloatAttr>(value)) {
    std::string text;
    llvm::raw_string_ostream(text) << llvm::format("%g", number.getValueAsDouble());
    return text;
  }
  if (auto number = dyn_cast<IntegerAttr>(value))
    return std::to_string(number.getType().isInteger(1) ? number.getValue().getZExtValue()
                                                        : number.getValue().getSExtValue());
  return "constant";
}

/// Returns the value of all elements of a splat constant or a filled tensor.
static std::optional<std::string> splatText(Value tensor) {
  if (auto definition = tensor.getDefiningOp<arith::ConstantOp>()) {
    auto dense = dyn_cast<DenseElementsAttr>(definition.getValue());
    return dense && dense.isSplat() ? std::optional(constantText(dense.getSplatValue<Attribute>())) : std::nullopt;
  }
  if (auto fill = tensor.getDefiningOp<linalg::FillOp>())
    if (auto number = fill.getInputs().front().getDefiningOp<arith::ConstantOp>())
      return constantText(number.getValue());
  return std::nullopt;
}

std::string operandText(Value value, ValueNames &names) {
  if (auto cast = value.getDefiningOp<arith::IndexCastOp>())
    return operandText(cast.getIn(), names);
  if (auto size = value.getDefiningOp<task::SizeOp>())
    return size.getExpression().getText();
  if (auto dim = value.getDefiningOp<tensor::DimOp>())
    return "dim(" + names.of(dim.getSource()) + "," + operandText(dim.getIndex(), names) + ")";
  if (isa<ShapedType>(value.getType()))
    return splatText(value).value_or(names.of(value));
  if (auto constant = value.getDefiningOp<arith::ConstantOp>())
    return constantText(constant.getValue());
  return names.of(value);
}

std::string listText(ArrayRef<OpFoldResult> values, ValueNames &names) {
  std::vector<std::string> parts;
  for (OpFoldResult value : values) {
    std::optional<int64_t> constant = getConstantIntValue(value);
    parts.push_back(constant ? std::to_string(*constant) : operandText(cast<Value>(value), names));
  }
  return "(" + llvm::join(parts, ",") + ")";
}

/// Returns the infix operator of an operation; empty if it has none.
static StringRef infixOf(Operation *op) {
  return llvm::StringSwitch<StringRef>(op->getName().getStringRef())
      .Cases({"arith.addf", "arith.addi"}, " + ")
      .Cases({"arith.subf", "arith.subi"}, " - ")
      .Cases({"arith.mulf", "arith.muli"}, " * ")
      .Cases({"arith.divf", "arith.divsi", "arith.divui"}, " / ")
      .Case("arith.andi", " & ")
      .Case("arith.ori", " | ")
      .Case("arith.xori", " ^ ")
      .Default("");
}

static StringRef functionOf(Operation *op) {
  return llvm::StringSwitch<StringRef>(op->getName().getStringRef())
      .Cases({"arith.maximumf", "arith.maxnumf", "arith.maxsi", "arith.maxui"}, "max")
      .Cases({"arith.minimumf", "arith.minnumf", "arith.minsi", "arith.minui"}, "min")
      .Case("arith.negf", "-")
      .Default(op->getName().stripDialect());
}

static StringRef comparisonOf(Operation *op) {
  StringRef predicate;
  if (auto floats = dyn_cast<arith::CmpFOp>(op))
    predicate = arith::stringifyCmpFPredicate(floats.getPredicate());
  else if (auto integers = dyn_cast<arith::CmpIOp>(op))
    predicate = arith::stringifyCmpIPredicate(integers.getPredicate());
  return llvm::StringSwitch<StringRef>(predicate)
      .Cases({"oeq", "ueq", "eq"}, " == ")
      .Cases({"one", "une", "ne"}, " != ")
      .Cases({"olt", "ult", "slt"}, " < ")
      .Cases({"ole", "ule", "sle"}, " <= ")
      .Cases({"ogt", "ugt", "sgt"}, " > ")
      .Cases({"oge", "uge", "sge"}, " >= ")
      .Default(" ? ");
}

std::string FormulaWriter::access(OpOperand &operand) {
  Value tensor = operand.get();
  if (!isa<ShapedType>(tensor.getType()))
    return operandText(tensor, names);
  if (std::optional<std::string> number = splatText(tensor))
    return *number;
  return names.of(tensor) + subscript(op.getMatchingIndexingMap(&operand));
}

/// Puts an operand with an infix operator into parentheses, unless it is a product in a sum or difference.
static std::string parenthesised(Operation *inner, Operation *outer, std::string text) {
  bool isName = !StringRef(text).contains(' ');
  if (isName || !inner || infixOf(inner).empty())
    return text;
  bool productInSum = infixOf(inner) == " * " && (infixOf(outer) == " + " || infixOf(outer) == " - ");
  return productInSum ? text : "(" + text + ")";
}

std::string scalarFormula(Operation *op, std::vector<std::string> operands, ValueNames &names) {
  if (StringRef infix = infixOf(op); !infix.empty()) {
    for (auto [text, operand] : llvm::zip(operands, op->getOperands()))
      text = parenthesised(operand.getDefiningOp(), op, text);
    return operands[0] + infix.str() + operands[1];
  }
  if (isa<arith::CmpFOp, arith::CmpIOp>(op))
    return "(" + operands[0] + comparisonOf(op).str() + operands[1] + ")";
  if (isa<arith::SelectOp>(op))
    return "(" + operands[0] + " ? " + operands[1] + " : " + operands[2] + ")";
  if (auto extract = dyn_cast<tensor::ExtractOp>(op)) {
    operands.erase(operands.begin());
    return names.of(extract.getTensor()) + "[" + llvm::join(operands, ",") + "]";
  }
  // A conversion between numbers is shown by its result type.
  if (isa<CastOpInterface>(op)) {
    std::string type;
    llvm::raw_string_ostream(type) << op->getResult(0).getType();
    return isa<arith::IndexCastOp>(op) ? operands[0] : type + "(" + operands[0] + ")";
  }
  return functionOf(op).str() + "(" + llvm::join(operands, ", ") + ")";
}

std::string FormulaWriter::expression(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == op.getBlock())
    return access(op->getOpOperand(argument.getArgNumber()));
  Operation *definition = value.getDefiningOp();
  if (!definition || definition->getBlock() != op.getBlock())
    return operandText(value, names);
  if (auto constant = dyn_cast<arith::ConstantOp>(definition))
    return constantText(constant.getValue());
  if (auto index = dyn_cast<linalg::IndexOp>(definition))
    return loopName(index.getDim());
  std::vector<std::string> operands;
  for (Value operand : definition->getOperands())
    operands.push_back(isa<ShapedType>(operand.getType()) ? names.of(operand) : expression(operand));
  return scalarFormula(definition, std::move(operands), names);
}

std::string FormulaWriter::assignment(Value yielded, OpOperand &init, const std::string &target) {
  BlockArgument accumulator = op.getMatchingBlockArgument(&init);
  Operation *combiner = yielded.getDefiningOp();
  if (combiner && combiner->getNumOperands() == 2 && llvm::is_contained(combiner->getOperands(), accumulator)) {
    Value other = combiner->getOperand(combiner->getOperand(0) == accumulator ? 1 : 0);
    StringRef infix = infixOf(combiner);
    std::string combine = infix.empty() ? functionOf(combiner).str() : infix.trim().str();
    return target + " " + combine + "= " + expression(other);
  }
  return target + " = " + expression(yielded);
}

std::vector<std::string> FormulaWriter::write() {
  std::vector<std::string> formulas;
  for (auto [number, yielded] : llvm::enumerate(op.getBlock()->getTerminator()->getOperands())) {
    OpOperand &init = *op.getDpsInitOperand(number);
    std::string target = names.of(op->getResult(number)) + subscript(op.getMatchingIndexingMap(&init));
    formulas.push_back(assignment(yielded, init, target));
  }
  return formulas;
}

std::vector<std::string> formulasOf(linalg::LinalgOp op, ValueNames &names) { return FormulaWriter(op, names).write(); }

} // namespace cameo
