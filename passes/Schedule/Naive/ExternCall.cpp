#include "passes/Schedule/Naive/ExternCall.h"

#include "passes/Schedule/Emission/Shared/BufferForm.h"

using namespace mlir;

namespace cameo::schedule {

task::ExternOp getExternCall(task::DefOp def) {
  auto calls = def.getBody().front().getOps<task::ExternOp>();
  return calls.empty() ? task::ExternOp() : *calls.begin();
}

/// Returns the dimensions of the outputs that are present, as stated by the model.
static SmallVector<onnx::DimList> outputDims(task::ExternOp call) {
  SmallVector<onnx::DimList> dims;
  for (Type type : call.getOutputTypes().getAsValueRange<TypeAttr>())
    if (!isa<NoneType>(type))
      dims.push_back(*onnx::getDims(type));
  return dims;
}

void emitExternCall(task::DefOp def, task::ExternOp call, ArrayRef<SmallVector<Dim>> dims) {
  Block &old = def.getBody().front();
  constexpr unsigned nowhere = ~0u;
  unsigned inputs = old.getNumArguments();
  // For each buffer, its argument number in the buffer form.
  SmallVector<unsigned> places;
  for (Value input : call.getInputs())
    places.push_back(cast<BlockArgument>(input).getArgNumber());
  OperandRange returned = old.getTerminator()->getOperands();
  for (Value output : call.getOutputs()) {
    auto place = llvm::find(returned, output);
    places.push_back(place == returned.end() ? nowhere : inputs + (place - returned.begin()));
  }
  SmallVector<Type> types;
  for (TypeRange group : {TypeRange(def.getArgumentTypes()), TypeRange(def.getResultTypes())})
    for (Type type : group)
      types.push_back(flatBufferType(Size(productOf(dims[types.size()])), getElementTypeOrSelf(type)));
  SmallVector<NamedAttribute> attributes(call->getAttrs());
  SmallVector<onnx::DimList> outputs = outputDims(call);
  SmallVector<Type> outputElements =
      llvm::map_to_vector(call.getOutputs(), [](Value output) { return getElementTypeOrSelf(output.getType()); });
  unsigned callInputs = call.getInputs().size();
  Location loc = call.getLoc();

  Block &body = becomeBufferForm(def, types);
  def->setAttr("description", StringAttr::get(def.getContext(), "a function of the program"));
  for (auto [number, shape] : llvm::enumerate(dims))
    if (DimExprAttr elements = productOf(shape).getExpr())
      def.setArgAttr(number, task::TaskDialect::getElementsName(), elements);
  OpBuilder builder = OpBuilder::atBlockEnd(&body);
  SmallVector<Value> buffers;
  for (auto [index, place] : llvm::enumerate(places)) {
    if (place != nowhere) {
      buffers.push_back(body.getArgument(place));
      continue;
    }
    unsigned output = index - callInputs;
    Dim elements = productOf(outputs[output]);
    buffers.push_back(task::ScratchOp::create(builder, loc, flatBufferType(Size(elements), outputElements[output]),
                                              elements.getExpr()));
  }
  task::ExternCallOp::create(builder, loc, TypeRange(), buffers, attributes);
  task::ReturnOp::create(builder, loc, ValueRange());
}

} // namespace cameo::schedule
