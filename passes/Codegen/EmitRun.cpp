// `run`: checks the arguments, then calls the kernels one after the other, directly when there is one thread.
#include "passes/Codegen/EmitEntry.h"

#include "passes/Codegen/EmitSizes.h"
#include "passes/Codegen/WeightsFile.h"
#include "runtime/include/cameo/abi.h"

#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace cameo {

static_assert(offsetof(cameo_context, thread_count) == 4 && offsetof(cameo_context, parallel_for) == 8 &&
                  offsetof(cameo_context, parallel_user) == 16 && offsetof(cameo_context, profile) == 24 &&
                  offsetof(cameo_context, profile_user) == 32 && offsetof(cameo_context, weights) == 40,
              "the generated code reads the context at these offsets");

std::string weightsSectionName(StringRef prefix) { return (".rodata.cameo." + prefix).str(); }

namespace {

class RunEmitter {
public:
  RunEmitter(Module &module, const ModelPlan &plan, const CodegenOptions &options, uint64_t weightsHash)
      : module(module), context(module.getContext()), plan(plan), options(options), weightsHash(weightsHash),
        builder(context), pointer(PointerType::get(context, 0)), i32(builder.getInt32Ty()), i64(builder.getInt64Ty()) {
  }

  Function *run();

private:
  BasicBlock *block(const Twine &name) { return BasicBlock::Create(context, name, function); }
  void returnIf(Value *condition, cameo_status status);
  Value *isMisaligned(Value *address);
  Value *field(unsigned offset, Type *type);
  SmallVector<Value *> loadPointers(Value *array, ArrayRef<PlannedTensor> tensors);
  void readSizes();
  void storeSizes();
  void bindSize(const PlannedStep &step);
  void emitShapes();
  void checkWorkspace();
  void readContext();
  void locateWeights();
  void emptyTextArea();
  void checkTextArea();
  Value *address(const BufferPlace &place);
  Function *wrapperOf(Function *kernel, unsigned bufferCount);
  void emitSteps();
  void emitItems();
  void emitStep(const PlannedStep &step);
  void emitKernel(const PlannedStep &step, ArrayRef<Value *> buffers);
  void emitCopy(const PlannedStep &step, ArrayRef<Value *> buffers);
  Value *valueOf(const onnx::Dim &dim) { return dim.isStatic() ? builder.getInt64(dim.getSize()) : sizes->number(dim); }
  void beginLoop(const PlannedStep &step);
  void endLoop();
  void emitParallel(Function *kernel, ArrayRef<Value *> buffers, Value *extent);
  Function *createReport();
  void emitProfile(unsigned task, bool begin);

