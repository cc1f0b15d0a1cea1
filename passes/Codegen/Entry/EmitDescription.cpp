// Emits the description table of abi.h as LLVM constants.
#include "passes/Codegen/Entry/EmitEntry.h"

#include "passes/Codegen/Entry/EmitSizes.h"
#include "passes/Codegen/Weights/WeightsFile.h"
#include "passes/Target/CpuList.h"
#include "runtime/include/cameo/abi.h"

#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace cameo {
namespace {

class DescriptionEmitter {
public:
  DescriptionEmitter(Module &module, StringRef prefix)
      : module(module), context(module.getContext()), prefix(prefix), pointer(PointerType::get(context, 0)) {}

  Constant *integer32(uint32_t value) { return ConstantInt::get(Type::getInt32Ty(context), value); }
  Constant *integer64(uint64_t value) { return ConstantInt::get(Type::getInt64Ty(context), value); }
  Constant *number(double value) { return ConstantFP::get(Type::getDoubleTy(context), value); }
  Constant *null() { return ConstantPointerNull::get(cast<PointerType>(pointer)); }

  Constant *data(Constant *value, bool pointers) {
    auto *global = new GlobalVariable(module, value->getType(), /*isConstant=*/true, GlobalValue::PrivateLinkage, value,
                                      prefix + ".data");
    if (!pointers)
      global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    return global;
  }
  Constant *string(StringRef value) { return data(ConstantDataArray::getString(context, value), false); }
  Constant *structure(ArrayRef<Constant *> members) { return ConstantStruct::getAnon(context, members); }

  Constant *array(ArrayRef<Constant *> elements) {
    if (elements.empty())
      return null();
    return data(ConstantArray::get(ArrayType::get(elements[0]->getType(), elements.size()), elements), true);
  }

  Constant *tensors(ArrayRef<PlannedTensor> list) {
    SmallVector<Constant *> elements;
    for (const PlannedTensor &tensor : list) {
      Constant *shape = null();
      if (!tensor.shape.empty())
        shape = data(
            ConstantDataArray::get(context, ArrayRef<uint64_t>(reinterpret_cast<const uint64_t *>(tensor.shape.data()),
                                                               tensor.shape.size())),
            false);
      elements.push_back(
          structure({string(tensor.name), shape,
                     integer64(tensor.bytes.isStatic() && tensor.dims.empty() ? tensor.bytes.getSize() : 0),
                     integer32(tensor.shape.size()), integer32(tensor.elementType)}));
    }
    return array(elements);
  }

  /// Returns null if no output may share the memory of an input.
  Constant *sharedInputs(ArrayRef<PlannedTensor> outputs) {
    if (none_of(outputs, [](const PlannedTensor &output) { return output.sharedInput.has_value(); }))
      return null();
    return array(map_to_vector(outputs, [&](const PlannedTensor &output) {
      return integer32(output.sharedInput ? static_cast<int32_t>(*output.sharedInput) : -1);
    }));
  }

  Constant *tasks(ArrayRef<PlannedTask> list) {
    SmallVector<Constant *> elements;
    for (const PlannedTask &task : list)
      elements.push_back(structure(
          {string(task.name), string(task.key), number(task.flops), number(task.bytes), string(task.schedule)}));
    return array(elements);
  }

  template <typename Range> Constant *strings(const Range &range) {
    SmallVector<Constant *> elements;
    for (StringRef each : range)
      elements.push_back(string(each));
    return array(elements);
  }

private:
  Module &module;
  LLVMContext &context;
  std::string prefix;
  Type *pointer;
};

static_assert(sizeof(cameo_tensor_description) == 32 && sizeof(cameo_task_description) == 40 &&
                  sizeof(cameo_model_description) == 144,
              "the tables below follow these structs");

} // namespace

void emitDescription(Module &module, const ModelPlan &plan, ArrayRef<ModelPlan> variants, const CodegenOptions &options,
                     Function *run, uint64_t weightsHash) {
  DescriptionEmitter emit(module, options.prefix);
  auto derived = map_to_vector(plan.derived, [](const Dim &dim) { return dim.getText(); });
  Constant *derivedSize =
      plan.derived.empty() && plan.greatest.empty() ? emit.null() : emitDerivedSize(module, plan, options.prefix);
  Constant *description =
      emit.structure({emit.integer32(CAMEO_ABI_VERSION),
                      emit.integer32(sizeof(cameo_model_description)),
                      emit.string(options.modelName),
                      emit.string(options.targets.front().triple + "/" + cpuNames(options.targets, ",")),
                      emit.tensors(plan.inputs),
                      emit.tensors(plan.outputs),
                      emit.tasks(plan.tasks),
                      emit.strings(plan.symbols),
                      emit.strings(derived),
                      emit.integer32(plan.inputs.size()),
                      emit.integer32(plan.outputs.size()),
                      emit.integer32(plan.tasks.size()),
                      emit.integer32(plan.symbols.size()),
                      emit.integer32(plan.derived.size()),
                      emit.integer32(plan.greatest.size()),
                      emit.integer32(plan.makesStrings),
                      emit.integer64(options.externalWeights ? getExternalBytes(plan.weightBytes) : plan.weightBytes),
                      emit.integer64(weightsHash),
                      emit.sharedInputs(plan.outputs),
                      derivedSize,
                      emitWorkspaceSize(module, variants, options.prefix),
                      run});
  assert(module.getDataLayout().getTypeAllocSize(description->getType()) == sizeof(cameo_model_description));
  auto *global = new GlobalVariable(module, description->getType(), /*isConstant=*/true, GlobalValue::ExternalLinkage,
                                    description, options.prefix + "_description");
  global->setAlignment(Align(8));
}

} // namespace cameo
