// The blocks of a step are distributed round-robin: of N blocks on the device, block b executes the blocks b, b + N, b
// + 2N ... of a step. So a block finds its work without communication. Steps are in topological order, and a block
// finishes its part of a step before it waits for the next one. So the first unfinished step never waits, and because
// all blocks are resident on the device, there is no deadlock.
#include "passes/Codegen/Gpu/PersistentKernel.h"

#include "passes/Codegen/Gpu/CopyBody.h"
#include "passes/Codegen/Gpu/EmitGpuNumbers.h"
#include "passes/Codegen/Gpu/ShareMemory.h"
#include "runtime/include/cameo/gpu.h"

#include "dialects/Target/GpuMachine.h"
#include "dialects/Task/TaskExternOps.h"
#include "dialects/Task/TaskStringOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace cameo {
namespace {

constexpr StringLiteral kernelName = "persistent";

/// A launch has at most 4 KB of arguments before PTX 8.1.
constexpr size_t mostArguments = 500;

/// Fields of a step in the table of the kernel: those of GpuStep in EmitGpuModel.cpp, and the steps that it waits for.
enum Field : unsigned { KernelField, FirstBufferField, FirstWaitField, WaitCountField, CountField };

class PersistentEmitter {
public:
  PersistentEmitter(Module &module, const ModelPlan &plan, ArrayRef<SmallVector<unsigned>> dependences,
                    const DeviceCode &code, bool forHost)
      : module(module), context(module.getContext()), plan(plan), dependences(dependences), code(code),
        forHost(forHost), numbers(placeGpuNumbers(plan)), builder(context) {}

  DeviceKernel emit();

private:
  // Tables.
  unsigned baseOf(const BufferPlace &place) const;
  Constant *constant32(uint64_t value) { return ConstantInt::get(i32, value); }
  Constant *constant64(uint64_t value) { return ConstantInt::get(i64, value); }
  GlobalVariable *table(ArrayRef<Constant *> entries, Type *type, StringRef name);
  void makeTables();

  // Numbers of the thread and its block, and synchronisation.
  Value *variable(StringRef name, Type *type);
  Value *special(Intrinsic::ID intrinsic, StringRef emulated);
  Value *thread();
  void barrier();
  Value *acquire(Value *counter);
  Value *release(Value *counter, Value *increment);

  // The parts of the kernel.
  Function *makeKernel(int64_t threads);
  BasicBlock *block(StringRef name) { return BasicBlock::Create(context, name, builder.GetInsertBlock()->getParent()); }
  Value *address(Value *base, Value *offset);
  Value *field(Value *step, Field field);
  Value *counter(Value *step);
  Value *count(Value *step);
  Value *blocksOf(Value *step);
  void waitFor(Value *step, Value *own);
  void callBody(Value *step, Value *number, Value *own);
  void emitBlocks(Value *step, Value *first, Value *count);
  void emitSteps();
  void emitEnd();

