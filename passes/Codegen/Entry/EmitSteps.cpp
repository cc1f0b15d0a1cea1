// Emits the steps in their order: kernels, which are called directly if there is one thread, copies, loops and
// branches.
#include "passes/Codegen/Entry/EmitSteps.h"

using namespace llvm;

namespace cameo {

void returnIf(IRBuilder<> &builder, Value *condition, cameo_status status) {
  Function *function = builder.GetInsertBlock()->getParent();
  BasicBlock *bad = BasicBlock::Create(builder.getContext(), "reject", function),
             *good = BasicBlock::Create(builder.getContext(), "accept", function);
  builder.CreateCondBr(condition, bad, good);
  builder.SetInsertPoint(bad);
  builder.CreateRet(builder.getInt32(status));
  builder.SetInsertPoint(good);
}

StepEmitter::StepEmitter(Module &module, IRBuilder<> &builder, const ModelPlan &plan, StringRef prefix,
                         RunValues values, SizeEmitter *sizes)
    : module(module), context(module.getContext()), builder(builder), plan(plan), prefix(prefix),
      values(std::move(values)), sizes(sizes), pointer(PointerType::get(context, 0)), i32(builder.getInt32Ty()),
      i64(builder.getInt64Ty()),
      externs(module, builder, plan, prefix, [this](const Dim &dim) { return valueOf(dim); }) {}

/// Returns an i1: whether all flags of a step have their required values.
Value *StepEmitter::isChosen(const PlannedStep &step) {
  Value *all = builder.getTrue();
  for (auto [place, value] : step.flags) {
    Value *flag = builder.CreateLoad(builder.getInt8Ty(), address(place));
    all = builder.CreateAnd(all, value ? builder.CreateIsNotNull(flag) : builder.CreateIsNull(flag));
  }
  return all;
}

/// Binds a size that an earlier step has counted, so that later steps can use expressions of it. If the flags of the
/// step do not hold, nothing needs the size: it becomes 0, and no expression of it is refused.
void StepEmitter::bindSize(const PlannedStep &step) {
  Value *isCounted = isChosen(step);
  Value *count =
      builder.CreateSelect(isCounted, builder.CreateLoad(i64, address(step.buffers[0])), builder.getInt64(0));
  returnIf(builder, builder.CreateICmpSGT(count, valueOf(step.extent)), CAMEO_BOUND_EXCEEDED);
  sizes->define(step.bound, count, isCounted);
  sizes->store(values.sizeArray);
}

Value *StepEmitter::address(const BufferPlace &place) {
  Value *base = nullptr;
  switch (place.base) {
  case BufferPlace::Base::Input:
    base = values.inputs[place.index];
    break;
  case BufferPlace::Base::Output:
    base = values.outputs[place.index];
    break;
  case BufferPlace::Base::Arena:
    base = values.workspace;
    break;
  case BufferPlace::Base::Weights:
    base = values.weights;
    break;
  case BufferPlace::Base::Slot:
    base = builder.CreateGEP(builder.getInt8Ty(), values.workspace, sizes->slotOffset(place.index));
    break;
  case BufferPlace::Base::Sizes:
    base = values.sizeArray;
    break;
  case BufferPlace::Base::Strings:
    base = values.strings;
    break;
  case BufferPlace::Base::TextArea:
    base = values.textArea;
    break;
  case BufferPlace::Base::Counters:
    llvm_unreachable("kernels of processors count nothing together");
  }
  return place.offset == 0 ? base : builder.CreateConstGEP1_64(builder.getInt8Ty(), base, place.offset);
}

Function *emitKernelWrapper(Function *kernel, unsigned bufferCount) {
  LLVMContext &context = kernel->getContext();
  Type *pointer = PointerType::get(context, 0), *i64 = Type::getInt64Ty(context);
  auto *type = FunctionType::get(Type::getVoidTy(context), {pointer, i64, i64}, false);
  Function *wrapper =
      Function::Create(type, GlobalValue::InternalLinkage, kernel->getName() + ".parallel", kernel->getParent());
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

Function *StepEmitter::wrapperOf(Function *kernel, unsigned bufferCount) {
  Function *&wrapper = wrappers[kernel];
  if (!wrapper)
    wrapper = emitKernelWrapper(kernel, bufferCount);
  return wrapper;
}

void StepEmitter::emitParallel(Function *kernel, ArrayRef<Value *> buffers, Value *extent) {
  BasicBlock *parallel = block("parallel"), *serial = block("serial"), *done = block("done");
  Value *isWorthIt = values.isParallel;
  if (!isa<ConstantInt>(extent))
    isWorthIt = builder.CreateAnd(values.isParallel, builder.CreateICmpSGT(extent, builder.getInt64(1)));
  builder.CreateCondBr(isWorthIt, parallel, serial);
  builder.SetInsertPoint(parallel);
  for (auto [number, buffer] : enumerate(buffers))
    builder.CreateStore(buffer, builder.CreateConstInBoundsGEP1_64(pointer, values.bufferArray, number));
  auto *type = FunctionType::get(builder.getVoidTy(), {pointer, pointer, pointer, i64}, false);
  builder.CreateCall(type, values.parallelFor,
                     {values.parallelUser, wrapperOf(kernel, buffers.size()), values.bufferArray, extent});
  builder.CreateBr(done);
  builder.SetInsertPoint(serial);
  SmallVector<Value *> arguments(buffers);
  arguments.append({builder.getInt64(0), extent});
  builder.CreateCall(kernel, arguments);
  builder.CreateBr(done);
  builder.SetInsertPoint(done);
}

void StepEmitter::emitKernel(const PlannedStep &step, ArrayRef<Value *> buffers) {
  Function *kernel = module.getFunction(step.kernel);
  assert(kernel && "the plan names kernels of this module");
  Value *extent = valueOf(step.extent);
  if (!step.extent.isStatic() || step.extent.getSize() > 1)
    return emitParallel(kernel, buffers, extent);
  SmallVector<Value *> arguments(buffers);
  arguments.append({builder.getInt64(0), extent});
  builder.CreateCall(kernel, arguments);
}

void StepEmitter::emitCopy(const PlannedStep &step, ArrayRef<Value *> buffers) {
  if (step.bytes.isStatic() && step.bytes.getSize() == 0)
    return;
  Value *bytes = valueOf(step.bytes), *target = buffers[1];
  if (buffers.size() > 2)
    target =
        builder.CreateGEP(builder.getInt8Ty(), target, builder.CreateMul(builder.CreateLoad(i64, buffers[2]), bytes));
  if (!step.skipsSame) {
    builder.CreateMemCpy(target, MaybeAlign(), buffers[0], MaybeAlign(), bytes);
    return;
  }
  BasicBlock *apart = block("apart"), *done = block("copied");
  builder.CreateCondBr(builder.CreateICmpEQ(target, buffers[0]), done, apart);
  builder.SetInsertPoint(apart);
  builder.CreateMemCpy(target, MaybeAlign(), buffers[0], MaybeAlign(), bytes);
  builder.CreateBr(done);
  builder.SetInsertPoint(done);
}

/// Creates the function for steps of kind Rows. For each slice of each entry it copies the source rows that fall inside
/// the target. If the position is negative, the first source rows are skipped.
Function *StepEmitter::createWriteRows() {
  auto *type = FunctionType::get(builder.getVoidTy(), {pointer, pointer, pointer, i64, i64, i64, i64, i64}, false);
  Function *made = Function::Create(type, GlobalValue::InternalLinkage, prefix + ".write_rows", module);
  Value *source = made->getArg(0), *target = made->getArg(1), *places = made->getArg(2), *entries = made->getArg(3),
        *slices = made->getArg(4), *capacity = made->getArg(5), *count = made->getArg(6), *rowBytes = made->getArg(7);
  BasicBlock *entry = BasicBlock::Create(context, "entry", made), *head = BasicBlock::Create(context, "slice", made),
             *body = BasicBlock::Create(context, "place", made), *copy = BasicBlock::Create(context, "rows", made),
             *next = BasicBlock::Create(context, "next", made), *done = BasicBlock::Create(context, "done", made);
  IRBuilder<> inside(entry);
  Value *zero = inside.getInt64(0), *all = inside.CreateMul(entries, slices);
  inside.CreateBr(head);
  inside.SetInsertPoint(head);
  PHINode *slice = inside.CreatePHI(i64, 2);
  slice->addIncoming(zero, entry);
  inside.CreateCondBr(inside.CreateICmpSLT(slice, all), body, done);
  inside.SetInsertPoint(body);
  Value *place = inside.CreateLoad(i64, inside.CreateGEP(i64, places, inside.CreateSDiv(slice, slices)));
  // The saturating sum makes a position beyond 64 bits an empty range too.
  Value *begin = inside.CreateBinaryIntrinsic(Intrinsic::smax, place, zero),
        *behind = inside.CreateBinaryIntrinsic(Intrinsic::sadd_sat, place, count);
  Value *end = inside.CreateBinaryIntrinsic(Intrinsic::smin, behind, capacity);
  inside.CreateCondBr(inside.CreateICmpSLT(begin, end), copy, next);
  inside.SetInsertPoint(copy);
  auto at = [&](Value *base, Value *rows, Value *row) {
    return inside.CreateGEP(inside.getInt8Ty(), base,
                            inside.CreateMul(inside.CreateAdd(inside.CreateMul(slice, rows), row), rowBytes));
  };
  inside.CreateMemCpy(at(target, capacity, begin), MaybeAlign(), at(source, count, inside.CreateSub(begin, place)),
                      MaybeAlign(), inside.CreateMul(inside.CreateSub(end, begin), rowBytes));
  inside.CreateBr(next);
  inside.SetInsertPoint(next);
  slice->addIncoming(inside.CreateAdd(slice, inside.getInt64(1)), next);
  inside.CreateBr(head);
  inside.SetInsertPoint(done);
  inside.CreateRetVoid();
  return made;
}

void StepEmitter::emitRows(const PlannedStep &step, ArrayRef<Value *> buffers) {
  if (!writeRows)
    writeRows = createWriteRows();
  SmallVector<Value *> arguments(buffers);
  for (const Dim &extent : step.extents)
    arguments.push_back(valueOf(extent));
  builder.CreateCall(writeRows, arguments);
}

void StepEmitter::beginLoop(const PlannedStep &step) {
  Loop loop{block("loop"), block("loop.done"), address(step.buffers[0]), {}};
  Value *tripCount = step.tripCount ? address(*step.tripCount) : nullptr,
        *condition = step.condition ? address(*step.condition) : nullptr;
  builder.CreateStore(builder.getInt64(0), loop.iteration);
  builder.CreateBr(loop.head);
  builder.SetInsertPoint(loop.head);
  Value *iteration = builder.CreateLoad(i64, loop.iteration), *shouldContinue = builder.getTrue();
  if (tripCount)
    shouldContinue = builder.CreateICmpSLT(iteration, builder.CreateLoad(i64, tripCount));
  if (condition)
    shouldContinue =
        builder.CreateAnd(shouldContinue, builder.CreateIsNotNull(builder.CreateLoad(builder.getInt8Ty(), condition)));
  BasicBlock *body = block("loop.body");
  builder.CreateCondBr(shouldContinue, body, loop.done);
  builder.SetInsertPoint(body);
  // More iterations than `maxTripCount` would write slices beyond the end of the stacked buffers.
  if (step.maxTripCount)
    returnIf(builder, builder.CreateICmpSGE(iteration, valueOf(*step.maxTripCount)), CAMEO_BOUND_EXCEEDED);
  if (sizes)
    loop.known = sizes->snapshot();
  loops.push_back(std::move(loop));
}

void StepEmitter::endLoop() {
  Loop loop = loops.pop_back_val();
  builder.CreateStore(builder.CreateAdd(builder.CreateLoad(i64, loop.iteration), builder.getInt64(1)), loop.iteration);
  builder.CreateBr(loop.head);
  builder.SetInsertPoint(loop.done);
  if (loop.known)
    sizes->restore(std::move(*loop.known));
}

void StepEmitter::beginBranch(const PlannedStep &step) {
  Branch branch{block("branch.done"), {}};
  BasicBlock *chosen = block("branch");
  builder.CreateCondBr(isChosen(step), chosen, branch.done);
  builder.SetInsertPoint(chosen);
  if (sizes)
    branch.known = sizes->snapshot();
  branches.push_back(std::move(branch));
}

/// Forgets the sizes that were computed in the branch, because they do not dominate the code after it.
void StepEmitter::endBranch() {
  Branch branch = branches.pop_back_val();
  builder.CreateBr(branch.done);
  builder.SetInsertPoint(branch.done);
  if (branch.known)
    sizes->restore(std::move(*branch.known));
}

void StepEmitter::emitStep(const PlannedStep &step) {
  SmallVector<Value *> buffers;
  if (step.kind == PlannedStep::Kind::Kernel || step.kind == PlannedStep::Kind::Extern ||
      step.kind == PlannedStep::Kind::Copy || step.kind == PlannedStep::Kind::Rows)
    for (const BufferPlace &place : step.buffers)
      buffers.push_back(address(place));
  switch (step.kind) {
  case PlannedStep::Kind::Kernel:
    return emitKernel(step, buffers);
  case PlannedStep::Kind::Host:
    llvm_unreachable("only models for GPUs distinguish the host");
  case PlannedStep::Kind::Extern:
    return returnIf(builder, builder.CreateIsNotNull(externs.call(*step.call, buffers, values.context)),
                    CAMEO_EXTERN_FAILED);
  case PlannedStep::Kind::Copy:
    return emitCopy(step, buffers);
  case PlannedStep::Kind::Rows:
    return emitRows(step, buffers);
  case PlannedStep::Kind::Bind:
    return bindSize(step);
  case PlannedStep::Kind::Repeat:
    return beginLoop(step);
  case PlannedStep::Kind::Next:
    return endLoop();
  case PlannedStep::Kind::If:
    return beginBranch(step);
  case PlannedStep::Kind::EndIf:
    return endBranch();
  }
}

/// Creates a function that calls the profile hook if it is not null. It is a separate function because with this branch
/// in `run`, LLVM would duplicate the rest of `run` for both cases.
Function *StepEmitter::createReport() {
  auto *hookType = FunctionType::get(builder.getVoidTy(), {pointer, i32, i32}, false);
  auto *type = FunctionType::get(builder.getVoidTy(), {pointer, pointer, i32, i32}, false);
  Function *made = Function::Create(type, GlobalValue::InternalLinkage, prefix + ".report", module);
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

void StepEmitter::emitProfile(unsigned task, bool begin) {
  if (!report)
    report = createReport();
  builder.CreateCall(
      report, {values.profile, values.profileUser, builder.getInt32(plan.firstTask + task), builder.getInt32(begin)});
}

void StepEmitter::emitSteps() {
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

/// Emits a loop that executes the steps once for each sample, or part of the samples, on its slices of the inputs and
/// outputs. All samples use the same workspace.
void StepEmitter::emitSamples() {
  Value *count = valueOf(*plan.batch);
  auto stridesOf = [&](ArrayRef<PlannedTensor> tensors) {
    return map_to_vector(
        tensors, [&](const PlannedTensor &each) { return each.isPerSample ? valueOf(each.sampleBytes) : nullptr; });
  };
  SmallVector<Value *> inputStrides = stridesOf(plan.inputs), outputStrides = stridesOf(plan.outputs);
  // If samples have no elements, their number may be so large that the loop would not end, so it is skipped.
  Value *written = builder.getInt64(0);
  for (Value *stride : make_filter_range(outputStrides, [](Value *stride) { return stride != nullptr; }))
    written = builder.CreateOr(written, stride);
  count = builder.CreateSelect(builder.CreateICmpNE(written, builder.getInt64(0)), count, builder.getInt64(0));
  BasicBlock *before = builder.GetInsertBlock(), *head = block("samples"), *sample = block("sample"),
             *done = block("samples.done");
  builder.CreateBr(head);
  builder.SetInsertPoint(head);
  PHINode *number = builder.CreatePHI(i64, 2);
  number->addIncoming(builder.getInt64(0), before);
  builder.CreateCondBr(builder.CreateICmpSLT(number, count), sample, done);
  builder.SetInsertPoint(sample);
  auto advance = [&](SmallVector<Value *> &tensors, ArrayRef<Value *> strides) {
    for (auto [tensor, stride] : zip_equal(tensors, strides))
      if (stride)
        tensor = builder.CreateGEP(builder.getInt8Ty(), tensor, builder.CreateMul(number, stride));
  };
  advance(values.inputs, inputStrides);
  advance(values.outputs, outputStrides);
  emitSteps();
  number->addIncoming(builder.CreateAdd(number, builder.getInt64(1)), builder.GetInsertBlock());
  builder.CreateBr(head);
  builder.SetInsertPoint(done);
}

void StepEmitter::emitAll() {
  if (plan.batch)
    emitSamples();
  else
    emitSteps();
}

} // namespace cameo