  Module &module;
  LLVMContext &context;
  const ModelPlan &plan;
  const CodegenOptions &options;
  uint64_t weightsHash;
  IRBuilder<> builder;
  Type *pointer, *i32, *i64;
  Function *function = nullptr;
  Value *workspace = nullptr, *contextArgument = nullptr, *weights = nullptr, *bufferArray = nullptr;
  Value *isParallel = nullptr, *parallelFor = nullptr, *parallelUser = nullptr, *profile = nullptr,
        *profileUser = nullptr, *sizeArray = nullptr, *texts = nullptr, *textArea = nullptr;
  std::optional<SizeEmitter> sizes; ///< only for a model with sizes that the run knows
  DenseSet<size_t> stored;          ///< entries of the table
  SmallVector<Value *> inputs, outputs;
  DenseMap<Function *, Function *> wrappers;
  struct Loop {
    BasicBlock *head, *done;
    Value *round;
    std::optional<SizeEmitter::Known> known;
    DenseSet<size_t> stored;
  };
  SmallVector<Loop> loops; ///< in which steps are emitted, innermost last
  Function *report = nullptr;
};

void RunEmitter::returnIf(Value *condition, cameo_status status) {
  BasicBlock *bad = block("reject"), *good = block("accept");
  builder.CreateCondBr(condition, bad, good);
  builder.SetInsertPoint(bad);
  builder.CreateRet(ConstantInt::get(i32, status));
  builder.SetInsertPoint(good);
}

Value *RunEmitter::isMisaligned(Value *address) {
  Value *bits = builder.CreatePtrToInt(address, i64);
  return builder.CreateIsNotNull(builder.CreateAnd(bits, builder.getInt64(CAMEO_ALIGNMENT - 1)));
}

SmallVector<Value *> RunEmitter::loadPointers(Value *array, ArrayRef<PlannedTensor> tensors) {
  SmallVector<Value *> loaded;
  if (!tensors.empty())
    returnIf(builder.CreateIsNull(array), CAMEO_INVALID_ARGUMENT);
  Value *missing = builder.getFalse();
  for (auto [number, tensor] : enumerate(tensors)) {
    Value *at = builder.CreateConstInBoundsGEP1_64(pointer, array, number);
    loaded.push_back(builder.CreateLoad(pointer, at));
    Value *isNull = builder.CreateIsNull(loaded.back());
    if (!tensor.bytes.isStatic())
      isNull = builder.CreateAnd(isNull, builder.CreateIsNotNull(sizes->number(tensor.bytes)));
    else if (tensor.bytes.getSize() == 0)
      continue;
    missing = builder.CreateOr(missing, isNull);
  }
  returnIf(missing, CAMEO_INVALID_ARGUMENT);
  return loaded;
}

/// Evaluates what the model's sizes decide.
void RunEmitter::readSizes() {
  Value *symbols = function->getArg(2);
  if (!plan.symbols.empty())
    returnIf(builder.CreateIsNull(symbols), CAMEO_INVALID_ARGUMENT);
  sizes.emplace(builder, plan, symbols);
  sizes->checkAll();
  returnIf(sizes->takeInvalid(), CAMEO_INVALID_ARGUMENT);
  storeSizes();
}

/// Fills the table that the kernels read as far as its entries have become known.
void RunEmitter::storeSizes() {
  for (auto [number, size] : enumerate(plan.sizes))
    if (sizes->isKnown(size) && stored.insert(number).second)
      builder.CreateStore(sizes->number(size), builder.CreateConstInBoundsGEP1_64(i64, sizeArray, number));
}

/// What steps behind this one need may depend on a size that a step before has counted.
void RunEmitter::bindSize(const PlannedStep &step) {
  sizes->define(step.bound, builder.CreateLoad(i64, address(step.buffers[0])), step.extent);
  returnIf(sizes->takeInvalid(), CAMEO_INVALID_ARGUMENT);
  storeSizes();
}

/// Tells the caller how large the outputs have become whose size data decides.
void RunEmitter::emitShapes() {
  unsigned next = plan.outputs.size();
  for (const PlannedTensor &output : plan.outputs) {
    if (output.dims.empty())
      continue;
    Value *shape = builder.CreateLoad(pointer, builder.CreateConstInBoundsGEP1_64(pointer, function->getArg(1), next++));
    SmallVector<Value *> numbers = map_to_vector(output.dims, [&](const onnx::Dim &dim) { return sizes->number(dim); });
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
  Value *isWrong = builder.CreateOr(builder.CreateIsNull(workspace), isMisaligned(workspace));
  if (plan.arenaBytes == 0)
    isWrong = builder.CreateAnd(isWrong, builder.CreateIsNotNull(sizes->workspaceBytes()));
  returnIf(isWrong, CAMEO_INVALID_ARGUMENT);
}

/// The member of the context at `offset`, or zero without a context.
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
  for (unsigned offset : {offsetof(cameo_context, parallel_for), offsetof(cameo_context, parallel_user),
                          offsetof(cameo_context, profile), offsetof(cameo_context, profile_user),
                          offsetof(cameo_context, weights)})
    members.push_back(field(offset, pointer));
  Value *parallel = builder.CreateAnd(builder.CreateICmpSGT(threads, builder.getInt32(1)),
                                      builder.CreateIsNotNull(members[0]));
  builder.CreateBr(start);
  builder.SetInsertPoint(start);
  auto choose = [&](Value *value) -> Value * {
    PHINode *phi = builder.CreatePHI(value->getType(), 2);
    phi->addIncoming(Constant::getNullValue(value->getType()), none);
    phi->addIncoming(value, read);
    return phi;
  };
  isParallel = choose(parallel);
  parallelFor = choose(members[0]);
  parallelUser = choose(members[1]);
  profile = choose(members[2]);
  profileUser = choose(members[3]);
  weights = choose(members[4]);
}

void RunEmitter::locateWeights() {
  if (!options.externalWeights) {
    // Externally initialised, so that nothing is folded from the placeholder.
    auto *type = ArrayType::get(builder.getInt8Ty(), CAMEO_ALIGNMENT);
    auto *section = new GlobalVariable(module, type, /*isConstant=*/true, GlobalValue::InternalLinkage,
                                       ConstantAggregateZero::get(type), options.prefix + ".weights", nullptr,
                                       GlobalValue::NotThreadLocal, 0, /*isExternallyInitialized=*/true);
    section->setAlignment(Align(CAMEO_ALIGNMENT));
    section->setSection(weightsSectionName(options.prefix));
    weights = section;
    return;
  }
  returnIf(builder.CreateIsNull(weights), CAMEO_WEIGHTS_MISMATCH);
  returnIf(isMisaligned(weights), CAMEO_INVALID_ARGUMENT);
  Value *hashAt = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), weights, getHashOffset(plan.weightBytes));
  Value *hash = builder.CreateLoad(i64, hashAt);
  returnIf(builder.CreateICmpNE(hash, builder.getInt64(weightsHash)), CAMEO_WEIGHTS_MISMATCH);
}

