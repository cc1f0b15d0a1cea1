#include "passes/Codegen/Gpu/EmitGpuModel.h"

#include "passes/Codegen/WeightsFile.h"
#include "runtime/include/cameo/gpu.h"

#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace cameo {
namespace {

static_assert(sizeof(cameo_gpu_buffer) == 16 && sizeof(cameo_gpu_step) == 24 && sizeof(cameo_gpu_kernel) == 16 && sizeof(cameo_gpu_model) == 96,
              "the tables below follow these structs");

class GpuModelEmitter {
public:
  GpuModelEmitter(Module &module, const ModelPlan &plan, const DeviceCode &code, const CodegenOptions &options)
      : module(module), context(module.getContext()), plan(plan), code(code), options(options), pointer(PointerType::get(context, 0)) {}

  void run(GlobalVariable *weights);

private:
  Constant *integer32(uint32_t value) { return ConstantInt::get(Type::getInt32Ty(context), value); }
  Constant *integer64(uint64_t value) { return ConstantInt::get(Type::getInt64Ty(context), value); }
  Constant *null() { return ConstantPointerNull::get(pointer); }
  Constant *structure(ArrayRef<Constant *> members) { return ConstantStruct::getAnon(context, members); }
  Constant *data(Constant *value, StringRef name, Align alignment);
  Constant *text(StringRef value) { return data(ConstantDataArray::getString(context, value), "data", Align(1)); }
  Constant *array(ArrayRef<Constant *> elements);
  Constant *kernels();
  void readSteps();

  Module &module;
  LLVMContext &context;
  const ModelPlan &plan;
  const DeviceCode &code;
  const CodegenOptions &options;
  PointerType *pointer;
  SmallVector<Constant *> steps, buffers;
};

Constant *GpuModelEmitter::data(Constant *value, StringRef name, Align alignment) {
  auto *global = new GlobalVariable(module, value->getType(), /*isConstant=*/true, GlobalValue::PrivateLinkage, value, options.prefix + "." + name);
  global->setAlignment(alignment);
  return global;
}

Constant *GpuModelEmitter::array(ArrayRef<Constant *> elements) {
  if (elements.empty())
    return null();
  return data(ConstantArray::get(ArrayType::get(elements[0]->getType(), elements.size()), elements), "gpu_data", Align(8));
}

Constant *GpuModelEmitter::kernels() {
  return array(map_to_vector(code.kernels, [&](const DeviceKernel &kernel) -> Constant * {
    return structure({text(kernel.name), integer32(kernel.threads), integer32(0)});
  }));
}

cameo_gpu_base baseOf(const BufferPlace &place) {
  switch (place.base) {
  case BufferPlace::Base::Input:
    return CAMEO_GPU_INPUT;
  case BufferPlace::Base::Output:
    return CAMEO_GPU_OUTPUT;
  case BufferPlace::Base::Arena:
    return CAMEO_GPU_WORKSPACE;
  case BufferPlace::Base::Weights:
    return CAMEO_GPU_WEIGHTS;
  case BufferPlace::Base::Slot:
  case BufferPlace::Base::Sizes:
  case BufferPlace::Base::Texts:
  case BufferPlace::Base::TextArea:
    break;
  }
  llvm_unreachable("models with sizes of the run or texts are refused");
}

void GpuModelEmitter::readSteps() {
  for (const PlannedStep &step : plan.steps) {
    bool isKernel = step.kind == PlannedStep::Kind::Kernel;
    assert((isKernel || step.kind == PlannedStep::Kind::Copy) && "other steps are refused");
    steps.push_back(structure({integer32(isKernel ? CAMEO_GPU_LAUNCH : CAMEO_GPU_COPY), integer32(isKernel ? code.kernelNumbers.lookup(step.kernel) : 0),
                               integer32(buffers.size()), integer32(step.buffers.size()), integer64(isKernel ? step.extent.getSize() : step.bytes.getSize())}));
    for (const BufferPlace &place : step.buffers)
      buffers.push_back(structure({integer32(baseOf(place)), integer32(place.index), integer64(place.offset)}));
  }
}

void GpuModelEmitter::run(GlobalVariable *weights) {
  readSteps();
  const Align imageAlignment(64);
  auto bytes = [&](StringRef text, bool endsInZero) {
    return text.empty() ? null() : data(ConstantDataArray::getString(context, text, endsInZero), "gpu_code", imageAlignment);
  };
  StringRef binary(code.binary.data(), code.binary.size());
  bool isHost = options.gpuCode == GpuCode::Host;
  Constant *model = structure(
      {integer32(CAMEO_GPU_ABI_VERSION), integer32(sizeof(cameo_gpu_model)), module.getNamedGlobal(options.prefix + "_description"),
       text(options.targets.front().gpu->architecture), bytes(binary, false), isHost ? null() : bytes(code.ptx, true), kernels(), array(steps), array(buffers),
       weights ? static_cast<Constant *>(weights) : null(), integer64(options.externalWeights ? getExternalBytes(plan.weightBytes) : plan.weightBytes),
       integer64(plan.arenaBytes), integer32(code.kernels.size()), integer32(steps.size())});
  assert(module.getDataLayout().getTypeAllocSize(model->getType()) == sizeof(cameo_gpu_model));
  auto *global = new GlobalVariable(module, model->getType(), /*isConstant=*/true, GlobalValue::ExternalLinkage, model, options.prefix + "_gpu");
  global->setAlignment(Align(8));
}

} // namespace

Function *emitRefusingRun(Module &module, StringRef prefix) {
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::get(context, 0), *i32 = Type::getInt32Ty(context);
  auto *type = FunctionType::get(i32, {pointer, pointer, pointer, pointer, pointer}, false);
  Function *function = Function::Create(type, GlobalValue::ExternalLinkage, prefix + "_run_buffers", module);
  IRBuilder<> builder(BasicBlock::Create(context, "entry", function));
  builder.CreateRet(builder.getInt32(CAMEO_NO_GPU));
  return function;
}

void emitGpuModel(Module &module, const ModelPlan &plan, const DeviceCode &code, const CodegenOptions &options, GlobalVariable *weights) {
  GpuModelEmitter(module, plan, code, options).run(weights);
}

} // namespace cameo
