// Emits the function `run`, which checks the arguments and executes the steps.
#include "passes/Codegen/Entry/EmitEntry.h"

#include "passes/Codegen/Entry/EmitSizes.h"
#include "passes/Codegen/Entry/EmitSteps.h"
#include "passes/Codegen/Weights/WeightsFile.h"
#include "runtime/include/cameo/abi.h"

#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace cameo {

static_assert(offsetof(cameo_context, thread_count) == 4 && offsetof(cameo_context, parallel_for) == 8 &&
                  offsetof(cameo_context, parallel_user) == 16 && offsetof(cameo_context, profile) == 24 &&
                  offsetof(cameo_context, profile_user) == 32 && offsetof(cameo_context, weights) == 40,
              "the generated code reads the context at these offsets");

std::string weightsSectionName(StringRef prefix) { return (".rodata.cameo." + prefix).str(); }

static ArrayType *placeholderType(Module &module) {
  return ArrayType::get(Type::getInt8Ty(module.getContext()), CAMEO_ALIGNMENT);
}

GlobalVariable *emitWeights(Module &module, const CodegenOptions &options, GlobalValue::LinkageTypes linkage) {
  // The variable is externally initialised, so that LLVM does not fold loads from the placeholder.
  ArrayType *type = placeholderType(module);
  auto *section = new GlobalVariable(module, type, /*isConstant=*/true, linkage, ConstantAggregateZero::get(type),
                                     options.prefix + ".weights", nullptr, GlobalValue::NotThreadLocal, 0,
                                     /*isExternallyInitialized=*/true);
  section->setAlignment(Align(CAMEO_ALIGNMENT));
  section->setSection(weightsSectionName(options.prefix));
  return section;
}

static GlobalVariable *declareWeights(Module &module, const CodegenOptions &options) {
  auto *section = new GlobalVariable(module, placeholderType(module), /*isConstant=*/true, GlobalValue::ExternalLinkage,
                                     nullptr, options.prefix + ".weights");
  section->setAlignment(Align(CAMEO_ALIGNMENT));
  section->setVisibility(GlobalValue::HiddenVisibility);
  return section;
}

namespace {

/// Largest number of steps, sizes, inputs and outputs of a `run` that LLVM optimises. A `run` is mostly one block, and
/// LLVM compares each value of a block with all others. The time of `run` itself is negligible beside its kernels.
constexpr size_t mostOptimized = 1000;

/// Largest number of pointers that one block checks, for the same reason.
constexpr size_t mostOfBlock = 64;

class RunEmitter {
public:
  RunEmitter(Module &module, const ModelPlan &plan, const CodegenOptions &options, StringRef name, uint64_t weightsHash)
      : name(name), module(module), context(module.getContext()), plan(plan), options(options),
        weightsHash(weightsHash), builder(context), pointer(PointerType::get(context, 0)), i32(builder.getInt32Ty()),
        i64(builder.getInt64Ty()) {}

  Function *run();

private:
  BasicBlock *block(const Twine &name) { return BasicBlock::Create(context, name, function); }
  Value *isMisaligned(Value *address);
  Value *field(unsigned offset, Type *type);
  Value *oneElement();
  SmallVector<Value *> loadPointers(Value *array, ArrayRef<PlannedTensor> tensors);
  void readSizes();
  void emitShapes();
  void checkWorkspace();
  void readContext();
  void locateWeights();
  void emptyTextArea();
  void checkTextArea();

