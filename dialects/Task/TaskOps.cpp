// Parsing, printing and verification of the operations of the task dialect.
#include "dialects/Task/SameWeights.h"
#include "dialects/Task/TaskCounterOps.h"
#include "dialects/Task/TaskExternOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace cameo;
using namespace cameo::task;

#define GET_OP_CLASSES
#include "dialects/Task/TaskOps.cpp.inc"

void DefOp::build(OpBuilder &builder, OperationState &state, StringRef name, FunctionType type) {
  state.addAttribute(SymbolTable::getSymbolAttrName(), builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  state.addRegion();
}

ParseResult DefOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildType = [](Builder &builder, ArrayRef<Type> inputs, ArrayRef<Type> results,
                      function_interface_impl::VariadicFlag,
                      std::string &) { return builder.getFunctionType(inputs, results); };
  return function_interface_impl::parseFunctionOp(parser, result, /*allowVariadic=*/false,
                                                  getFunctionTypeAttrName(result.name), buildType,
                                                  getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void DefOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
                                           getArgAttrsAttrName(), getResAttrsAttrName());
}

bool DefOp::isBufferForm() {
  return getResultTypes().empty() && llvm::all_of(getArgumentTypes(), llvm::IsaPred<MemRefType>);
}

PackingAttr DefOp::getPacking(unsigned argument) {
  return getArgAttrOfType<PackingAttr>(argument, TaskDialect::getPackingName());
}

std::optional<unsigned> DefOp::getInplaceResult(unsigned argument) {
  auto result = getArgAttrOfType<IntegerAttr>(argument, TaskDialect::getInplaceName());
  return result ? std::optional<unsigned>(result.getInt()) : std::nullopt;
}

DimExprAttr DefOp::getElements(unsigned argument) {
  return getArgAttrOfType<DimExprAttr>(argument, TaskDialect::getElementsName());
}

/// def_c1, def_c5: verifies the buffers of a definition.
static LogicalResult verifyBuffers(DefOp def) {
  for (auto [number, type] : llvm::enumerate(def.getArgumentTypes())) {
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref || memref.getRank() != 1)
      return def.emitOpError("expected one-dimensional memrefs, got ") << type;
    if (memref.hasStaticShape() == !!def.getElements(number))
      return def.emitOpError("expected task.elements if and only if the buffer has unknown size, got argument #")
             << number << " of " << type;
  }
  return success();
}

LogicalResult DefOp::verifyRegions() {
  if (getBody().empty())
    return emitOpError("expected a body");
  auto returned = dyn_cast<ReturnOp>(getBody().front().getTerminator());
  if (!returned)
    return emitOpError("expected a task.return at the end");
  if (returned.getValues().getTypes() != getResultTypes())
    return returned.emitOpError("expected the result types of the task");
  if (!isBufferForm())
    return success();
  if (failed(verifyBuffers(*this)))
    return failure();
  for (Operation &op : getBody().front())
    if (!isa<ScratchOp, CountersOp, DispatchOp, ExternCallOp, ReturnOp>(op))
      return op.emitOpError(
          "expected only task.scratch, task.counters, task.dispatch and task.extern_call in a task.def "
          "in buffer form");
  return success();
}

/// Returns the bytes of a tensor or buffer; nothing if its size is dynamic.
static std::optional<int64_t> getStaticBytes(ShapedType type) {
  if (llvm::is_contained(type.getShape(), 0))
    return 0;
  if (!type.hasStaticShape())
    return std::nullopt;
  return type.getNumElements() * getElementBytes(type.getElementType());
}

/// Whether a buffer has the size of the tensor. Dynamic sizes are not compared.
static bool holdsTensor(MemRefType buffer, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.getElementType().isIntOrFloat())
    return false;
  return getStaticBytes(tensor) == getStaticBytes(buffer) &&
         (buffer.hasStaticShape() ||
          getElementBytes(tensor.getElementType()) == getElementBytes(buffer.getElementType()));
}

/// Whether a packing with matrices applies to elements of `type`.
static bool canTransform(Type type) { return type.isF16() || type.isBF16() || type.isF32(); }

/// call_c4, call_c5, call_c7: verifies the constant that is stored in a new layout.
static LogicalResult verifyPacking(CallOp call, unsigned input, PackingAttr packing) {
  Operation *constant = call.getInputs()[input].getDefiningOp();
  if (!constant || !constant->hasTrait<OpTrait::ConstantLike>())
    return call.emitOpError("expected input #")
           << input << " to be a constant, because the task reads it in a new layout";
  int64_t elements = cast<ShapedType>(call.getInputs()[input].getType()).getNumElements();
  if (packing.getSourceElements() > elements)
    return call.emitOpError("expected a packing that reads at most ")
           << elements << " elements of input #" << input << ", got " << packing.getSourceElements();
  if (packing.hasMatrices() && !canTransform(cast<ShapedType>(call.getInputs()[input].getType()).getElementType()))
    return call.emitOpError("expected input #")
           << input << " to have elements of type f16, bf16 or f32, because its packing has matrices";
  return success();
}