  Module &module;
  LLVMContext &context;
  const ModelPlan &plan;
  ArrayRef<SmallVector<unsigned>> dependences;
  const DeviceCode &code;
  bool forHost;
  GpuNumbers numbers;
  IRBuilder<> builder;
  Type *i32 = Type::getInt32Ty(context), *i64 = Type::getInt64Ty(context);
  PointerType *pointer = PointerType::get(context, 0);
  StructType *stepType = StructType::get(context, {i32, i32, i32, i32, i64}),
             *bufferType = StructType::get(context, {i64, i64});
  GlobalVariable *steps = nullptr, *buffers = nullptr, *waits = nullptr;
  Value *bases = nullptr, *sizes = nullptr, *own = nullptr, *grid = nullptr; ///< `own` is the number of the block,
                                                                             ///< `grid` the number of blocks
  Function *copy = nullptr;
  int64_t threads = 0; ///< threads per block
  std::vector<BufferPlace> places;
};

bool isSame(const BufferPlace &one, const BufferPlace &other) {
  return one.base == other.base && one.index == other.index;
}

/// The counters of the kernels follow those of the steps.
unsigned PersistentEmitter::baseOf(const BufferPlace &place) const {
  if (place.base == BufferPlace::Base::Counters)
    return places.size();
  auto found = find_if(places, [&](const BufferPlace &base) { return isSame(base, place); });
  assert(found != places.end() && "all places have a base");
  return found - places.begin();
}

/// On the device, tables are in global memory like the code.
GlobalVariable *PersistentEmitter::table(ArrayRef<Constant *> entries, Type *type, StringRef name) {
  constexpr unsigned globalMemory = 1;
  auto *array = ArrayType::get(type, entries.size());
  return new GlobalVariable(module, array, /*isConstant=*/true, GlobalValue::InternalLinkage,
                            ConstantArray::get(array, entries), name, nullptr, GlobalValue::NotThreadLocal,
                            forHost ? 0 : globalMemory);
}

void PersistentEmitter::makeTables() {
  SmallVector<Constant *> allSteps, allBuffers, allWaits;
  for (auto [step, before] : zip_equal(plan.steps, dependences)) {
    bool isCopy = step.kind == PlannedStep::Kind::Copy;
    uint64_t count = numbers.encode(countOf(step), numbers.firstSize);
    unsigned kernel = isCopy ? code.kernels.size() : code.kernelNumbers.lookup(step.kernel);
    allSteps.push_back(
        ConstantStruct::get(stepType, {constant32(kernel), constant32(allBuffers.size()), constant32(allWaits.size()),
                                       constant32(before.size()), constant64(count)}));
    for (const BufferPlace &place : step.buffers) {
      bool isSizes = place.base == BufferPlace::Base::Sizes;
      uint64_t before = place.base == BufferPlace::Base::Counters ? persistentCounters(plan) * sizeof(uint32_t) : 0;
      allBuffers.push_back(ConstantStruct::get(
          bufferType, {constant64(isSizes ? 0 : baseOf(place)), constant64(isSizes ? 0 : before + place.offset)}));
    }
    for (unsigned each : before)
      allWaits.push_back(constant32(each));
  }
  steps = table(allSteps, stepType, "steps");
  buffers = table(allBuffers, bufferType, "buffers");
  waits = table(allWaits, i32, "waits");
}

Value *PersistentEmitter::variable(StringRef name, Type *type) {
  return builder.CreateLoad(type, module.getNamedGlobal(name), /*isVolatile=*/true);
}

Value *PersistentEmitter::special(Intrinsic::ID intrinsic, StringRef emulated) {
  return forHost ? variable(emulated, i32) : builder.CreateIntrinsic(intrinsic, {});
}

/// Reads the number of the thread again for each body. Otherwise LLVM would hoist the address computations of all
/// bodies and keep them in registers throughout.
Value *PersistentEmitter::thread() {
  if (forHost)
    return variable(emulatedThreadName, i32);
  return builder.CreateCall(InlineAsm::get(FunctionType::get(i32, false), "mov.u32 $0, %tid.x;", "=r",
                                           /*hasSideEffects=*/true));
}

void PersistentEmitter::barrier() {
  if (forHost)
    builder.CreateCall(FunctionType::get(builder.getVoidTy(), false), variable(emulatedBarrierName, pointer));
  else
    builder.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_sync_aligned_all, constant32(0));
}

Value *PersistentEmitter::acquire(Value *counter) {
  if (forHost)
    return builder.CreateCall(FunctionType::get(i32, {pointer}, false), variable(emulatedAcquireName, pointer),
                              counter);
  LoadInst *load = builder.CreateAlignedLoad(i32, counter, Align(4));
  load->setAtomic(AtomicOrdering::Acquire, context.getOrInsertSyncScopeID("device"));
  return load;
}

/// The fence is explicit because LLVM 22 ignores the release ordering of atomic additions (llvm-project pull request
/// 179553).
Value *PersistentEmitter::release(Value *counter, Value *increment) {
  if (forHost)
    return builder.CreateCall(FunctionType::get(i32, {pointer, i32}, false), variable(emulatedReleaseName, pointer),
                              {counter, increment});
  SyncScope::ID device = context.getOrInsertSyncScopeID("device");
  builder.CreateFence(AtomicOrdering::AcquireRelease, device);
  return builder.CreateAtomicRMW(AtomicRMWInst::Add, counter, increment, Align(4), AtomicOrdering::Monotonic, device);
}