  StringRef name;
  Module &module;
  LLVMContext &context;
  const ModelPlan &plan;
  const CodegenOptions &options;
  uint64_t weightsHash;
  IRBuilder<> builder;
  Type *pointer, *i32, *i64;
  Function *function = nullptr;
  Value *contextArgument = nullptr;
  RunValues values;
  std::optional<SizeEmitter> sizes; ///< set only for a model with dynamic sizes
};

Value *RunEmitter::isMisaligned(Value *address) {
  Value *bits = builder.CreatePtrToInt(address, i64);
  return builder.CreateIsNotNull(builder.CreateAnd(bits, builder.getInt64(CAMEO_ALIGNMENT - 1)));
}

/// Returns the address of zeros that kernels read in place of an empty tensor, because kernels with dynamic sizes may
/// read the first element of an empty tensor.
Value *RunEmitter::oneElement() {
  std::string name = options.prefix + ".empty";
  if (GlobalVariable *zeros = module.getNamedGlobal(name))
    return zeros;
  auto *type = ArrayType::get(builder.getInt8Ty(), CAMEO_ALIGNMENT);
  auto *zeros = new GlobalVariable(module, type, /*isConstant=*/true, GlobalValue::PrivateLinkage,
                                   Constant::getNullValue(type), name);
  zeros->setAlignment(Align(CAMEO_ALIGNMENT));
  return zeros;
}

SmallVector<Value *> RunEmitter::loadPointers(Value *array, ArrayRef<PlannedTensor> tensors) {
  SmallVector<Value *> loaded;
  if (!tensors.empty())
    returnIf(builder, builder.CreateIsNull(array), CAMEO_INVALID_ARGUMENT);
  Value *missing = builder.getFalse();
  for (auto [number, tensor] : enumerate(tensors)) {
    Value *at = builder.CreateConstInBoundsGEP1_64(pointer, array, number);
    loaded.push_back(builder.CreateLoad(pointer, at));
    if (!tensor.bytes.isStatic())
      loaded.back() =
          builder.CreateSelect(builder.CreateIsNull(sizes->number(tensor.bytes)), oneElement(), loaded.back());
    Value *isNull = builder.CreateIsNull(loaded.back());
    if (tensor.bytes.isStatic() && tensor.bytes.getSize() == 0)
      continue;
    missing = builder.CreateOr(missing, isNull);
    if (number % mostOfBlock != mostOfBlock - 1)
      continue;
    returnIf(builder, missing, CAMEO_INVALID_ARGUMENT);
    missing = builder.getFalse();
  }
  returnIf(builder, missing, CAMEO_INVALID_ARGUMENT);
  return loaded;
}

/// Evaluates the dynamic sizes, and stores those that kernels read.
void RunEmitter::readSizes() {
  Value *symbols = function->getArg(2);
  if (!plan.symbols.empty())
    returnIf(builder, builder.CreateIsNull(symbols), CAMEO_INVALID_ARGUMENT);
  BasicBlock *refused = block("refused");
  ReturnInst::Create(context, builder.getInt32(CAMEO_INVALID_ARGUMENT), refused);
  sizes.emplace(builder, plan, symbols, refused);
  sizes->checkAll();
  sizes->store(values.sizeArray);
}

/// Stores the dimensions of outputs with data-dependent sizes into the caller's arrays that are not null.
void RunEmitter::emitShapes() {
  unsigned next = plan.outputs.size();
  for (const PlannedTensor &output : plan.outputs) {
    if (output.dims.empty())
      continue;
    Value *shape =
        builder.CreateLoad(pointer, builder.CreateConstInBoundsGEP1_64(pointer, function->getArg(1), next++));
    SmallVector<Value *> numbers = map_to_vector(output.dims, [&](const Dim &dim) { return sizes->number(dim); });
    BasicBlock *wanted = block("shape"), *done = block("shape.done");
    builder.CreateCondBr(builder.CreateIsNull(shape), done, wanted);
    builder.SetInsertPoint(wanted);
    for (auto [axis, number] : enumerate(numbers))
      builder.CreateStore(number, builder.CreateConstInBoundsGEP1_64(i64, shape, axis));
    builder.CreateBr(done);
    builder.SetInsertPoint(done);
  }
}

void RunEmitter::checkWorkspace() {
  if (plan.arenaBytes == 0 && plan.slots.empty())
    return;
  Value *isWrong = builder.CreateOr(builder.CreateIsNull(values.workspace), isMisaligned(values.workspace));
  if (plan.arenaBytes == 0)
    isWrong = builder.CreateAnd(isWrong, builder.CreateIsNotNull(sizes->workspaceBytes()));
  returnIf(builder, isWrong, CAMEO_INVALID_ARGUMENT);
}

/// Loads the member of the context at `offset`. The context must not be null.
Value *RunEmitter::field(unsigned offset, Type *type) {
  return builder.CreateLoad(type, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), contextArgument, offset));
}

void RunEmitter::readContext() {
  BasicBlock *none = builder.GetInsertBlock(), *some = block("context"), *read = block("context.read"),
             *start = block("start"), *mismatch = block("mismatch");
  builder.CreateCondBr(builder.CreateIsNull(contextArgument), start, some);
  builder.SetInsertPoint(some);
  builder.CreateCondBr(builder.CreateICmpEQ(field(0, i32), builder.getInt32(CAMEO_ABI_VERSION)), read, mismatch);
  builder.SetInsertPoint(mismatch);
  builder.CreateRet(builder.getInt32(CAMEO_ABI_MISMATCH));
  builder.SetInsertPoint(read);
  Value *threads = field(offsetof(cameo_context, thread_count), i32);
  SmallVector<Value *> members;
  for (unsigned offset :
       {offsetof(cameo_context, parallel_for), offsetof(cameo_context, parallel_user), offsetof(cameo_context, profile),
        offsetof(cameo_context, profile_user), offsetof(cameo_context, weights)})
    members.push_back(field(offset, pointer));
  Value *parallel =
      builder.CreateAnd(builder.CreateICmpSGT(threads, builder.getInt32(1)), builder.CreateIsNotNull(members[0]));
  builder.CreateBr(start);
  builder.SetInsertPoint(start);
  auto choose = [&](Value *value) -> Value * {
    PHINode *phi = builder.CreatePHI(value->getType(), 2);
    phi->addIncoming(Constant::getNullValue(value->getType()), none);
    phi->addIncoming(value, read);
    return phi;
  };
  values.isParallel = choose(parallel);
  values.parallelFor = choose(members[0]);
  values.parallelUser = choose(members[1]);
  values.profile = choose(members[2]);
  values.profileUser = choose(members[3]);
  values.weights = choose(members[4]);
}

