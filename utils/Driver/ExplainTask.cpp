#include "utils/Driver/ExplainTask.h"

#include "passes/Schedule/Nests/Size.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace cameo;
using namespace mlir;

namespace {

/// Names for the tensors of one task: letters in the order of appearance.
class TensorNames {
public:
  std::string of(Value value) {
    auto [entry, isNew] = names.try_emplace(value);
    if (isNew)
      entry->second = letter(count++);
    return entry->second;
  }
  void alias(Value value, Value other) { names[value] = of(other); }

private:
  static std::string letter(unsigned number) {
    std::string name(1, static_cast<char>('A' + number % 26));
    return number < 26 ? name : name + std::to_string(number / 26);
  }
  llvm::DenseMap<Value, std::string> names;
  unsigned count = 0;
};

/// Writes the scalar expression of a linalg body.
class FormulaWriter {
public:
  FormulaWriter(linalg::LinalgOp op, TensorNames &names) : op(op), names(names) {}

  /// "C[i,j] += A[i,k] * B[k,j]" for each result.
  void write(std::vector<std::string> &steps);

private:
  std::string access(OpOperand &operand);
  std::string expression(Value value);
  std::string operation(Operation *definition);
  std::string assignment(Value yielded, OpOperand &init, const std::string &target);

  linalg::LinalgOp op;
  TensorNames &names;
};

} // namespace

/// i, j, k, l, m, n, o, p, ... for the loops from the outside in.
static std::string loopName(unsigned dimension) {
  if (dimension < 18)
    return std::string(1, static_cast<char>('i' + dimension));
  return "i" + std::to_string(dimension);
}

/// "i*2+k" of an index expression.
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
    return std::to_string(number.getValue().getSExtValue());
  return "constant";
}

/// The infix operator of an operation, or nothing.
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
  if (auto definition = tensor.getDefiningOp<arith::ConstantOp>())
    if (auto dense = dyn_cast<DenseElementsAttr>(definition.getValue()); dense && dense.isSplat())
      return constantText(dense.getSplatValue<Attribute>());
  if (!isa<ShapedType>(tensor.getType()))
    return expression(tensor);
  return names.of(tensor) + subscript(op.getMatchingIndexingMap(&operand));
}

/// Operators in arguments of operators get parentheses unless they are a product in a sum.
static std::string parenthesised(Operation *inner, Operation *outer, std::string text) {
  if (!inner || infixOf(inner).empty())
    return text;
  bool productInSum = infixOf(inner) == " * " && (infixOf(outer) == " + " || infixOf(outer) == " - ");
  return productInSum ? text : "(" + text + ")";
}

std::string FormulaWriter::operation(Operation *definition) {
  std::vector<std::string> arguments;
  for (Value operand : definition->getOperands())
    arguments.push_back(expression(operand));
  if (StringRef infix = infixOf(definition); !infix.empty()) {
    for (auto [text, operand] : llvm::zip(arguments, definition->getOperands()))
      text = parenthesised(operand.getDefiningOp(), definition, text);
    return arguments[0] + infix.str() + arguments[1];
  }
  if (isa<arith::CmpFOp, arith::CmpIOp>(definition))
    return "(" + arguments[0] + comparisonOf(definition).str() + arguments[1] + ")";
  if (isa<arith::SelectOp>(definition))
    return "(" + arguments[0] + " ? " + arguments[1] + " : " + arguments[2] + ")";
  if (auto extract = dyn_cast<tensor::ExtractOp>(definition)) {
    arguments.erase(arguments.begin());
    return names.of(extract.getTensor()) + "[" + llvm::join(arguments, ",") + "]";
  }
  // Conversions between numbers: the type says it all.
  if (isa<CastOpInterface>(definition)) {
    std::string type;
    llvm::raw_string_ostream(type) << definition->getResult(0).getType();
    return isa<arith::IndexCastOp>(definition) ? arguments[0] : type + "(" + arguments[0] + ")";
  }
  return functionOf(definition).str() + "(" + llvm::join(arguments, ", ") + ")";
}