static LogicalResult verifyBufferCall(CallOp call, DefOp def) {
  unsigned inputs = call.getInputs().size(), outputs = call.getOutputs().size();
  if (def.getNumArguments() != inputs + outputs)
    return call.emitOpError("expected ") << def.getNumArguments() << " inputs and outputs, got " << inputs + outputs;
  for (unsigned i = 0; i < inputs + outputs; ++i) {
    Type tensor = i < inputs ? call.getInputs()[i].getType() : call.getOutputs()[i - inputs].getType();
    if (PackingAttr packing = def.getPacking(i); packing && i < inputs) {
      if (failed(verifyPacking(call, i, packing)))
        return failure();
    } else if (!holdsTensor(cast<MemRefType>(def.getArgumentTypes()[i]), tensor)) {
      return call.emitOpError("expected a tensor of the size of ") << def.getArgumentTypes()[i] << ", got " << tensor;
    }
    if (std::optional<unsigned> result = def.getInplaceResult(i); result && (i >= inputs || *result >= outputs))
      return call.emitOpError("expected task.inplace of argument #")
             << i << " to name one of " << outputs << " results";
  }
  return success();
}

/// call_c2: whether the types differ at most in the names of their dimensions.
static bool areAlike(TypeRange left, TypeRange right) {
  auto isAlike = [](Type a, Type b) {
    auto tensorA = dyn_cast<RankedTensorType>(a), tensorB = dyn_cast<RankedTensorType>(b);
    return a == b || (tensorA && tensorB && tensorA.dropEncoding() == tensorB.dropEncoding());
  };
  return left.size() == right.size() &&
         llvm::all_of(llvm::zip(left, right), [&](auto pair) { return isAlike(std::get<0>(pair), std::get<1>(pair)); });
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto def = symbols.lookupNearestSymbolFrom<DefOp>(*this, getCalleeAttr());
  if (!def)
    return emitOpError("expected a task.def named ") << getCallee();
  if (def.isBufferForm())
    return verifyBufferCall(*this, def);
  if (!areAlike(getInputs().getTypes(), def.getArgumentTypes()) ||
      !areAlike(getOutputs().getTypes(), def.getResultTypes()))
    return emitOpError("expected the types of the task, ") << def.getFunctionType();
  return success();
}

LogicalResult ViewOp::verify() {
  auto from = cast<RankedTensorType>(getInput().getType()), to = cast<RankedTensorType>(getOutput().getType());
  if (from.getElementType() != to.getElementType())
    return emitOpError("expected the element type ") << from.getElementType() << ", got " << to.getElementType();
  if (from.hasStaticShape() && to.hasStaticShape() && from.getNumElements() != to.getNumElements())
    return emitOpError("expected ") << from.getNumElements() << " elements, got " << to.getNumElements();
  return success();
}

LogicalResult PlaceOp::verify() {
  auto part = cast<RankedTensorType>(getPart().getType()), whole = cast<RankedTensorType>(getWhole().getType());
  bool isPart =
      part.getElementType() == whole.getElementType() && part.getRank() == whole.getRank() &&
      llvm::all_of_zip(part.getShape(), whole.getShape(), [](int64_t small, int64_t large) { return small <= large; });
  bool isDynamicInOne =
      isPart && !llvm::all_of_zip(part.getShape(), whole.getShape(), [](int64_t small, int64_t large) {
        return ShapedType::isDynamic(small) == ShapedType::isDynamic(large);
      });
  if (isDynamicInOne) // place_c2
    return emitOpError("expected dimensions that are dynamic in both, got ") << part << " and " << whole;
  if (!isPart) // place_c1
    return emitOpError("expected a slice of ") << whole << ", got " << part;
  return success();
}

LogicalResult JoinOp::verify() {
  auto type = cast<RankedTensorType>(getWhole().getType());
  if (getParts().empty() || getOffsets().size() != getParts().size()) // join_c1
    return emitOpError("expected parts and an offset for each, got ")
           << getParts().size() << " and " << getOffsets().size();
  int64_t row = 1;
  for (int64_t size : llvm::reverse(type.getShape())) {
    if (ShapedType::isDynamic(size))
      break;
    row *= size;
  }
  for (int64_t offset : getOffsets())
    if (offset < 0 || offset >= row) // join_c2
      return emitOpError("expected offsets in [0, ") << row << "), got " << offset;
  return success();
}