Function *PersistentEmitter::makeKernel(int64_t threads) {
  uint64_t numberCount = numbers.count - numbers.firstSize;
  SmallVector<Type *> arguments(numberCount > 0 ? 2 : 1, pointer);
  SmallVector<uint64_t> lengths = {places.size() + 1, numberCount};
  Type *result = builder.getVoidTy();
  auto *type = forHost ? FunctionType::get(result, {pointer}, false) : FunctionType::get(result, arguments, false);
  Function *kernel = Function::Create(type, GlobalValue::ExternalLinkage, kernelName, module);
  builder.SetInsertPoint(BasicBlock::Create(context, "entry", kernel));
  if (forHost) {
    // The driver passes a single array with the addresses of all arguments, and knows the number of bytes of each.
    SmallVector<Constant *> bytes;
    for (size_t each = 0; each < arguments.size(); ++each)
      bytes.push_back(constant32(lengths[each] * sizeof(uint64_t)));
    bytes.push_back(constant32(0));
    table(bytes, i32, (kernelName + emulatedBytesSuffix).str())->setLinkage(GlobalValue::ExternalLinkage);
    bases = builder.CreateLoad(pointer, kernel->getArg(0));
    if (arguments.size() > 1)
      sizes = builder.CreateLoad(pointer, builder.CreateConstInBoundsGEP1_64(pointer, kernel->getArg(0), 1));
    return kernel;
  }
  kernel->setCallingConv(CallingConv::PTX_Kernel);
  kernel->addFnAttr("nvvm.maxntid", std::to_string(threads) + ",1,1");
  kernel->addFnAttr("nvvm.minctasm", "1");
  for (unsigned each = 0; each < arguments.size(); ++each) {
    kernel->addParamAttr(each, Attribute::getWithByValType(context, ArrayType::get(i64, lengths[each])));
    kernel->addParamAttr(each, Attribute::get(context, "nvvm.grid_constant"));
    kernel->addParamAttr(each, Attribute::getWithAlignment(context, Align(8)));
    kernel->addParamAttr(each, Attribute::ReadOnly);
  }
  bases = kernel->getArg(0);
  sizes = arguments.size() > 1 ? kernel->getArg(1) : nullptr;
  return kernel;
}

/// Returns the address at `offset` in the memory area number `base`.
Value *PersistentEmitter::address(Value *base, Value *offset) {
  Value *begin = builder.CreateLoad(i64, builder.CreateInBoundsGEP(i64, bases, base));
  Value *sum = builder.CreateAdd(begin, offset);
  constexpr unsigned globalMemory = 1;
  return builder.CreateIntToPtr(sum, forHost ? pointer : PointerType::get(context, globalMemory));
}

Value *PersistentEmitter::field(Value *step, Field field) {
  Value *place = builder.CreateInBoundsGEP(steps->getValueType(), steps, {constant32(0), step, constant32(field)});
  return builder.CreateLoad(field == CountField ? i64 : i32, place);
}

Value *PersistentEmitter::counter(Value *step) {
  return builder.CreateInBoundsGEP(i32, address(constant64(places.size()), constant64(0)), step);
}

/// Returns the count of a step from the table or from the numbers of the run, as i64: the blocks of a kernel, or the
/// bytes of a copy.
Value *PersistentEmitter::count(Value *step) {
  Value *count = field(step, CountField);
  if (!sizes)
    return count;
  Value *isCounted = builder.CreateICmpSLT(count, constant64(0));
  Value *number =
      builder.CreateSelect(isCounted, builder.CreateAnd(count, constant64(~CAMEO_GPU_COUNTED)), constant64(0));
  return builder.CreateSelect(isCounted, builder.CreateLoad(i64, builder.CreateInBoundsGEP(i64, sizes, number)), count);
}

Value *PersistentEmitter::blocksOf(Value *step) {
  Value *blocks = count(step);
  if (!copy)
    return blocks;
  Value *pieces =
      builder.CreateLShr(builder.CreateAdd(blocks, constant64((1 << copyBodyShift) - 1)), constant64(copyBodyShift));
  return builder.CreateSelect(builder.CreateICmpEQ(field(step, KernelField), constant32(code.kernels.size())), pieces,
                              blocks);
}