/// Behind the outputs and what gets their dimensions.
void RunEmitter::emptyTextArea() {
  size_t index = plan.outputs.size() + count_if(plan.outputs, [](const PlannedTensor &output) { return !output.dims.empty(); });
  textArea = builder.CreateLoad(pointer, builder.CreateConstInBoundsGEP1_64(pointer, function->getArg(1), index));
  returnIf(builder.CreateIsNull(textArea), CAMEO_INVALID_ARGUMENT);
  builder.CreateStore(builder.getInt64(0), builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), textArea, offsetof(cameo_text_area, used)));
}

void RunEmitter::checkTextArea() {
  auto member = [&](unsigned offset) {
    return builder.CreateLoad(i64, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), textArea, offset));
  };
  Value *used = member(offsetof(cameo_text_area, used)), *capacity = member(offsetof(cameo_text_area, capacity));
  returnIf(builder.CreateICmpUGT(used, capacity), CAMEO_TEXT_AREA_FULL);
}

Value *RunEmitter::address(const BufferPlace &place) {
  Value *base = nullptr;
  switch (place.base) {
  case BufferPlace::Base::Input:
    base = inputs[place.index];
    break;
  case BufferPlace::Base::Output:
    base = outputs[place.index];
    break;
  case BufferPlace::Base::Arena:
    base = workspace;
    break;
  case BufferPlace::Base::Weights:
    base = weights;
    break;
  case BufferPlace::Base::Slot:
    base = builder.CreateGEP(builder.getInt8Ty(), workspace, sizes->slotOffset(place.index));
    break;
  case BufferPlace::Base::Sizes:
    base = sizeArray;
    break;
  case BufferPlace::Base::Texts:
    base = texts;
    break;
  case BufferPlace::Base::TextArea:
    base = textArea;
    break;
  }
  return place.offset == 0 ? base : builder.CreateConstGEP1_64(builder.getInt8Ty(), base, place.offset);
}

/// The form of a kernel that parallel_for calls: buffers by an array.
Function *RunEmitter::wrapperOf(Function *kernel, unsigned bufferCount) {
  Function *&wrapper = wrappers[kernel];
  if (wrapper)
    return wrapper;
  auto *type = FunctionType::get(builder.getVoidTy(), {pointer, i64, i64}, false);
  wrapper = Function::Create(type, GlobalValue::InternalLinkage, kernel->getName() + ".parallel", module);
  IRBuilder<> inside(BasicBlock::Create(context, "entry", wrapper));
  SmallVector<Value *> arguments;
  for (unsigned number = 0; number < bufferCount; ++number)
    arguments.push_back(
        inside.CreateLoad(pointer, inside.CreateConstInBoundsGEP1_64(pointer, wrapper->getArg(0), number)));
  arguments.push_back(wrapper->getArg(1));
  arguments.push_back(wrapper->getArg(2));
  inside.CreateCall(kernel, arguments);
  inside.CreateRetVoid();
  return wrapper;
}

void RunEmitter::emitParallel(Function *kernel, ArrayRef<Value *> buffers, Value *extent) {
  BasicBlock *parallel = block("parallel"), *serial = block("serial"), *done = block("done");
  Value *isWorthIt = isParallel;
  if (!isa<ConstantInt>(extent))
    isWorthIt = builder.CreateAnd(isParallel, builder.CreateICmpSGT(extent, builder.getInt64(1)));
  builder.CreateCondBr(isWorthIt, parallel, serial);
  builder.SetInsertPoint(parallel);
  for (auto [number, buffer] : enumerate(buffers))
    builder.CreateStore(buffer, builder.CreateConstInBoundsGEP1_64(pointer, bufferArray, number));
  auto *type = FunctionType::get(builder.getVoidTy(), {pointer, pointer, pointer, i64}, false);
  builder.CreateCall(type, parallelFor,
                     {parallelUser, wrapperOf(kernel, buffers.size()), bufferArray, extent});
  builder.CreateBr(done);
  builder.SetInsertPoint(serial);
  SmallVector<Value *> arguments(buffers);
  arguments.append({builder.getInt64(0), extent});
  builder.CreateCall(kernel, arguments);
  builder.CreateBr(done);
  builder.SetInsertPoint(done);
}

