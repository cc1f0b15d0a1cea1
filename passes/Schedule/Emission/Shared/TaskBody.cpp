#include "passes/Schedule/Emission/Shared/TaskBody.h"

#include "dialects/Dim/DimLimits.h"
#include "dialects/Task/TaskCounterOps.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace cameo::schedule {

/// Sets the signature of `def` and returns its empty body.
static Block &setSignature(task::DefOp def, const TaskProgram &program, const TaskSignature &signature) {
  SmallVector<Type> types;
  SmallVector<DictionaryAttr> attributes;
  for (loop::Role role : {loop::Role::Argument, loop::Role::Result})
    for (const Buffer &buffer : program.buffers) {
      if (buffer.role != role)
        continue;
      TaskSignature::Argument form =
          buffer.isArgument() ? signature.arguments[buffer.index] : TaskSignature::Argument();
      Size elements = form.packing ? Size(form.packing.getElements()) : buffer.elements;
      types.push_back(flatBufferType(elements, buffer.elementType));
      NamedAttrList list;
      if (DimExprAttr expression = elements.getExpression())
        list.set(task::TaskDialect::getElementsName(), expression);
      if (form.packing)
        list.set("task.packing", form.packing);
      if (form.inplaceResult)
        list.set("task.inplace", IntegerAttr::get(IntegerType::get(def.getContext(), 64), *form.inplaceResult));
      attributes.push_back(list.getDictionary(def.getContext()));
    }
  Block &body = becomeBufferForm(def, types);
  def.setAllArgAttrs(attributes);
  return body;
}

Size loopExtent(const LoopNest &nest, unsigned dim, unsigned rowDims) {
  bool isReduction = nest.dims[dim].reduction;
  Size points = 1;
  for (unsigned other = isReduction ? 0 : rowDims; other < nest.dims.size(); ++other)
    if (nest.dims[other].reduction == isReduction)
      points *= nest.dims[other].extent;
  return unlessEmpty(nest.dims[dim].extent, points);
}

/// Returns the extent of the dispatch, 0 if the kernel has no points or the task has no results. One condition often
/// implies the other.
static Size dispatchedExtent(const Launch &launch, const Size &results) {
  if (!divideExactly(results, launch.points).isUnknown())
    return unlessEmpty(launch.extent, results);
  Size extent = unlessEmpty(launch.extent, launch.points);
  return isNeverNegative((results - launch.points).exact()) ? extent : unlessEmpty(extent, results);
}

void writeBody(task::DefOp def, const TaskProgram &program, const TaskSignature &signature, ArrayRef<Launch> launches,
               const std::map<unsigned, Size> &scratch, const llvm::SmallDenseSet<unsigned> &counters) {
  Block &body = setSignature(def, program, signature);
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  auto addScratch = [&](const Size &elements, Type elementType) -> Value {
    return task::ScratchOp::create(builder, def.getLoc(), flatBufferType(elements, elementType),
                                   elements.getExpression());
  };
  SmallVector<Value> values(program.buffers.size());
  unsigned arguments = llvm::count_if(program.buffers, [](const Buffer &b) { return b.isArgument(); });
  for (auto [number, buffer] : llvm::enumerate(program.buffers)) {
    if (buffer.isArgument())
      values[number] = body.getArgument(buffer.index);
    if (buffer.isResult())
      values[number] = body.getArgument(arguments + buffer.index);
    bool isUsed =
        llvm::any_of(launches, [&](const Launch &launch) { return llvm::is_contained(launch.buffers, number); });
    if (counters.contains(number))
      values[number] = task::CountersOp::create(builder, def.getLoc(),
                                                cast<MemRefType>(flatBufferType(buffer.elements, buffer.elementType)));
    else if (buffer.isScratch() && isUsed)
      values[number] = addScratch(buffer.elements, buffer.elementType);
    if (auto memory = scratch.find(number); memory != scratch.end())
      values[number] = addScratch(memory->second, buffer.elementType);
  }
  Size results = 0;
  for (const Buffer &buffer : program.buffers)
    if (buffer.isResult())
      results += buffer.elements;
  for (const Launch &launch : launches) {
    auto operands = llvm::map_to_vector(launch.buffers, [&](unsigned buffer) { return values[buffer]; });
    createDispatch(builder, def.getLoc(), launch.kernel, operands, dispatchedExtent(launch, results));
  }
  task::ReturnOp::create(builder, def.getLoc(), ValueRange());
}

SmallVector<unsigned> buffersOf(ArrayRef<NestGroup> groups) {
  llvm::SetVector<unsigned> buffers;
  for (const NestGroup &group : groups)
    for (const LoopNest &nest : group.nests)
      forEachAccess(nest, [&](unsigned buffer, const LinearForm &, bool) { buffers.insert(buffer); });
  return buffers.takeVector();
}

} // namespace cameo::schedule
