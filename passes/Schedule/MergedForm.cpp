#include "passes/Schedule/MergedForm.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace cameo::schedule {

/// Returns the number of `buffer`, which belongs to `form`, in the merged program; each input has one buffer.
unsigned FormMerger::mergeBuffer(const LoopForm &form, Buffer buffer, ArrayRef<MemberInput> inputs) {
  std::vector<Buffer> &buffers = merged.program.buffers;
  if (buffer.isArgument()) {
    const MemberInput &input = inputs[buffer.index];
    if (input.isResult)
      return results[input.number];
    if (auto packing = form.packings.find(buffer.index); packing != form.packings.end())
      merged.packings[input.number] = packing->second;
    buffer.index = input.number;
    for (auto [number, other] : llvm::enumerate(buffers))
      if (other.isArgument() && other.index == buffer.index)
        return number;
  } else if (buffer.isResult()) {
    buffer.index += before;
    results.resize(std::max<size_t>(results.size(), buffer.index + 1));
    results[buffer.index] = buffers.size();
  }
  buffers.push_back(std::move(buffer));
  return buffers.size() - 1;
}

void FormMerger::add(const LoopForm &form, ArrayRef<MemberInput> inputs) {
  SmallVector<unsigned> numbers;
  for (const Buffer &buffer : form.program.buffers)
    numbers.push_back(mergeBuffer(form, buffer, inputs));
  before = results.size();
  auto renumber = [&](auto &buffers) {
    for (unsigned &buffer : buffers)
      buffer = numbers[buffer];
  };
  for (NestGroup group : form.program.groups) {
    for (LoopNest &nest : group.nests) {
      for (Node &node : nest.nodes)
        if (node.isRead())
          node.buffer = numbers[node.buffer];
      for (Output &output : nest.outputs)
        output.buffer = numbers[output.buffer];
    }
    merged.program.groups.push_back(std::move(group));
  }
  for (NestSchedule each : form.schedules) {
    renumber(each.packedBuffers);
    renumber(each.prefetchedBuffers);
    merged.schedules.push_back(std::move(each));
  }
  for (GpuSchedule each : form.gpuSchedules) {
    renumber(each.cachedBuffers);
    merged.gpuSchedules.push_back(std::move(each));
  }
}

void FormMerger::keepResults(llvm::function_ref<bool(unsigned result)> isKept) {
  unsigned kept = 0;
  for (auto [number, place] : llvm::enumerate(results)) {
    Buffer &buffer = merged.program.buffers[place];
    if (isKept(number))
      buffer.index = kept++;
    else
      buffer = Buffer::scratch(buffer.elements, buffer.elementType);
  }
}

task::DefOp createMergedDef(ArrayRef<task::DefOp> defs, TypeRange inputs, TypeRange results, SymbolTable &symbols) {
  SmallVector<std::string> keys, descriptions;
  double flops = 0, bytes = 0;
  for (task::DefOp each : defs) {
    auto text = [&](StringRef name) {
      auto attribute = each->getAttrOfType<StringAttr>(name);
      return attribute ? attribute.str() : "";
    };
    keys.push_back(text("key"));
    descriptions.push_back(text("description"));
    flops += each->getAttrOfType<FloatAttr>("flops").getValueAsDouble();
    bytes += each->getAttrOfType<FloatAttr>("bytes").getValueAsDouble();
  }
  task::DefOp first = defs.front();
  OpBuilder builder(first);
  SmallVector<Location> locations =
      llvm::map_to_vector(defs, [](task::DefOp each) -> Location { return each->getLoc(); });
  auto def = task::DefOp::create(builder, builder.getFusedLoc(locations), first.getSymName(),
                                 builder.getFunctionType(inputs, results));
  symbols.insert(def);
  def->setAttr("key", builder.getStringAttr(llvm::join(keys, "+")));
  def->setAttr("description", builder.getStringAttr(llvm::join(descriptions, " | ")));
  def->setAttr("flops", builder.getF64FloatAttr(flops));
  def->setAttr("bytes", builder.getF64FloatAttr(bytes));
  Block *body = builder.createBlock(&def.getBody(), {}, inputs, SmallVector<Location>(inputs.size(), def.getLoc()));
  builder.setInsertionPointToEnd(body);
  task::ReturnOp::create(builder, def.getLoc(), ValueRange());
  return def;
}

void eraseUncalled(ModuleOp module) {
  llvm::StringSet<> called;
  module.walk([&](task::CallOp call) { called.insert(call.getCallee()); });
  for (auto def : llvm::make_early_inc_range(module.getOps<task::DefOp>()))
    if (!called.contains(def.getSymName()))
      def.erase();
}

} // namespace cameo::schedule