void RunEmitter::locateWeights() {
  if (!options.externalWeights) {
    // The code of all processors shares one section, which is emitted last.
    values.weights = options.hasChoice() ? declareWeights(module, options)
                                         : emitWeights(module, options, GlobalValue::InternalLinkage);
    return;
  }
  returnIf(builder, builder.CreateIsNull(values.weights), CAMEO_WEIGHTS_MISMATCH);
  returnIf(builder, isMisaligned(values.weights), CAMEO_INVALID_ARGUMENT);
  Value *hashAt =
      builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), values.weights, getHashOffset(plan.weightBytes));
  Value *hash = builder.CreateLoad(i64, hashAt);
  returnIf(builder, builder.CreateICmpNE(hash, builder.getInt64(weightsHash)), CAMEO_WEIGHTS_MISMATCH);
}

/// Loads the text area, which follows the outputs and the arrays for their dimensions, and sets its used bytes to 0.
void RunEmitter::emptyTextArea() {
  size_t index =
      plan.outputs.size() + count_if(plan.outputs, [](const PlannedTensor &output) { return !output.dims.empty(); });
  values.textArea =
      builder.CreateLoad(pointer, builder.CreateConstInBoundsGEP1_64(pointer, function->getArg(1), index));
  returnIf(builder, builder.CreateIsNull(values.textArea), CAMEO_INVALID_ARGUMENT);
  builder.CreateStore(builder.getInt64(0), builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), values.textArea,
                                                                              offsetof(cameo_text_area, used)));
}

void RunEmitter::checkTextArea() {
  auto member = [&](unsigned offset) {
    return builder.CreateLoad(i64, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), values.textArea, offset));
  };
  Value *used = member(offsetof(cameo_text_area, used)), *capacity = member(offsetof(cameo_text_area, capacity));
  returnIf(builder, builder.CreateICmpUGT(used, capacity), CAMEO_TEXT_AREA_FULL);
}

Function *RunEmitter::run() {
  auto *type = FunctionType::get(i32, {pointer, pointer, pointer, pointer, pointer}, false);
  function = Function::Create(type, GlobalValue::ExternalLinkage, name, module);
  if (plan.steps.size() + plan.sizes.size() + plan.inputs.size() + plan.outputs.size() > mostOptimized) {
    function->addFnAttr(Attribute::OptimizeNone);
    function->addFnAttr(Attribute::NoInline);
  }
  builder.SetInsertPoint(block("entry"));
  size_t mostBuffers = 1;
  for (const PlannedStep &step : plan.steps)
    mostBuffers = std::max(mostBuffers, step.buffers.size());
  values.bufferArray = builder.CreateAlloca(ArrayType::get(pointer, mostBuffers));
  if (!plan.sizes.empty())
    values.sizeArray = builder.CreateAlloca(ArrayType::get(i64, plan.sizes.size()));
  values.workspace = function->getArg(3);
  contextArgument = values.context = function->getArg(4);
  auto *abi = module.getOrInsertGlobal("cameo_abi_" + std::to_string(CAMEO_ABI_VERSION), i32);
  returnIf(builder, builder.CreateICmpNE(builder.CreateLoad(i32, abi), builder.getInt32(CAMEO_ABI_VERSION)),
           CAMEO_ABI_MISMATCH);
  if (plan.hasSizes())
    readSizes();
  values.inputs = loadPointers(function->getArg(0), plan.inputs);
  values.outputs = loadPointers(function->getArg(1), plan.outputs);
  checkWorkspace();
  readContext();
  if (plan.weightBytes > 0 || options.externalWeights)
    locateWeights();
  if (!plan.strings.empty())
    values.strings = emitStringTable(module, plan.strings, options.prefix);
  if (plan.makesStrings)
    emptyTextArea();
  StepEmitter(module, builder, plan, options.prefix, values, sizes ? &*sizes : nullptr).emitAll();
  emitShapes();
  if (plan.makesStrings)
    checkTextArea();
  builder.CreateRet(builder.getInt32(CAMEO_OK));
  return function;
}

} // namespace

Function *emitRun(Module &module, const ModelPlan &plan, const CodegenOptions &options, StringRef name,
                  uint64_t weightsHash) {
  return RunEmitter(module, plan, options, name, weightsHash).run();
}

} // namespace cameo
