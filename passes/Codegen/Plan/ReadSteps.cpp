#include "passes/Codegen/Plan/ReadSteps.h"

#include "dialects/Task/TaskCounterOps.h"
#include "dialects/Task/TaskStringOps.h"
#include "passes/Codegen/Plan/ReadExterns.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace cameo {

int64_t bytesOf(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  return type.getNumElements() * task::getElementBytes(type.getElementType());
}

namespace {

class PlaceReader {
public:
  PlaceReader(func::FuncOp main, unsigned inputs, unsigned outputs) : main(main), inputs(inputs), outputs(outputs) {}

  BufferPlace read(Value buffer) {
    if (auto cast = buffer.getDefiningOp<memref::CastOp>())
      buffer = cast.getSource();
    BufferPlace place = readBegin(buffer);
    if (cast<MemRefType>(buffer.getType()).hasStaticShape())
      place.bytes = bytesOf(buffer);
    return place;
  }

private:
  BufferPlace readBegin(Value buffer) {
    int64_t offset = 0;
    while (auto view = buffer.getDefiningOp<memref::ViewOp>()) {
      APInt value;
      [[maybe_unused]] bool constant = matchPattern(view.getByteShift(), m_ConstantInt(&value));
      assert(constant && "views of the planned @main are at constant offsets");
      offset += value.getSExtValue();
      buffer = view.getSource();
    }
    unsigned argument = cast<BlockArgument>(buffer).getArgNumber();
    if (argument < inputs)
      return {BufferPlace::Base::Input, argument, offset};
    if (argument < inputs + outputs)
      return {BufferPlace::Base::Output, argument - inputs, offset};
    if (argument == inputs + outputs)
      return {BufferPlace::Base::Arena, 0, offset};
    if (argument == inputs + outputs + 1)
      return {BufferPlace::Base::Weights, 0, offset};
    if (main.getArgAttr(argument, task::TaskDialect::getSizesName()))
      return {BufferPlace::Base::Sizes, 0, offset};
    if (main.getArgAttr(argument, task::stringsName))
      return {BufferPlace::Base::Strings, 0, offset};
    if (main.getArgAttr(argument, task::textAreaName))
      return {BufferPlace::Base::TextArea, 0, offset};
    if (main.getArgAttr(argument, task::countersName))
      return {BufferPlace::Base::Counters, 0, offset};
    return {BufferPlace::Base::Slot, argument - inputs - outputs - 2, offset};
  }

  func::FuncOp main;
  unsigned inputs, outputs;
};

class StepReader {
public:
  StepReader(ModelPlan &plan, PlaceReader places) : plan(plan), places(places) {}

  void read(Block &block) {
    for (Operation &op : block) {
      if (auto repeat = dyn_cast<task::RepeatOp>(op))
        readLoop(repeat);
      else if (auto branch = dyn_cast<task::IfOp>(op))
        readBranch(branch);
      else if (isa<task::DispatchOp, task::ExternCallOp, task::CopyOp, task::WriteRowsOp, task::BindOp>(op))
        plan.steps.push_back(readStep(op));
    }
  }

private:
  void readLoop(task::RepeatOp repeat) {
    PlannedStep step{PlannedStep::Kind::Repeat};
    step.buffers.push_back(places.read(repeat.getIteration()));
    if (repeat.getTripCount())
      step.tripCount = places.read(repeat.getTripCount());
    if (repeat.getCondition())
      step.condition = places.read(repeat.getCondition());
    if (repeat.getMaxTripCount())
      step.maxTripCount = readSize(*repeat.getMaxTripCount());
    plan.steps.push_back(std::move(step));
    read(repeat.getSteps().front());
    plan.steps.push_back({PlannedStep::Kind::Next});
  }

  void readBranch(task::IfOp branch) {
    PlannedStep step{PlannedStep::Kind::If};
    step.flags.emplace_back(places.read(branch.getCondition()), !branch.getNegated());
    plan.steps.push_back(std::move(step));
    read(branch.getSteps().front());
    plan.steps.push_back({PlannedStep::Kind::EndIf});
  }