void RunEmitter::emitKernel(const PlannedStep &step, ArrayRef<Value *> buffers) {
  Function *kernel = module.getFunction(step.kernel);
  assert(kernel && "the plan names kernels of this module");
  Value *extent = valueOf(step.extent);
  if (!step.extent.isStatic() || step.extent.getSize() > 1)
    return emitParallel(kernel, buffers, extent);
  SmallVector<Value *> arguments(buffers);
  arguments.append({builder.getInt64(0), extent});
  builder.CreateCall(kernel, arguments);
}

void RunEmitter::emitCopy(const PlannedStep &step, ArrayRef<Value *> buffers) {
  if (step.bytes.isStatic() && step.bytes.getSize() == 0)
    return;
  Value *bytes = valueOf(step.bytes), *target = buffers[1];
  if (buffers.size() > 2)
    target = builder.CreateGEP(builder.getInt8Ty(), target, builder.CreateMul(builder.CreateLoad(i64, buffers[2]), bytes));
  builder.CreateMemCpy(target, MaybeAlign(), buffers[0], MaybeAlign(), bytes);
}

void RunEmitter::beginLoop(const PlannedStep &step) {
  Loop loop{block("round"), block("round.done"), address(step.buffers[0]), {}, stored};
  Value *rounds = step.rounds ? address(*step.rounds) : nullptr, *condition = step.condition ? address(*step.condition) : nullptr;
  builder.CreateStore(builder.getInt64(0), loop.round);
  builder.CreateBr(loop.head);
  builder.SetInsertPoint(loop.head);
  Value *round = builder.CreateLoad(i64, loop.round), *goesOn = builder.getTrue();
  if (rounds)
    goesOn = builder.CreateICmpSLT(round, builder.CreateLoad(i64, rounds));
  if (condition)
    goesOn = builder.CreateAnd(goesOn, builder.CreateIsNotNull(builder.CreateLoad(builder.getInt8Ty(), condition)));
  BasicBlock *body = block("round.body");
  builder.CreateCondBr(goesOn, body, loop.done);
  builder.SetInsertPoint(body);
  // Slices of more rounds than there is memory for would be written beyond it.
  if (step.most)
    returnIf(builder.CreateICmpSGE(round, valueOf(*step.most)), CAMEO_INVALID_ARGUMENT);
  if (sizes)
    loop.known = sizes->remember();
  loops.push_back(std::move(loop));
}

void RunEmitter::endLoop() {
  Loop loop = loops.pop_back_val();
  builder.CreateStore(builder.CreateAdd(builder.CreateLoad(i64, loop.round), builder.getInt64(1)), loop.round);
  builder.CreateBr(loop.head);
  builder.SetInsertPoint(loop.done);
  if (loop.known)
    sizes->restore(std::move(*loop.known));
  stored = std::move(loop.stored);
}

void RunEmitter::emitStep(const PlannedStep &step) {
  SmallVector<Value *> buffers;
  if (step.kind == PlannedStep::Kind::Kernel || step.kind == PlannedStep::Kind::Copy)
    for (const BufferPlace &place : step.buffers)
      buffers.push_back(address(place));
  switch (step.kind) {
  case PlannedStep::Kind::Kernel:
    return emitKernel(step, buffers);
  case PlannedStep::Kind::Copy:
    return emitCopy(step, buffers);
  case PlannedStep::Kind::Bind:
    return bindSize(step);
  case PlannedStep::Kind::Repeat:
    return beginLoop(step);
  case PlannedStep::Kind::Next:
    return endLoop();
  }
}

/// Calls the hook where there is one. A function of its own: with the branch in `run`, LLVM would make two copies of everything, one for
/// each answer.
Function *RunEmitter::createReport() {
  auto *hookType = FunctionType::get(builder.getVoidTy(), {pointer, i32, i32}, false);
  auto *type = FunctionType::get(builder.getVoidTy(), {pointer, pointer, i32, i32}, false);
  Function *made = Function::Create(type, GlobalValue::InternalLinkage, options.prefix + ".report", module);
  BasicBlock *entry = BasicBlock::Create(context, "entry", made), *call = BasicBlock::Create(context, "call", made),
             *done = BasicBlock::Create(context, "done", made);
  IRBuilder<> inside(entry);
  Value *hook = made->getArg(0);
  inside.CreateCondBr(inside.CreateIsNull(hook), done, call);
  inside.SetInsertPoint(call);
  inside.CreateCall(hookType, hook, {made->getArg(1), made->getArg(2), made->getArg(3)});
  inside.CreateBr(done);
  inside.SetInsertPoint(done);
  inside.CreateRetVoid();
  return made;
}