LogicalResult UpdateOp::verify() {
  auto type = cast<RankedTensorType>(getPresent().getType());
  for (Value operand : {getPast(), getRows()})
    if (auto other = cast<RankedTensorType>(operand.getType());
        other.getElementType() != type.getElementType() || other.getRank() != type.getRank()) // update_c1
      return emitOpError("expected elements and rank of ") << type << ", got " << other;
  if (int64_t(getAxis()) < 1 || int64_t(getAxis()) >= type.getRank()) // update_c2
    return emitOpError("expected an axis in [1, ") << type.getRank() << "), got " << int64_t(getAxis());
  return success();
}

LogicalResult PrefixOp::verify() {
  auto from = cast<RankedTensorType>(getInput().getType()), to = cast<RankedTensorType>(getOutput().getType());
  if (to.getRank() == 0 || !to.isDynamicDim(0)) // prefix_c1
    return emitOpError("expected a dynamic first dimension, got ") << to;
  if (from.getElementType() != to.getElementType() || from.getRank() != to.getRank() ||
      from.getShape().drop_front() != to.getShape().drop_front()) // prefix_c2
    return emitOpError("expected slices of ") << from << ", got " << to;
  return success();
}

LogicalResult ChooseOp::verify() {
  auto result = cast<RankedTensorType>(getChosen().getType());
  for (Value operand : {getWhenTrue(), getWhenFalse()}) {
    auto type = cast<RankedTensorType>(operand.getType());
    if (type.getElementType() != result.getElementType()) // choose_c1
      return emitOpError("expected elements of type ") << result.getElementType() << ", got " << type;
    if (type.getRank() != result.getRank()) // choose_c2
      return emitOpError("expected a rank of ") << result.getRank() << ", got " << type;
    for (auto [size, chosen] : llvm::zip_equal(type.getShape(), result.getShape()))
      if (!ShapedType::isDynamic(size) && !ShapedType::isDynamic(chosen) && size != chosen) // choose_c3
        return emitOpError("expected dimensions of ") << result << ", got " << type;
  }
  return success();
}

/// Verifies a size attribute: a number of at least 0, or an expression.
static LogicalResult verifySize(Operation *op, StringRef what, Attribute size) {
  auto number = dyn_cast<IntegerAttr>(size);
  if (number && number.getValue().isNegative())
    return op->emitOpError("expected ") << what << " of 0 or more, or an expression, got " << size;
  return success();
}

LogicalResult BindOp::verify() {
  if (getName().empty()) // bind_c1
    return emitOpError("expected a name");
  if (getConditions().size() != getValues().size()) // bind_c3
    return emitOpError("expected a value of each of ")
           << getConditions().size() << " flags, got " << getValues().size();
  return verifySize(*this, "a bound", getMax()); // bind_c2
}

LogicalResult ScratchOp::verify() {
  if (getMemory().getType().hasStaticShape() == getElements().has_value())
    return emitOpError("expected elements if and only if the buffer has unknown size, got ") << getMemory().getType();
  return success();
}

void DispatchOp::build(OpBuilder &builder, OperationState &state, StringRef kernel, ValueRange buffers,
                       int64_t extent) {
  build(builder, state, kernel, buffers, builder.getI64IntegerAttr(extent), /*task_index=*/IntegerAttr());
}

LogicalResult DispatchOp::verify() { return verifySize(*this, "an extent", getExtent()); }

LogicalResult DispatchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto kernel = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(*this, getKernelAttr());
  if (!kernel)
    return emitOpError("expected a kernel named ") << getKernel();
  unsigned count = getBuffers().size();
  // Kernels in the LLVM dialect take pointers, so only the number of arguments is compared.
  bool hasBlocks = kernel->hasAttr(TaskDialect::getBlockName());
  if (kernel.getNumArguments() != count + (hasBlocks ? 1 : 2))
    return emitOpError("expected a kernel of ") << count << " buffers and " << (hasBlocks ? "a block" : "a range")
                                                << ", got " << kernel.getNumArguments() << " arguments";
  for (auto [index, type] : llvm::enumerate(getBuffers().getTypes()))
    if (Type expected = kernel.getArgumentTypes()[index]; isa<MemRefType>(expected) && expected != type)
      return emitOpError("expected buffer #") << index << " to be " << expected << ", got " << type;
  auto block = kernel->getAttrOfType<BlockAttr>(TaskDialect::getBlockName());
  if (auto extent = dyn_cast<IntegerAttr>(getExtent());
      block && block.getCluster() > 1 && (!extent || extent.getInt() % block.getCluster() != 0)) // dispatch_c4
    return emitOpError("expected an extent that clusters of ")
           << block.getCluster() << " blocks divide, got " << getExtent();
  return success();
}

LogicalResult CopyOp::verify() {
  std::optional<int64_t> source = getStaticBytes(getSource().getType()), target = getStaticBytes(getTarget().getType());
  if (source && target && *source != *target && !getIteration()) // copy_c1
    return emitOpError("expected a target of ") << *source << " bytes, got " << *target;
  return success();
}