/// Waits until all steps are done that `step` depends on. Each thread polls a different counter.
void PersistentEmitter::waitFor(Value *step, Value *own) {
  BasicBlock *before = builder.GetInsertBlock(), *head = block("wait"), *look = block("look"), *next = block("waited"),
             *done = block("ready");
  Value *first = field(step, FirstWaitField), *count = field(step, WaitCountField);
  builder.CreateBr(head);
  builder.SetInsertPoint(head);
  PHINode *number = builder.CreatePHI(i32, 2);
  number->addIncoming(own, before);
  BasicBlock *found = block("found");
  builder.CreateCondBr(builder.CreateICmpULT(number, count), found, done);
  builder.SetInsertPoint(found);
  Value *place =
      builder.CreateInBoundsGEP(waits->getValueType(), waits, {constant32(0), builder.CreateAdd(first, number)});
  Value *earlier = builder.CreateLoad(i32, place), *wanted = blocksOf(earlier), *counted = counter(earlier);
  builder.CreateBr(look);
  builder.SetInsertPoint(look);
  Value *reached = builder.CreateZExt(acquire(counted), i64);
  builder.CreateCondBr(builder.CreateICmpULT(reached, wanted), look, next);
  builder.SetInsertPoint(next);
  number->addIncoming(builder.CreateAdd(number, constant32(threads)), next);
  builder.CreateBr(head);
  builder.SetInsertPoint(done);
  barrier();
}

/// Executes block `number` of a step, on as many threads as its kernel has.
void PersistentEmitter::callBody(Value *step, Value *number, Value *own) {
  BasicBlock *behind = block("behind"), *none = block("none");
  Value *firstBuffer = field(step, FirstBufferField);
  SwitchInst *choice = builder.CreateSwitch(field(step, KernelField), none, code.kernels.size() + 1);
  builder.SetInsertPoint(none);
  builder.CreateUnreachable();
  auto bufferAt = [&](unsigned place) -> Value * {
    Value *index = builder.CreateAdd(firstBuffer, constant32(place));
    auto part = [&](unsigned member) {
      return builder.CreateLoad(
          i64, builder.CreateInBoundsGEP(buffers->getValueType(), buffers, {constant32(0), index, constant32(member)}));
    };
    return builder.CreateAddrSpaceCast(address(part(0), part(1)), pointer);
  };
  auto addCase = [&](unsigned kernel, int64_t ownThreads, function_ref<void(Value * thread)> emit) {
    BasicBlock *enter = block("kernel" + std::to_string(kernel)), *work = block("work");
    choice->addCase(builder.getInt32(kernel), enter);
    builder.SetInsertPoint(enter);
    builder.CreateCondBr(builder.CreateICmpULT(own, constant32(ownThreads)), work, behind);
    builder.SetInsertPoint(work);
    emit(builder.CreateZExt(own, i64));
    builder.CreateBr(behind);
  };
  for (auto [kernelNumber, kernel] : enumerate(code.kernels)) {
    const PlannedStep &example = *find_if(plan.steps, [&, number = kernelNumber](const PlannedStep &each) {
      return each.kind == PlannedStep::Kind::Kernel && code.kernelNumbers.lookup(each.kernel) == number;
    });
    addCase(kernelNumber, kernel.threads, [&, &kernel = kernel](Value *thread) {
      SmallVector<Value *> arguments;
      for (auto [place, buffer] : enumerate(example.buffers))
        arguments.push_back(buffer.base == BufferPlace::Base::Sizes ? sizes : bufferAt(place));
      append_range(arguments, std::array{number, thread});
      builder.CreateCall(module.getFunction(kernel.name), arguments);
    });
  }
  if (copy)
    addCase(code.kernels.size(), threads,
            [&](Value *thread) { builder.CreateCall(copy, {bufferAt(0), bufferAt(1), count(step), number, thread}); });
  builder.SetInsertPoint(behind);
}

