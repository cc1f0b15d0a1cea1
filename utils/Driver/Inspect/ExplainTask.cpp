#include "utils/Driver/Inspect/ExplainTask.h"

#include "dialects/Task/TaskExternOps.h"
#include "passes/Schedule/Nests/Size.h"
#include "utils/Driver/Inspect/FormulaWriter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace cameo;
using namespace mlir;

namespace {

/// Writes one line per operation of a block. Bodies of loops are indented.
class StepWriter {
public:
  StepWriter(ValueNames &names, std::vector<std::string> &steps) : names(names), steps(steps) {}

  void write(Block &block);

private:
  void add(const std::string &step) { steps.push_back(std::string(2 * depth, ' ') + step); }
  void writeLoop(scf::ForOp loop);
  std::string move(Operation *op);

  ValueNames &names;
  std::vector<std::string> &steps;
  unsigned depth = 0;
};

} // namespace

/// Whether formulas show the operation where its result is used.
static bool isShownWhereUsed(Operation *op) {
  return isa<arith::ConstantOp, arith::IndexCastOp, tensor::EmptyOp, tensor::DimOp, linalg::FillOp, task::SizeOp>(op);
}

/// Returns the text of an operation that is neither a loop nor arithmetic on elements. An operation without a form of
/// its own is shown by its name.
std::string StepWriter::move(Operation *op) {
  auto of = [&](Value value) { return names.of(value); };
  auto list = [&](ArrayRef<OpFoldResult> values) { return listText(values, names); };
  // An uninitialised destination is not shown.
  auto into = [&](Value before) {
    return before.getDefiningOp<tensor::EmptyOp>() ? "" : " into " + operandText(before, names);
  };
  return llvm::TypeSwitch<Operation *, std::string>(op)
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
          [&](auto view) { return "reshape(" + of(view.getSrc()) + ")"; })
      .Case([&](tensor::CastOp cast) { return of(cast.getSource()); })
      .Case([&](tensor::PadOp pad) {
        return "pad(" + of(pad.getSource()) + ", " + list(pad.getMixedLowPad()) + ", " + list(pad.getMixedHighPad()) +
               ")";
      })
      .Case([&](tensor::ExtractSliceOp slice) {
        return "slice(" + of(slice.getSource()) + ", " + list(slice.getMixedOffsets()) + ", " +
               list(slice.getMixedSizes()) + ", " + list(slice.getMixedStrides()) + ")";
      })
      .Case([&](tensor::InsertSliceOp slice) {
        return "insert(" + of(slice.getSource()) + into(slice.getDest()) + " at " + list(slice.getMixedOffsets()) + ")";
      })
      .Case([&](tensor::FromElementsOp elements) { return listText(getAsOpFoldResult(elements.getElements()), names); })
      .Case([&](tensor::InsertOp insert) {
        return "insert(" + operandText(insert.getScalar(), names) + into(insert.getDest()) + " at " +
               list(getAsOpFoldResult(insert.getIndices())) + ")";
      })
      .Default([&](Operation *other) {
        std::vector<std::string> operands;
        for (Value operand : other->getOperands())
          operands.push_back(operandText(operand, names));
        if (!isa<ShapedType>(other->getResult(0).getType()))
          return scalarFormula(other, std::move(operands), names);
        return other->getName().getStringRef().str() + "(" + llvm::join(operands, ", ") + ")";
      });
}

/// The values that an iteration yields have the names of the arguments that the next iteration reads. The results of
/// the loop have these names, too.
void StepWriter::writeLoop(scf::ForOp loop) {
  auto text = [&](Value value) { return operandText(value, names); };
  std::string head = "for " + names.of(loop.getInductionVar()) + " in [" + text(loop.getLowerBound()) + "," +
                     text(loop.getUpperBound()) + ")";
  if (std::string step = text(loop.getStep()); step != "1")
    head += " by " + step;
  for (auto [number, state] : llvm::enumerate(loop.getRegionIterArgs())) {
    head += (number == 0 ? " from " : ", ") + names.of(state) + " = " + text(loop.getInitArgs()[number]);
    names.alias(loop.getResult(number), state);
  }
  add(head);
  ++depth;
  write(*loop.getBody());
  std::vector<std::string> states, next;
  for (auto [state, value] : llvm::zip_equal(loop.getRegionIterArgs(), loop.getYieldedValues()))
    if (state != value) {
      states.push_back(names.of(state));
      next.push_back(text(value));
    }
  if (!states.empty())
    add(llvm::join(states, ", ") + " = " + llvm::join(next, ", "));
  --depth;
}

void StepWriter::write(Block &block) {
  for (Operation &op : block.without_terminator()) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      writeLoop(loop);
    } else if (auto call = dyn_cast<task::ExternOp>(op)) {
      auto list = [&](ValueRange values) {
        return llvm::join(llvm::map_range(values, [&](Value value) { return names.of(value); }), ", ");
      };
      std::string operands = list(call.getInputs());
      add(list(call.getOutputs()) + " = extern " + call.getFunction().str() + "(" + operands + ")");
    } else if (auto computation = dyn_cast<linalg::LinalgOp>(op); computation && !isa<linalg::FillOp>(op)) {
      for (const std::string &formula : formulasOf(computation, names))
        add(formula);
    } else if (op.getNumResults() > 0 && !isShownWhereUsed(&op)) {
      std::string source = move(&op);
      add(names.of(op.getResult(0)) + " = " + source);
    }
  }
}

static std::string typeText(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << (tensor ? tensor.getElementType() : type);
  if (tensor) {
    os << (tensor.getRank() == 0 ? " scalar" : " ");
    llvm::interleave(*onnx::getDims(type), os, [&](const Dim &dim) { os << schedule::Size(dim); }, "x");
  }
  return text;
}

TaskExplanation cameo::explainTask(task::DefOp def) {
  TaskExplanation result;
  ValueNames names;
  for (BlockArgument argument : def.getBody().getArguments())
    result.inputs.push_back(names.of(argument) + ": " + typeText(argument.getType()));
  Block &body = def.getBody().front();
  StepWriter(names, result.steps).write(body);
  std::vector<std::string> outputs;
  for (Value value : cast<task::ReturnOp>(body.getTerminator()).getValues())
    outputs.push_back(names.of(value) + ": " + typeText(value.getType()));
  result.outputs = llvm::join(outputs, ", ");
  return result;
}