  PlannedStep readStep(Operation &op) {
    PlannedStep step;
    auto bind = dyn_cast<task::BindOp>(op);
    // The flags of a task.bind_size operation are not among the buffers of its step.
    for (Value operand : op.getOperands().take_front(bind ? 1 : op.getNumOperands()))
      step.buffers.push_back(places.read(operand));
    if (auto dispatch = dyn_cast<task::DispatchOp>(op)) {
      step.kernel = dispatch.getKernel().str();
      step.extent = readSize(dispatch.getExtent());
      step.task = dispatch.getTaskIndex();
      step.beginsTask = op.hasAttr(task::TaskDialect::getBeginName());
      if (op.hasAttr(task::hostName))
        step.kind = PlannedStep::Kind::Host;
    } else if (auto call = dyn_cast<task::ExternCallOp>(op)) {
      step.kind = PlannedStep::Kind::Extern;
      step.call = readExtern(call);
      step.task = call.getTaskIndex();
      step.beginsTask = op.hasAttr(task::TaskDialect::getBeginName());
      addExtern(plan.externs, *step.call);
    } else if (bind) {
      step.kind = PlannedStep::Kind::Bind;
      for (auto [flag, value] : llvm::zip_equal(bind.getConditions(), bind.getValues()))
        step.flags.emplace_back(places.read(flag), value);
      step.bound = bind.getName().str();
      step.extent = readSize(bind.getMax());
    } else if (auto write = dyn_cast<task::WriteRowsOp>(op)) {
      step.kind = PlannedStep::Kind::Rows;
      for (Attribute extent : write.getExtents())
        step.extents.push_back(readSize(extent));
      step.extents.back() =
          mulDims(step.extents.back(), task::getElementBytes(getElementTypeOrSelf(write.getSource().getType())));
    } else {
      readCopy(cast<task::CopyOp>(op), step);
    }
    if (auto operands = op.getAttrOfType<ArrayAttr>(task::hostName))
      readHostOperands(op.getOperands(), operands, step);
    return step;
  }

  void readHostOperands(OperandRange buffers, ArrayAttr operands, PlannedStep &step) {
    step.operands.resize(step.buffers.size());
    // Passes have appended buffers that are no memory of the device: the sizes and the text area.
    for (auto [number, attribute] : llvm::enumerate(operands.getAsRange<ArrayAttr>())) {
      StringRef access = cast<StringAttr>(attribute[0]).getValue();
      Type element = getElementTypeOrSelf(buffers[number].getType());
      step.operands[number] = {access == "read", access == "written",
                               mulDims(readSize(attribute[1]), task::getElementBytes(element))};
    }
  }

  void readCopy(task::CopyOp copy, PlannedStep &step) {
    step.kind = PlannedStep::Kind::Copy;
    step.bytes = bytesIn(copy.getSource(), step.buffers[0]);
    step.skipsSame = copy.getUnlessSame();
    // The caller may pass the same buffer for both.
    if (step.skipsSame)
      plan.outputs[step.buffers[1].index].sharedInput = step.buffers[0].index;
  }

  /// Returns the size of a buffer in bytes. If its shape is dynamic, it must be a tensor of the caller or a view that
  /// names its size.
  Dim bytesIn(Value buffer, const BufferPlace &place) const {
    if (cast<MemRefType>(buffer.getType()).hasStaticShape())
      return bytesOf(buffer);
    if (place.base == BufferPlace::Base::Input || place.base == BufferPlace::Base::Output)
      return (place.base == BufferPlace::Base::Input ? plan.inputs : plan.outputs)[place.index].sampleBytes;
    Value size = buffer.getDefiningOp<memref::ViewOp>().getSizes().front();
    std::optional<int64_t> number = getConstantIntValue(size);
    Dim elements = number ? Dim(*number) : Dim(size.getDefiningOp<task::SizeOp>().getExpression());
    return mulDims(elements, task::getElementBytes(getElementTypeOrSelf(buffer.getType())));
  }

  ModelPlan &plan;
  PlaceReader places;
};

} // namespace

void readSteps(ModelPlan &plan, func::FuncOp main, unsigned inputs, unsigned outputs) {
  StepReader(plan, PlaceReader(main, inputs, outputs)).read(main.getBody().front());
}

} // namespace cameo
