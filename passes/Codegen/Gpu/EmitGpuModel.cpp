#include "passes/Codegen/Gpu/EmitGpuModel.h"

#include "passes/Codegen/Entry/EmitEntry.h"
#include "passes/Codegen/Gpu/EmitGpuNumbers.h"
#include "passes/Codegen/Gpu/EmitHostFunctions.h"
#include "passes/Codegen/Gpu/PersistentKernel.h"
#include "passes/Codegen/Weights/WeightsFile.h"
#include "runtime/include/cameo/gpu.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace cameo {
namespace {

static_assert(sizeof(cameo_gpu_buffer) == 16 && sizeof(cameo_gpu_step) == 32 && sizeof(cameo_gpu_kernel) == 24 &&
                  sizeof(cameo_gpu_image) == 32 && sizeof(cameo_gpu_host_kernel) == 24 &&
                  sizeof(cameo_gpu_operand) == 16 && sizeof(cameo_gpu_model) == 144,
              "the tables below follow these structs");

/// cameo_gpu_step of gpu.h.
struct GpuStep {
  uint32_t kind = CAMEO_GPU_LAUNCH, kernel = 0, firstBuffer = 0, bufferCount = 0;
  uint64_t count = 0;
  uint32_t target = CAMEO_GPU_NOWHERE, wanted = 0;
};

/// A loop or branch that is still open, because its last step is not emitted yet.
struct OpenStep {
  const PlannedStep *planned;
  uint32_t number;
};

class GpuModelEmitter {
public:
  GpuModelEmitter(Module &module, const ModelPlan &plan, const DeviceCode &code, const CodegenOptions &options)
      : module(module), context(module.getContext()), plan(plan), code(code), options(options),
        pointer(PointerType::get(context, 0)) {}

  void run(GlobalVariable *weights);

private:
  Constant *integer32(uint32_t value) { return ConstantInt::get(Type::getInt32Ty(context), value); }
  Constant *integer64(uint64_t value) { return ConstantInt::get(Type::getInt64Ty(context), value); }
  Constant *null() { return ConstantPointerNull::get(pointer); }
  Constant *structure(ArrayRef<Constant *> members) { return ConstantStruct::getAnon(context, members); }
  Constant *data(Constant *value, StringRef name, Align alignment);
  Constant *string(StringRef value) { return data(ConstantDataArray::getString(context, value), "data", Align(1)); }
  Constant *array(ArrayRef<Constant *> elements);
  Constant *kernels();
  uint32_t addHostKernel(const PlannedStep &step, StringRef name, Function *run);
  uint32_t hostKernel(const PlannedStep &step);
  Constant *operand(const HostOperand &operand);
  Constant *image(const DeviceImage &image, cameo_gpu_image_kind kind, StringRef bytes);
  Constant *images();
  uint32_t counters() const;
  Constant *buffer(const BufferPlace &place);
  uint32_t loopOf(const BufferPlace &place) const;
  void close();
  void readStep(const PlannedStep &planned);
  void addPersistentStep();
  Constant *stepTable();