std::string FormulaWriter::expression(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value); argument && argument.getOwner() == op.getBlock())
    return access(op->getOpOperand(argument.getArgNumber()));
  Operation *definition = value.getDefiningOp();
  if (!definition)
    return names.of(value);
  if (auto constant = dyn_cast<arith::ConstantOp>(definition))
    return constantText(constant.getValue());
  if (auto index = dyn_cast<linalg::IndexOp>(definition))
    return loopName(index.getDim());
  return operation(definition);
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

void FormulaWriter::write(std::vector<std::string> &steps) {
  for (auto [number, yielded] : llvm::enumerate(op.getBlock()->getTerminator()->getOperands())) {
    OpOperand &init = *op.getDpsInitOperand(number);
    std::string target = names.of(op->getResult(number)) + subscript(op.getMatchingIndexingMap(&init));
    steps.push_back(assignment(yielded, init, target));
  }
}

// ---- operations that only move elements ----

static std::string listText(ArrayRef<OpFoldResult> values) {
  std::vector<std::string> parts;
  for (OpFoldResult value : values) {
    std::optional<int64_t> constant = getConstantIntValue(value);
    parts.push_back(constant ? std::to_string(*constant) : "?");
  }
  return "(" + llvm::join(parts, ",") + ")";
}

/// A step of something else than linalg; nothing for what has no meaning of its own.
static std::string explainOther(Operation *op, TensorNames &names) {
  if (isa<arith::ConstantOp, tensor::EmptyOp, linalg::FillOp, tensor::DimOp>(op) || op->getNumResults() == 0)
    return "";
  auto of = [&](Value value) { return names.of(value); };
  return llvm::TypeSwitch<Operation *, std::string>(op)
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp>([&](auto view) {
        return of(view.getResult()) + " = reshape(" + of(view.getSrc()) + ")";
      })
      .Case([&](tensor::CastOp cast) { return of(cast.getResult()) + " = " + of(cast.getSource()); })
      .Case([&](tensor::PadOp pad) {
        return of(pad.getResult()) + " = pad(" + of(pad.getSource()) + ", " + listText(pad.getMixedLowPad()) + ", " +
               listText(pad.getMixedHighPad()) + ")";
      })
      .Case([&](tensor::ExtractSliceOp slice) {
        return of(slice.getResult()) + " = slice(" + of(slice.getSource()) + ", " + listText(slice.getMixedOffsets()) +
               ", " + listText(slice.getMixedSizes()) + ", " + listText(slice.getMixedStrides()) + ")";
      })
      .Case([&](tensor::InsertSliceOp slice) {
        return of(slice.getResult()) + " = insert(" + of(slice.getSource()) + " at " +
               listText(slice.getMixedOffsets()) + ")";
      })
      .Default([&](Operation *other) {
        std::vector<std::string> operands;
        for (Value operand : other->getOperands())
          if (isa<ShapedType>(operand.getType()))
            operands.push_back(of(operand));
        return of(other->getResult(0)) + " = " + other->getName().getStringRef().str() + "(" +
               llvm::join(operands, ", ") + ")";
      });
}

static std::string typeText(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << (tensor ? tensor.getElementType() : type);
  if (tensor) {
    os << (tensor.getRank() == 0 ? " scalar" : " ");
    llvm::interleave(*onnx::getDims(type), os, [&](const onnx::Dim &dim) { os << schedule::Size(dim); }, "x");
  }
  return text;
}

TaskExplanation cameo::explainTask(task::DefOp def) {
  TaskExplanation result;
  TensorNames names;
  for (BlockArgument argument : def.getBody().getArguments())
    result.inputs.push_back(names.of(argument) + ": " + typeText(argument.getType()));
  std::vector<std::string> outputs;
  for (Operation &op : def.getBody().front()) {
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op); linalgOp && !isa<linalg::FillOp>(op)) {
      FormulaWriter(linalgOp, names).write(result.steps);
    } else if (auto end = dyn_cast<task::ReturnOp>(op)) {
      for (Value value : end.getValues())
        outputs.push_back(names.of(value) + ": " + typeText(value.getType()));
    } else if (std::string step = explainOther(&op, names); !step.empty()) {
      result.steps.push_back(step);
    }
  }
  result.outputs = llvm::join(outputs, ", ");
  return result;
}