/// Executes this block's part of a step: the blocks from `first` on, at a stride of the grid, below `count`. The
/// counter of the step is incremented once for all of them.
void PersistentEmitter::emitBlocks(Value *step, Value *first, Value *count) {
  waitFor(step, thread());
  BasicBlock *before = builder.GetInsertBlock(), *loop = block("block"), *done = block("done"),
             *releasing = block("releasing"), *released = block("released");
  builder.CreateBr(loop);
  builder.SetInsertPoint(loop);
  PHINode *number = builder.CreatePHI(i64, 2), *finished = builder.CreatePHI(i32, 2);
  number->addIncoming(first, before);
  finished->addIncoming(constant32(0), before);
  Value *self = thread();
  callBody(step, number, self);
  // This barrier orders the reads of shared memory before the writes of the next block, and all stores before the
  // release of the counter.
  barrier();
  Value *next = builder.CreateAdd(number, grid), *more = builder.CreateAdd(finished, constant32(1));
  number->addIncoming(next, builder.GetInsertBlock());
  finished->addIncoming(more, builder.GetInsertBlock());
  builder.CreateCondBr(builder.CreateICmpULT(next, count), loop, done);
  builder.SetInsertPoint(done);
  builder.CreateCondBr(builder.CreateICmpEQ(self, constant32(0)), releasing, released);
  builder.SetInsertPoint(releasing);
  release(counter(step), more);
  builder.CreateBr(released);
  builder.SetInsertPoint(released);
}

/// The first block of a step is assigned to the block after the one that got the last block of the previous step. So
/// consecutive small steps run on different multiprocessors.
void PersistentEmitter::emitSteps() {
  BasicBlock *before = builder.GetInsertBlock(), *head = block("step"), *work = block("begin"), *next = block("next"),
             *end = block("end");
  builder.CreateBr(head);
  builder.SetInsertPoint(head);
  PHINode *step = builder.CreatePHI(i32, 2), *begin = builder.CreatePHI(i64, 2);
  step->addIncoming(constant32(0), before);
  begin->addIncoming(constant64(0), before);
  Value *blocks = blocksOf(step), *ahead = builder.CreateSub(own, begin);
  Value *first = builder.CreateSelect(builder.CreateICmpULT(own, begin), builder.CreateAdd(ahead, grid), ahead);
  builder.CreateCondBr(builder.CreateICmpULT(first, blocks), work, next);
  builder.SetInsertPoint(work);
  emitBlocks(step, first, blocks);
  builder.CreateBr(next);
  builder.SetInsertPoint(next);
  Value *behind = builder.CreateAdd(step, constant32(1));
  step->addIncoming(behind, next);
  begin->addIncoming(builder.CreateURem(builder.CreateAdd(begin, blocks), grid), next);
  auto *jump = builder.CreateCondBr(builder.CreateICmpULT(behind, constant32(plan.steps.size())), head, end);
  MDNode *option = MDNode::get(context, MDString::get(context, "llvm.loop.unroll.disable"));
  MDNode *loop = MDNode::getDistinct(context, {nullptr, option});
  loop->replaceOperandWith(0, loop);
  jump->setMetadata(LLVMContext::MD_loop, loop);
  builder.SetInsertPoint(end);
}

/// The last block resets the counters for the next run. So a run may be part of a captured graph, no counter overflows
/// 32 bits, and no memset is needed between two runs.
void PersistentEmitter::emitEnd() {
  BasicBlock *releasing = block("leave"), *reset = block("reset"), *clear = block("clear"), *end = block("left");
  builder.CreateCondBr(builder.CreateICmpEQ(thread(), constant32(0)), releasing, end);
  builder.SetInsertPoint(releasing);
  Value *before = release(counter(constant32(plan.steps.size())), constant32(1));
  Value *isLast = builder.CreateICmpEQ(builder.CreateAdd(builder.CreateZExt(before, i64), constant64(1)), grid);
  builder.CreateCondBr(isLast, reset, end);
  builder.SetInsertPoint(reset);
  if (!forHost)
    builder.CreateFence(AtomicOrdering::AcquireRelease, context.getOrInsertSyncScopeID("device"));
  builder.CreateBr(clear);
  builder.SetInsertPoint(clear);
  PHINode *step = builder.CreatePHI(i32, 2);
  step->addIncoming(constant32(0), reset);
  builder.CreateAlignedStore(constant32(0), counter(step), Align(4));
  Value *next = builder.CreateAdd(step, constant32(1));
  step->addIncoming(next, clear);
  builder.CreateCondBr(builder.CreateICmpULE(next, constant32(plan.steps.size())), clear, end);
  builder.SetInsertPoint(end);
  builder.CreateRetVoid();
}