  Module &module;
  LLVMContext &context;
  const ModelPlan &plan;
  const DeviceCode &code;
  const CodegenOptions &options;
  PointerType *pointer;
  GpuNumbers numbers;
  uint32_t imageCount = 0;
  std::vector<GpuStep> steps;
  SmallVector<OpenStep> open; ///< open loops and branches around the next step
  SmallVector<Constant *> buffers, hostKernels, operands;
  StringMap<uint32_t> hostKernelNumbers; ///< by their names in the plan
};

Constant *GpuModelEmitter::data(Constant *value, StringRef name, Align alignment) {
  auto *global = new GlobalVariable(module, value->getType(), /*isConstant=*/true, GlobalValue::PrivateLinkage, value,
                                    options.prefix + "." + name);
  global->setAlignment(alignment);
  return global;
}

Constant *GpuModelEmitter::array(ArrayRef<Constant *> elements) {
  if (elements.empty())
    return null();
  return data(ConstantArray::get(ArrayType::get(elements[0]->getType(), elements.size()), elements), "gpu_data",
              Align(8));
}

Constant *GpuModelEmitter::kernels() {
  return array(map_to_vector(code.kernels, [&](const DeviceKernel &kernel) -> Constant * {
    return structure({string(kernel.name), integer32(kernel.threads),
                      integer32(kernel.task ? plan.firstTask + *kernel.task : UINT32_MAX),
                      integer32(kernel.dynamicBytes), integer32(0)});
  }));
}

uint32_t GpuModelEmitter::addHostKernel(const PlannedStep &step, StringRef name, Function *run) {
  hostKernels.push_back(
      structure({string(name), run, integer32(step.task ? plan.firstTask + *step.task : UINT32_MAX), integer32(0)}));
  return hostKernels.size() - 1;
}

/// Returns the number of the kernel that a step of the host runs. The kernel is a function of the module. A call of a
/// function of the program has a kernel of its own, because attributes and shapes are those of the call.
uint32_t GpuModelEmitter::hostKernel(const PlannedStep &step) {
  if (step.call)
    return addHostKernel(step, options.prefix + "_" + step.call->function,
                         emitHostExtern(module, plan, options.prefix, step, numbers));
  if (auto place = hostKernelNumbers.find(step.kernel); place != hostKernelNumbers.end())
    return place->second;
  Function *kernel = module.getFunction(step.kernel);
  assert(kernel && "the plan names kernels of this module");
  uint32_t number = addHostKernel(step, step.kernel, emitHostKernel(kernel, step.buffers.size()));
  hostKernelNumbers[step.kernel] = number;
  return number;
}

Constant *GpuModelEmitter::operand(const HostOperand &operand) {
  uint32_t access = (operand.isRead ? CAMEO_GPU_READ : 0) | (operand.isWritten ? CAMEO_GPU_WRITTEN : 0);
  return structure({integer64(numbers.encode(operand.bytes)), integer32(access), integer32(0)});
}

Constant *GpuModelEmitter::image(const DeviceImage &image, cameo_gpu_image_kind kind, StringRef bytes) {
  const GpuMachine &gpu = *image.gpu;
  const Align alignment(64);
  // Only PTX, which is text, needs a terminating zero.
  Constant *code = data(ConstantDataArray::getString(context, bytes, kind == CAMEO_GPU_PTX), "gpu_code", alignment);
  ++imageCount;
  return structure({string(gpu.architecture), integer32(kind), integer32(gpu.getCapability()),
                    integer32(gpu.isSpecific()), integer32(image.dependentLaunch), code});
}

Constant *GpuModelEmitter::images() {
  SmallVector<Constant *> all;
  bool isHost = options.gpuCode == GpuCode::Host;
  for (const DeviceImage &each : code.images) {
    if (!each.binary.empty())
      all.push_back(
          image(each, isHost ? CAMEO_GPU_HOST : CAMEO_GPU_BINARY, StringRef(each.binary.data(), each.binary.size())));
    if (!isHost)
      all.push_back(image(each, CAMEO_GPU_PTX, each.ptx));
  }
  return array(all);
}

/// Returns the number of counters that all kernels use.
uint32_t GpuModelEmitter::counters() const {
  int64_t bytes = 0;
  for (const PlannedStep &step : plan.steps)
    for (const BufferPlace &place : step.buffers)
      if (place.base == BufferPlace::Base::Counters)
        bytes = std::max(bytes, place.offset + *place.bytes);
  return bytes / sizeof(uint32_t);
}

Constant *GpuModelEmitter::buffer(const BufferPlace &place) {
  auto make = [&](cameo_gpu_base base, uint32_t index) {
    return structure({integer32(base), integer32(index), integer64(place.offset)});
  };
  switch (place.base) {
  case BufferPlace::Base::Input:
    return make(CAMEO_GPU_INPUT, place.index);
  case BufferPlace::Base::Output:
    return make(CAMEO_GPU_OUTPUT, place.index);
  case BufferPlace::Base::Arena:
    return make(CAMEO_GPU_WORKSPACE, 0);
  case BufferPlace::Base::Weights:
    return make(CAMEO_GPU_WEIGHTS, 0);
  case BufferPlace::Base::Slot:
    return make(CAMEO_GPU_SLOT, numbers.ofSlot(place.index));
  case BufferPlace::Base::Sizes:
    return make(CAMEO_GPU_SIZES, 0);
  case BufferPlace::Base::Counters:
    return make(CAMEO_GPU_COUNTERS, 0);
  case BufferPlace::Base::Strings:
    return make(CAMEO_GPU_TEXTS, 0);
  case BufferPlace::Base::TextArea:
    return make(CAMEO_GPU_TEXT_AREA, 0);
  }
  llvm_unreachable("unknown base");
}

/// Returns the number of the step that begins the enclosing loop whose iteration number is stored at `place`.
uint32_t GpuModelEmitter::loopOf(const BufferPlace &place) const {
  for (const OpenStep &loop : reverse(open))
    if (loop.planned->kind == PlannedStep::Kind::Repeat && loop.planned->buffers[0].base == place.base &&
        loop.planned->buffers[0].index == place.index && loop.planned->buffers[0].offset == place.offset)
      return loop.number;
  llvm_unreachable("copies to slices are in the loop whose iterations they are of");
}

/// Sets the target of a loop or branch to the step after its end.
void GpuModelEmitter::close() {
  OpenStep step = open.pop_back_val();
  steps[step.number].target = steps.size();
}

void GpuModelEmitter::readStep(const PlannedStep &planned) {
  using Kind = PlannedStep::Kind;
  if (planned.kind == Kind::EndIf)
    return close();
  uint32_t number = steps.size();
  GpuStep &step = steps.emplace_back();
  step.firstBuffer = buffers.size();
  step.count = numbers.encode(countOf(planned));
  SmallVector<BufferPlace> places = to_vector(planned.buffers);
  for (auto [flag, flagged] : enumerate(planned.flags)) {
    places.push_back(flagged.first);
    step.wanted |= uint32_t(flagged.second) << flag;
  }
  switch (planned.kind) {
  case Kind::Kernel:
    step.kernel = code.kernelNumbers.lookup(planned.kernel);
    break;
  case Kind::Host:
  case Kind::Extern:
    step.kind = CAMEO_GPU_CALL;
    step.kernel = hostKernel(planned);
    step.target = operands.size();
    for (const HostOperand &each : planned.operands)
      operands.push_back(operand(each));
    break;
  case Kind::Copy:
    step.kind = CAMEO_GPU_COPY;
    if (places.size() > 2)
      step.target = loopOf(places.pop_back_val());
    break;
  case Kind::Bind:
    step.kind = CAMEO_GPU_BIND;
    step.target = find(plan.counted, planned.bound) - plan.counted.begin();
    break;
  case Kind::If:
    step.kind = CAMEO_GPU_IF;
    open.push_back({&planned, number});
    break;
  case Kind::Repeat:
    step.kind = CAMEO_GPU_REPEAT;
    open.push_back({&planned, number});
    for (auto [bit, place] : enumerate(std::array{planned.tripCount, planned.condition}))
      if (place) {
        places.push_back(*place);
        step.wanted |= 1u << bit;
      }
    break;
  case Kind::Next:
    step.kind = CAMEO_GPU_NEXT;
    step.target = open.back().number;
    close();
    break;
  case Kind::EndIf:
  case Kind::Rows:
    llvm_unreachable("rows are written by kernels");
  }
  step.bufferCount = places.size();
  for (const BufferPlace &place : places)
    buffers.push_back(buffer(place));
}

/// Adds one launch of the persistent kernel, which executes all steps.
void GpuModelEmitter::addPersistentStep() {
  for (const BufferPlace &place : persistentBases(plan))
    buffers.push_back(buffer(place));
  buffers.push_back(structure({integer32(CAMEO_GPU_COUNTERS), integer32(0), integer64(0)}));
  GpuStep &step = steps.emplace_back();
  step.kind = CAMEO_GPU_PERSISTENT;
  step.bufferCount = buffers.size();
}

Constant *GpuModelEmitter::stepTable() {
  if (code.isPersistent)
    addPersistentStep();
  else
    for (const PlannedStep &step : plan.steps)
      readStep(step);
  return array(map_to_vector(steps, [&](const GpuStep &step) {
    return structure({integer32(step.kind), integer32(step.kernel), integer32(step.firstBuffer),
                      integer32(step.bufferCount), integer64(step.count), integer32(step.target),
                      integer32(step.wanted)});
  }));
}

void GpuModelEmitter::run(GlobalVariable *weights) {
  numbers = emitGpuNumbers(module, plan, options.prefix, /*refusesManyBlocks=*/code.isPersistent);
  Constant *allSteps = stepTable();
  std::string architectures =
      join(map_range(code.images, [](const DeviceImage &each) { return each.gpu->architecture.str(); }), ", ");
  Constant *imageTable = images();
  Constant *strings = plan.strings.empty() ? null() : emitStringTable(module, plan.strings, options.prefix);
  Constant *model =
      structure({integer32(CAMEO_GPU_ABI_VERSION),
                 integer32(sizeof(cameo_gpu_model)),
                 module.getNamedGlobal(options.prefix + "_description"),
                 string(architectures),
                 imageTable,
                 kernels(),
                 allSteps,
                 array(buffers),
                 weights ? static_cast<Constant *>(weights) : null(),
                 integer64(options.externalWeights ? getExternalBytes(plan.weightBytes) : plan.weightBytes),
                 numbers.function ? static_cast<Constant *>(numbers.function) : null(),
                 array(hostKernels),
                 array(operands),
                 strings,
                 integer32(imageCount),
                 integer32(code.kernels.size()),
                 integer32(steps.size()),
                 integer32(numbers.count),
                 integer32(numbers.firstSize),
                 integer32(numbers.firstDimension),
                 integer32(plan.counted.size()),
                 integer32((code.isPersistent ? persistentCounters(plan) : 0) + counters()),
                 integer32(hostKernels.size()),
                 integer32(plan.strings.size())});
  assert(module.getDataLayout().getTypeAllocSize(model->getType()) == sizeof(cameo_gpu_model));
  auto *global = new GlobalVariable(module, model->getType(), /*isConstant=*/true, GlobalValue::ExternalLinkage, model,
                                    options.prefix + "_gpu");
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

void emitGpuModel(Module &module, const ModelPlan &plan, const DeviceCode &code, const CodegenOptions &options,
                  GlobalVariable *weights) {
  GpuModelEmitter(module, plan, code, options).run(weights);
}

} // namespace cameo