LogicalResult WriteRowsOp::verify() {
  if (getExtents().size() != 5)
    return emitOpError("expected five extents, got ") << getExtents().size();
  for (Attribute extent : getExtents()) { // write_rows_c1
    if (!isSize(extent))
      return emitOpError("expected extents that are numbers or expressions, got ") << extent;
    if (failed(verifySize(*this, "extents", extent)))
      return failure();
  }
  return success();
}

/// loop_c2: a carried value has one type as operand, argument and result; slices have the type of the tensors into
/// which they are stacked, without the first dimension.
static LogicalResult verifyBody(LoopOp loop, FunctionOpInterface body) {
  size_t carried = loop.getCarried().size(),
         stacked = loop.getValues().size() - std::min<size_t>(carried, loop.getValues().size());
  if (loop.getValues().size() < carried || body.getNumResults() != carried + stacked ||
      body.getNumArguments() != 1 + carried + loop.getCaptured().size())
    return loop.emitOpError("expected a body that takes an iteration number, ")
           << carried << " loop-carried values and " << loop.getCaptured().size() << " others, and returns " << carried
           << " and " << stacked << ", got " << body.getFunctionType();
  ArrayRef<Type> arguments = body.getArgumentTypes(), results = body.getResultTypes();
  if (!areAlike(arguments.slice(1, carried), loop.getCarried().getTypes()) ||
      !areAlike(arguments.drop_front(1 + carried), loop.getCaptured().getTypes()) ||
      !areAlike(arguments.slice(1, carried), results.take_front(carried)) ||
      !areAlike(loop.getLast().getTypes(), results.take_front(carried)))
    return loop.emitOpError("expected values of one type in all iterations, got a body of the type ")
           << body.getFunctionType();
  for (auto [slice, whole] : llvm::zip_equal(results.drop_front(carried), loop.getStacked().getTypes())) {
    auto part = dyn_cast<RankedTensorType>(slice), all = dyn_cast<RankedTensorType>(whole);
    if (!part || !all || all.getRank() != part.getRank() + 1 || all.getShape().drop_front() != part.getShape() ||
        all.getElementType() != part.getElementType())
      return loop.emitOpError("expected slices of ") << whole << ", got " << slice;
  }
  return success();
}

LogicalResult LoopOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto body = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(*this, getBodyAttr());
  if (!body || !body->hasAttr(TaskDialect::getBodyName())) // loop_c1
    return emitOpError("expected a body named ") << getBody();
  if (failed(verifyBody(*this, body)))
    return failure();
  if (!getConditional() && !getTripCount()) // loop_c4
    return emitOpError("expected a trip count or a condition");
  if (getConditional()) { // loop_c3
    auto first = getCarried().empty() ? RankedTensorType() : dyn_cast<RankedTensorType>(getCarried().front().getType());
    if (!first || first.getRank() != 0 || !first.getElementType().isInteger(1))
      return emitOpError("expected a boolean as the first loop-carried value");
  }
  if (!getStacked().empty() && !getMaxTripCount()) // loop_c5
    return emitOpError("expected the maximum trip count, because slices are stacked");
  return getMaxTripCount() ? verifySize(*this, "a maximum trip count", *getMaxTripCount()) : success();
}

LogicalResult RepeatOp::verify() {
  if (!getTripCount() && !getCondition()) // repeat_c1
    return emitOpError("expected a trip count or a condition");
  return getMaxTripCount() ? verifySize(*this, "a maximum trip count", *getMaxTripCount()) : success(); // repeat_c2
}

LogicalResult WeightOp::verify() {
  if (getOffset() < 0 || getOffset() % 64 != 0)
    return emitOpError("expected an offset that is a multiple of 64, got ") << getOffset();
  if (!getValue().getElementType().isIntOrFloat())
    return emitOpError("expected numbers, got ") << getValue().getElementType();
  std::optional<PackingAttr> packing = getPacking();
  int64_t elements = packing ? packing->getElements() : getValue().getNumElements();
  Type element = getValue().getElementType();
  int64_t bytes = elements * getElementBytes(storedElementType(element, packing.value_or(PackingAttr())));
  if (getBytes() != static_cast<uint64_t>(bytes))
    return emitOpError("expected ") << bytes << " bytes, got " << getBytes();
  if (packing && packing->getSourceElements() > getValue().getNumElements())
    return emitOpError("expected a packing that reads at most ")
           << getValue().getNumElements() << " elements, got " << packing->getSourceElements();
  if (packing && packing->hasMatrices() && !canTransform(element)) // weight_c4
    return emitOpError("expected elements of type f16, bf16 or f32 for a packing with matrices, got ") << element;
  return success();
}