DeviceKernel PersistentEmitter::emit() {
  constexpr int64_t copyThreads = 128;
  bool hasCopies = any_of(plan.steps, [](const PlannedStep &step) { return step.kind == PlannedStep::Kind::Copy; });
  places = persistentBases(plan);
  threads = hasCopies ? copyThreads : 1;
  for (const DeviceKernel &kernel : code.kernels)
    threads = std::max(threads, kernel.threads);
  copy = hasCopies ? addCopyBody(module, threads) : nullptr;
  makeTables();
  makeKernel(threads);
  own = builder.CreateZExt(special(Intrinsic::nvvm_read_ptx_sreg_ctaid_x, emulatedBlockName), i64);
  grid = builder.CreateZExt(special(Intrinsic::nvvm_read_ptx_sreg_nctaid_x, emulatedGridName), i64);
  emitSteps();
  emitEnd();
  for (const DeviceKernel &kernel : code.kernels)
    if (!forHost)
      module.getFunction(kernel.name)->addFnAttr(Attribute::AlwaysInline);
  shareMemory(module,
              map_to_vector(code.kernels, [&](const DeviceKernel &kernel) { return module.getFunction(kernel.name); }));
  return {kernelName.str(), threads, "", std::nullopt};
}

} // namespace

std::optional<Obstacle> findObstacle(mlir::ModuleOp module, const ModelPlan &plan, ArrayRef<DeviceKernel> kernels) {
  std::optional<Obstacle> found;
  module.lookupSymbol<mlir::func::FuncOp>("main").walk([&](mlir::Operation *op) {
    if (found)
      return;
    if (isa<task::BindOp, task::IfOp, task::RepeatOp>(op))
      found = {op->getLoc(), "the host waits for a computed value here"};
    else if (isa<task::ExternCallOp>(op))
      found = {op->getLoc(), "the host runs this task, which calls a function of the program"};
    else if (isa<task::DispatchOp>(op) && op->hasAttr(task::hostName))
      found = {op->getLoc(), "the host runs this task, which reads or makes strings"};
  });
  for (const DeviceKernel &kernel : kernels) {
    auto function = module.lookupSymbol<mlir::func::FuncOp>(kernel.name);
    function.walk([&, &kernel = kernel](mlir::Operation *op) {
      bool synchronizes =
          isa<mlir::gpu::BarrierOp, mlir::gpu::ShuffleOp>(op) || op->getDialect()->getNamespace() == "nvvm";
      if (!found && synchronizes && kernel.threads % GpuMachine::warpThreads != 0)
        found = {function.getLoc(), "expected whole warps of threads that wait for each other, got " +
                                        std::to_string(kernel.threads) + " threads"};
    });
  }
  size_t arguments = persistentBases(plan).size() + 1 + placeGpuNumbers(plan).count;
  if (!found && arguments > mostArguments)
    found = {module.getLoc(), "expected at most " + std::to_string(mostArguments) + " tensors and sizes, got " +
                                  std::to_string(arguments)};
  return found;
}

std::vector<BufferPlace> persistentBases(const ModelPlan &plan) {
  std::vector<BufferPlace> all;
  for (unsigned input = 0; input < plan.inputs.size(); ++input)
    all.push_back({BufferPlace::Base::Input, input});
  for (unsigned output = 0; output < plan.outputs.size(); ++output)
    all.push_back({BufferPlace::Base::Output, output});
  all.push_back({BufferPlace::Base::Arena});
  all.push_back({BufferPlace::Base::Weights});
  for (unsigned slot = 0; slot < plan.slots.size(); ++slot)
    all.push_back({BufferPlace::Base::Slot, slot});
  if (!plan.strings.empty())
    all.push_back({BufferPlace::Base::Strings});
  return all;
}

unsigned persistentCounters(const ModelPlan &plan) { return plan.steps.size() + 1; }

DeviceKernel addPersistentKernel(Module &module, const ModelPlan &plan, ArrayRef<SmallVector<unsigned>> dependences,
                                 const DeviceCode &code, bool forHost) {
  return PersistentEmitter(module, plan, dependences, code, forHost).emit();
}

} // namespace cameo