void RunEmitter::emitProfile(unsigned task, bool begin) {
  if (!report)
    report = createReport();
  builder.CreateCall(report, {profile, profileUser, builder.getInt32(task), builder.getInt32(begin)});
}

void RunEmitter::emitSteps() {
  for (size_t index = 0; index < plan.steps.size(); ++index) {
    const PlannedStep &step = plan.steps[index];
    auto isPartOf = [&](size_t other) {
      return other < plan.steps.size() && plan.steps[other].task == step.task && !plan.steps[other].beginsTask;
    };
    if (step.task && step.beginsTask)
      emitProfile(*step.task, /*begin=*/true);
    emitStep(step);
    if (step.task && !isPartOf(index + 1))
      emitProfile(*step.task, /*begin=*/false);
  }
}

/// The steps once for each item, on its part of the inputs and outputs; the workspace is the same for all.
void RunEmitter::emitItems() {
  Value *count = sizes->symbol(plan.items);
  auto stridesOf = [&](ArrayRef<PlannedTensor> tensors) {
    return map_to_vector(tensors, [&](const PlannedTensor &each) { return each.isPerItem ? sizes->number(each.itemBytes) : nullptr; });
  };
  SmallVector<Value *> inputStrides = stridesOf(plan.inputs), outputStrides = stridesOf(plan.outputs);
  BasicBlock *before = builder.GetInsertBlock(), *head = block("items"), *item = block("item"), *done = block("items.done");
  builder.CreateBr(head);
  builder.SetInsertPoint(head);
  PHINode *number = builder.CreatePHI(i64, 2);
  number->addIncoming(builder.getInt64(0), before);
  builder.CreateCondBr(builder.CreateICmpSLT(number, count), item, done);
  builder.SetInsertPoint(item);
  auto advance = [&](SmallVector<Value *> &tensors, ArrayRef<Value *> strides) {
    for (auto [tensor, stride] : zip_equal(tensors, strides))
      if (stride)
        tensor = builder.CreateGEP(builder.getInt8Ty(), tensor, builder.CreateMul(number, stride));
  };
  advance(inputs, inputStrides);
  advance(outputs, outputStrides);
  emitSteps();
  number->addIncoming(builder.CreateAdd(number, builder.getInt64(1)), builder.GetInsertBlock());
  builder.CreateBr(head);
  builder.SetInsertPoint(done);
}

Function *RunEmitter::run() {
  auto *type = FunctionType::get(i32, {pointer, pointer, pointer, pointer, pointer}, false);
  function = Function::Create(type, GlobalValue::ExternalLinkage, options.prefix + "_run_buffers", module);
  builder.SetInsertPoint(block("entry"));
  size_t mostBuffers = 1;
  for (const PlannedStep &step : plan.steps)
    mostBuffers = std::max(mostBuffers, step.buffers.size());
  bufferArray = builder.CreateAlloca(ArrayType::get(pointer, mostBuffers));
  if (!plan.sizes.empty())
    sizeArray = builder.CreateAlloca(ArrayType::get(i64, plan.sizes.size()));
  workspace = function->getArg(3);
  contextArgument = function->getArg(4);
  auto *abi = module.getOrInsertGlobal("cameo_abi_" + std::to_string(CAMEO_ABI_VERSION), i32);
  returnIf(builder.CreateICmpNE(builder.CreateLoad(i32, abi), builder.getInt32(CAMEO_ABI_VERSION)),
           CAMEO_ABI_MISMATCH);
  if (plan.hasSizes())
    readSizes();
  inputs = loadPointers(function->getArg(0), plan.inputs);
  outputs = loadPointers(function->getArg(1), plan.outputs);
  checkWorkspace();
  readContext();
  if (plan.weightBytes > 0 || options.externalWeights)
    locateWeights();
  if (!plan.texts.empty())
    texts = emitTextTable(module, plan.texts, options.prefix);
  if (plan.makesTexts)
    emptyTextArea();
  if (plan.items.empty())
    emitSteps();
  else
    emitItems();
  emitShapes();
  if (plan.makesTexts)
    checkTextArea();
  builder.CreateRet(builder.getInt32(CAMEO_OK));
  return function;
}

} // namespace

Function *emitRun(Module &module, const ModelPlan &plan, const CodegenOptions &options, uint64_t weightsHash) {
  return RunEmitter(module, plan, options, weightsHash).run();
}

} // namespace cameo
