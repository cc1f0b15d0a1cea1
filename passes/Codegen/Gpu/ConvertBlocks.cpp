// --convert-blocks: converts kernels that run by block to the LLVM dialect, for a GPU or for the emulator on the host.
#include "dialects/Target/GpuMachine.h"
#include "dialects/Task/TaskCounterOps.h"
#include "dialects/Task/TaskMatrixOps.h"
#include "passes/Codegen/Gpu/ClusterBlocks.h"
#include "passes/Codegen/Gpu/DependentLaunch.h"
#include "passes/Codegen/Gpu/DeviceCode.h"
#include "passes/Codegen/Gpu/EmulatedCalls.h"
#include "passes/Codegen/Gpu/GroupProducts.h"
#include "passes/Codegen/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace cameo {
#define GEN_PASS_DEF_CONVERTBLOCKSPASS
#include "passes/Codegen/Passes.h.inc"
namespace {

/// Creates the operations that return the numbers of a thread and its block, and those that synchronise threads.
class Threads {
public:
  virtual ~Threads() = default;
  virtual Value createThread(OpBuilder &builder, Location loc) = 0; ///< i32
  virtual Value createBlock(OpBuilder &builder, Location loc) = 0;  ///< i32
  virtual void createBarrier(OpBuilder &builder, Location loc) = 0;
  /// A barrier for the first `threads` threads of a block.
  virtual void createBarrierOf(OpBuilder &builder, Location loc, int64_t threads) = 0;
  /// Returns the 32-bit `value` of the thread of the same warp whose number is that of this thread XOR `lanes` (i32).
  /// All threads of a block must execute it.
  virtual Value createExchange(OpBuilder &builder, Location loc, Value value, Value lanes) = 0;
  /// task.arrive: increments the counter at `address`, a pointer, and returns as i1 whether this block is the last of
  /// `count` blocks.
  virtual Value createArrival(OpBuilder &builder, Location loc, Value address, int64_t count) = 0;
  /// Creates a barrier for all threads of the kernel.
  void meet(OpBuilder &builder, Location loc) {
    if (bodyThreads > 0)
      createBarrierOf(builder, loc, bodyThreads);
    else
      createBarrier(builder, loc);
  }
  int64_t bodyThreads = 0; ///< number of threads of the body, if other bodies of the launch may have more; 0: the
                           ///< kernel has all threads of the block
  /// Replaces `op` if it is an instruction that only GPUs have. Returns whether it did.
  virtual bool replaceInstruction(OpBuilder &builder, Operation *op) = 0;
};

class GpuThreads : public Threads {
public:
  Value createThread(OpBuilder &builder, Location loc) override {
    return NVVM::ThreadIdXOp::create(builder, loc, builder.getI32Type());
  }
  Value createBlock(OpBuilder &builder, Location loc) override {
    return NVVM::BlockIdXOp::create(builder, loc, builder.getI32Type());
  }
  void createBarrier(OpBuilder &builder, Location loc) override { NVVM::Barrier0Op::create(builder, loc); }
  /// Barrier 0 is the one for all threads of the block.
  void createBarrierOf(OpBuilder &builder, Location loc, int64_t threads) override {
    auto number = [&](int64_t value) {
      return LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), builder.getI32IntegerAttr(value));
    };
    NVVM::BarrierOp::create(builder, loc, TypeRange(), number(1), number(threads), NVVM::BarrierReductionAttr(),
                            Value());
  }
  Value createExchange(OpBuilder &builder, Location loc, Value value, Value lanes) override {
    auto number = [&](int32_t bits) {
      return LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), builder.getI32IntegerAttr(bits));
    };
    constexpr int32_t wholeWarp = -1, lastLane = GpuMachine::warpThreads - 1;
    return NVVM::ShflOp::create(builder, loc, value.getType(), number(wholeWarp), value, lanes, number(lastLane),
                                NVVM::ShflKind::bfly, UnitAttr());
  }
  /// The atomic increment wraps around to 0 at the last block. Fences are explicit because LLVM 22 ignores the release
  /// ordering of atomic additions (llvm-project pull request 179553).
  Value createArrival(OpBuilder &builder, Location loc, Value address, int64_t count) override {
    constexpr StringLiteral device = "device";
    auto last = LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                         builder.getI32IntegerAttr(static_cast<int32_t>(count - 1)));
    auto fence = [&] { LLVM::FenceOp::create(builder, loc, LLVM::AtomicOrdering::acq_rel, device); };
    fence();
    Value before = LLVM::AtomicRMWOp::create(builder, loc, LLVM::AtomicBinOp::uinc_wrap, address, last,
                                             LLVM::AtomicOrdering::monotonic, device);
    fence();
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, before, last);
  }
  bool replaceInstruction(OpBuilder &builder, Operation *op) override {
    if (auto product = dyn_cast<task::MultiplyGroupOp>(op))
      product.getResults().replaceAllUsesWith(createGroupProduct(builder, product));
    else if (auto wait = dyn_cast<task::AwaitProductsOp>(op))
      wait.getResults().replaceAllUsesWith(createWait(builder, wait));
    else if (isa<task::MeetClusterOp>(op))
      createMeeting(builder, op->getLoc());
    else if (auto read = dyn_cast<task::ReadNeighbourOp>(op))
      read.replaceAllUsesWith(createNeighbourRead(builder, read));
    else
      return false;
    return true;
  }
};

/// The emulator sets variables of the image before a thread runs, and switches to another thread at a barrier.
class EmulatedThreads : public Threads {
public:
  explicit EmulatedThreads(ModuleOp module) {
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    Type i32 = builder.getI32Type(), pointer = LLVM::LLVMPointerType::get(module.getContext());
    addVariable(builder, module.getLoc(), emulatedThreadName, i32, builder.getI32IntegerAttr(0));
    for (StringRef name : {emulatedBlockName, emulatedGridName})
      addVariable(builder, module.getLoc(), name, i32, builder.getI32IntegerAttr(0));
    for (StringRef name :
         {emulatedBarrierName, emulatedBarrierOfName, emulatedAcquireName, emulatedReleaseName, emulatedArriveName,
          emulatedCopyName, emulatedCommitName, emulatedAwaitName, emulatedLoadMatricesName, emulatedMultiplyName,
          emulatedSharedBeginName, emulatedMultiplyGroupName, emulatedFenceProductsName, emulatedCommitProductsName,
          emulatedAwaitProductsName, emulatedPublishName, emulatedWaitName, emulatedMeetClusterName,
          emulatedReadNeighbourName})
      addVariable(builder, module.getLoc(), name, pointer, LLVM::ZeroAttr::get(module.getContext()));
    exchangeType = LLVM::LLVMArrayType::get(i32, GpuMachine::mostThreads);
    // Blocks that run in turns each have their own copy, as with other shared memory.
    LLVM::GlobalOp::create(builder, module.getLoc(), exchangeType, /*isConstant=*/false, LLVM::Linkage::Internal,
                           exchangeName, LLVM::ZeroAttr::get(module.getContext()))
        .setSection(emulatedSharedName);
  }
  Value createThread(OpBuilder &builder, Location loc) override {
    return readEmulated(builder, loc, emulatedThreadName, builder.getI32Type());
  }
  Value createBlock(OpBuilder &builder, Location loc) override {
    return readEmulated(builder, loc, emulatedBlockName, builder.getI32Type());
  }
  void createBarrier(OpBuilder &builder, Location loc) override { callEmulator(builder, loc, emulatedBarrierName, {}); }
  void createBarrierOf(OpBuilder &builder, Location loc, int64_t threads) override {
    callEmulator(builder, loc, emulatedBarrierOfName,
                 {LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), builder.getI32IntegerAttr(threads))});
  }
  /// Exchanges the values through memory, between two barriers.
  Value createExchange(OpBuilder &builder, Location loc, Value value, Value lanes) override {
    Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
    Value thread = createThread(builder, loc), memory = LLVM::AddressOfOp::create(builder, loc, pointer, exchangeName);
    auto placeOf = [&](Value number) -> Value {
      return LLVM::GEPOp::create(builder, loc, pointer, exchangeType, memory, ArrayRef<LLVM::GEPArg>{0, number});
    };
    LLVM::StoreOp::create(builder, loc, value, placeOf(thread));
    meet(builder, loc);
    Value other =
        LLVM::LoadOp::create(builder, loc, value.getType(), placeOf(LLVM::XOrOp::create(builder, loc, thread, lanes)));
    meet(builder, loc);
    return other;
  }
  Value createArrival(OpBuilder &builder, Location loc, Value address, int64_t count) override {
    Value number = LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                            builder.getI32IntegerAttr(static_cast<int32_t>(count)));
    Value isLast = callEmulator(builder, loc, emulatedArriveName, {address, number}, builder.getI32Type());
    return arith::TruncIOp::create(builder, loc, builder.getI1Type(), isLast);
  }
  bool replaceInstruction(OpBuilder &builder, Operation *op) override {
    Location loc = op->getLoc();
    auto number = [&](uint32_t value) {
      return LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                      builder.getI32IntegerAttr(static_cast<int32_t>(value)))
          .getResult();
    };
    auto generic = [&](Value address) {
      return LLVM::AddrSpaceCastOp::create(builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), address)
          .getResult();
    };
    if (auto matrices = dyn_cast<NVVM::LdMatrixOp>(op)) {
      EmulatedRegisters registers(builder, op);
      callEmulator(builder, loc, emulatedLoadMatricesName,
                   {generic(matrices.getPtr()), number(matrices.getNum()),
                    number(matrices.getLayout() == NVVM::MMALayout::col), registers.memory()});
      op->replaceAllUsesWith(ValueRange(registers.read(0, matrices.getRes().getType())));
    } else if (auto product = dyn_cast<NVVM::MmaOp>(op)) {
      EmulatedRegisters registers(builder, op);
      unsigned place = 0;
      for (Value value : product->getOperands())
        registers.write(place++, value);
      callEmulator(builder, loc, emulatedMultiplyName, {number(numbersOf(product)), registers.memory()});
      constexpr unsigned factors = 6;
      op->replaceAllUsesWith(ValueRange(registers.read(factors, product.getRes().getType())));
    } else if (auto product = dyn_cast<task::MultiplyGroupOp>(op)) {
      auto count = static_cast<unsigned>(product.getSums().size());
      EmulatedRegisters registers(builder, op, count);
      registers.writeAll(product.getSums());
      // Addresses of shared memory are distances from its begin.
      auto descriptorOf = [&](Value address, const task::GroupMatrix &matrix) {
        Type i64 = builder.getI64Type();
        Value begin = LLVM::PtrToIntOp::create(
            builder, loc, i64, readEmulated(builder, loc, emulatedSharedBeginName, generic(address).getType()));
        Value from =
            LLVM::SubOp::create(builder, loc, LLVM::PtrToIntOp::create(builder, loc, i64, generic(address)), begin);
        return createDescriptor(builder, loc, LLVM::TruncOp::create(builder, loc, builder.getI32Type(), from), matrix);
      };
      auto left = task::GroupMatrix::of(product.getLeftMatrix()),
           right = task::GroupMatrix::of(product.getRightMatrix());
      SmallVector<Value> arguments = {descriptorOf(product.getLeft(), left),
                                      descriptorOf(product.getRight(), right),
                                      number(left.isTurned),
                                      number(right.isTurned),
                                      number(product.getElement().isBF16()),
                                      number(count),
                                      registers.memory()};
      callEmulator(builder, loc, emulatedMultiplyGroupName, arguments);
      product.getResults().replaceAllUsesWith(registers.readAll(builder.getF32Type(), count));
    } else if (auto wait = dyn_cast<task::AwaitProductsOp>(op)) {
      auto count = static_cast<unsigned>(wait.getSums().size());
      EmulatedRegisters registers(builder, op, count);
      registers.writeAll(wait.getSums());
      callEmulator(builder, loc, emulatedAwaitProductsName,
                   {number(static_cast<uint32_t>(wait.getPending())), number(count), registers.memory()});
      wait.getResults().replaceAllUsesWith(registers.readAll(builder.getF32Type(), count));
    } else if (isa<task::MeetClusterOp>(op)) {
      callEmulator(builder, loc, emulatedMeetClusterName, {});
    } else if (auto read = dyn_cast<task::ReadNeighbourOp>(op)) {
      read.replaceAllUsesWith(createEmulatedRead(builder, read));
    } else if (isa<NVVM::WgmmaGroupSyncAlignedOp>(op)) {
      callEmulator(builder, loc, emulatedCommitProductsName, {});
    } else if (isa<NVVM::FenceProxyOp>(op)) {
      callEmulator(builder, loc, emulatedPublishName, {});
    } else if (isa<NVVM::WgmmaFenceAlignedOp>(op)) {
      callEmulator(builder, loc, emulatedFenceProductsName, {});
    } else if (auto conversion = dyn_cast<NVVM::ConvertFloatToTF32Op>(op)) {
      conversion.getRes().replaceAllUsesWith(roundToTf32(builder, loc, conversion.getSrc()));
    } else if (auto copy = dyn_cast<NVVM::CpAsyncOp>(op)) {
      Value bytes = number(copy.getSize());
      callEmulator(
          builder, loc, emulatedCopyName,
          {generic(copy.getDst()), generic(copy.getSrc()), bytes, copy.getCpSize() ? copy.getCpSize() : bytes});
    } else if (auto control = dyn_cast<NVVM::GriddepcontrolOp>(op)) {
      if (control.getKind() == NVVM::GridDepActionKind::wait)
        callEmulator(builder, loc, emulatedWaitName, {});
    } else if (isa<NVVM::PrefetchOp>(op)) {
      // It changes nothing but a cache.
    } else if (isa<NVVM::CpAsyncCommitGroupOp>(op)) {
      callEmulator(builder, loc, emulatedCommitName, {});
    } else if (auto wait = dyn_cast<NVVM::CpAsyncWaitGroupOp>(op)) {
      callEmulator(builder, loc, emulatedAwaitName, {number(wait.getN())});
    } else if (auto dot = dyn_cast<NVVM::DotAccumulate4WayOp>(op)) {
      auto widen = [&](Value bytes, int64_t lane, NVVM::DotAccumulateType type) -> Value {
        Value byte = vector::ExtractOp::create(builder, loc, bytes, lane);
        return type == NVVM::DotAccumulateType::SIGNED
                   ? arith::ExtSIOp::create(builder, loc, builder.getI32Type(), byte).getResult()
                   : arith::ExtUIOp::create(builder, loc, builder.getI32Type(), byte).getResult();
      };
      Value sum = dot.getC();
      for (int64_t lane = 0; lane < cast<VectorType>(dot.getA().getType()).getNumElements(); ++lane) {
        Value product = arith::MulIOp::create(builder, loc, widen(dot.getA(), lane, dot.getAType()),
                                              widen(dot.getB(), lane, dot.getBType()));
        sum = arith::AddIOp::create(builder, loc, sum, product);
      }
      dot.getRes().replaceAllUsesWith(sum);
    } else {
      return false;
    }
    return true;
  }

private:
  /// Returns the number that the emulator's Matrices.h gives the element types of a product.
  static uint32_t numbersOf(NVVM::MmaOp product) {
    constexpr uint32_t halves = 0, brains = 1, bytes = 2, signedLeft = 1, signedRight = 2, tf32 = 6;
    std::optional<NVVM::MMATypes> left = product.getMultiplicandAPtxType(), right = product.getMultiplicandBPtxType();
    if (product.getIntOverflowBehavior())
      return bytes + (left == NVVM::MMATypes::s8 ? signedLeft : 0) + (right == NVVM::MMATypes::s8 ? signedRight : 0);
    return left == NVVM::MMATypes::tf32 ? tf32 : left == NVVM::MMATypes::bf16 ? brains : halves;
  }

  /// Rounds to the nearest number with a mantissa of 10 bits, ties away from zero. NaN becomes the canonical NaN of the
  /// PTX ISA.
  static Value roundToTf32(OpBuilder &builder, Location loc, Value value) {
    constexpr int32_t half = 0x1000, kept = -0x2000, notANumber = 0x7fffffff;
    auto number = [&](int32_t bits) { return arith::ConstantIntOp::create(builder, loc, bits, 32); };
    Value bits = arith::BitcastOp::create(builder, loc, builder.getI32Type(), value);
    Value rounded =
        arith::AndIOp::create(builder, loc, arith::AddIOp::create(builder, loc, bits, number(half)), number(kept));
    Value isNone = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, value, value);
    return arith::SelectOp::create(builder, loc, isNone, number(notANumber), rounded);
  }

  static constexpr llvm::StringLiteral exchangeName = "cameo_emulated_exchange";
  Type exchangeType;

  static void addVariable(OpBuilder &builder, Location loc, StringRef name, Type type, Attribute value) {
    LLVM::GlobalOp::create(builder, loc, type, /*isConstant=*/false, LLVM::Linkage::External, name, value);
  }
};

struct ConvertBlocks : impl::ConvertBlocksPassBase<ConvertBlocks> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    ConvertBlocksPassBase::getDependentDialects(registry);
    createConvertKernelsPass()->getDependentDialects(registry);
    createExpandHalfFloatsPass()->getDependentDialects(registry);
  }

  void runOnOperation() override {
    std::unique_ptr<Threads> threads;
    if (forHost)
      threads = std::make_unique<EmulatedThreads>(getOperation());
    else
      threads = std::make_unique<GpuThreads>();
    for (auto kernel : getOperation().getOps<func::FuncOp>())
      if (kernel->hasAttr(task::TaskDialect::getBlockName()) && !kernel.isExternal())
        orderLaunches(kernel, dependentLaunch), place(kernel, *threads), noteSizes(kernel);
    OpPassManager manager("builtin.module");
    // After the GPU instructions that have f16 operands are replaced.
    if (forHost)
      manager.addPass(createExpandHalfFloatsPass());
    manager.addPass(createConvertKernelsPass());
    if (failed(runPipeline(manager, getOperation())))
      return signalPassFailure();
    // Conversions keep the loop annotation as a discardable attribute, where the translation to LLVM IR does not look
    // for it.
    getOperation().walk([](LLVM::BrOp branch) {
      if (auto annotation =
              dyn_cast_or_null<LLVM::LoopAnnotationAttr>(branch->removeDiscardableAttr("llvm.loop_annotation")))
        branch.setLoopAnnotationAttr(annotation);
    });
    if (forHost)
      for (auto memory : getOperation().getOps<LLVM::GlobalOp>())
        if (memory.getAddrSpace() == NVVM::NVVMMemorySpace::Shared)
          memory.setSection(emulatedSharedName);
    for (auto kernel : llvm::make_early_inc_range(getOperation().getOps<LLVM::LLVMFuncOp>()))
      if (auto block = kernel->getAttrOfType<task::BlockAttr>(task::TaskDialect::getBlockName()))
        exportKernel(kernel, block);
  }

private:
  /// The argument that passes the sizes of the run, and the number of sizes.
  struct Sizes {
    unsigned argument;
    int64_t count;
  };
  llvm::StringMap<Sizes> sizesOf;

  void noteSizes(func::FuncOp kernel) {
    for (unsigned argument = 0; argument < kernel.getNumArguments(); ++argument)
      if (kernel.removeArgAttr(argument, task::TaskDialect::getSizesName()))
        sizesOf[kernel.getSymName()] = {argument,
                                        cast<MemRefType>(kernel.getArgumentTypes()[argument]).getNumElements()};
  }

  /// A body of a persistent kernel gets the numbers of its block and thread as arguments: its block is not a block of
  /// the launch, which may also have more threads than the body.
  static void placeBody(func::FuncOp body, Threads &threads) {
    OpBuilder builder(body.getContext());
    unsigned behind = body.getNumArguments();
    [[maybe_unused]] LogicalResult isInserted =
        body.insertArgument(behind, builder.getIndexType(), DictionaryAttr(), body.getLoc());
    assert(succeeded(isInserted) && "functions take one argument more");
    Value thread = body.getArgument(behind);
    threads.bodyThreads = body->getAttrOfType<task::BlockAttr>(task::TaskDialect::getBlockName()).getThreads();
    body.walk([&](Operation *op) {
      builder.setInsertionPoint(op);
      if (isa<gpu::ThreadIdOp>(op))
        op->replaceAllUsesWith(ValueRange(thread));
      else if (isa<gpu::BarrierOp>(op))
        threads.meet(builder, op->getLoc());
      else if (!replaceOther(builder, op, threads))
        return;
      op->erase();
    });
  }

  /// Returns the address of the counter. Buffers have memref descriptors until kernels are converted to LLVM.
  static Value addressOf(OpBuilder &builder, task::ArriveOp arrival) {
    Location loc = arrival.getLoc();
    Value begin = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, arrival.getCounters()),
          bytes = arith::ConstantIndexOp::create(builder, loc, sizeof(uint32_t)),
          offset = arith::MulIOp::create(builder, loc, arrival.getNumber(), bytes),
          address = arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                               arith::AddIOp::create(builder, loc, begin, offset));
    return LLVM::IntToPtrOp::create(builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), address);
  }

  /// Replaces operations that are lowered alike for every kernel. Returns whether `op` was one of them.
  static bool replaceOther(OpBuilder &builder, Operation *op, Threads &threads) {
    if (auto arrival = dyn_cast<task::ArriveOp>(op)) {
      arrival.replaceAllUsesWith(threads.createArrival(builder, op->getLoc(), addressOf(builder, arrival),
                                                       static_cast<int64_t>(arrival.getCount())));
      return true;
    }
    auto shuffle = dyn_cast<gpu::ShuffleOp>(op);
    if (!shuffle)
      return threads.replaceInstruction(builder, op);
    shuffle.getShuffleResult().replaceAllUsesWith(
        threads.createExchange(builder, op->getLoc(), shuffle.getValue(), shuffle.getOffset()));
    return true;
  }

  void place(func::FuncOp kernel, Threads &threads) const {
    if (areBodies)
      placeBody(kernel, threads);
    else
      placeThreads(kernel, threads);
  }

  static void placeThreads(func::FuncOp kernel, Threads &threads) {
    OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
    auto asIndex = [&](Location loc, Value number) {
      return arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(), number).getResult();
    };
    unsigned last = kernel.getNumArguments() - 1;
    Value block = asIndex(kernel.getLoc(), threads.createBlock(builder, kernel.getLoc()));
    kernel.getArgument(last).replaceAllUsesWith(block);
    [[maybe_unused]] LogicalResult isErased = kernel.eraseArgument(last);
    assert(succeeded(isErased) && "the block has no use any more");
    kernel.walk([&](Operation *op) {
      builder.setInsertionPoint(op);
      if (isa<gpu::ThreadIdOp>(op))
        op->replaceAllUsesWith(ValueRange(asIndex(op->getLoc(), threads.createThread(builder, op->getLoc()))));
      else if (isa<gpu::BarrierOp>(op))
        threads.meet(builder, op->getLoc());
      else if (!replaceOther(builder, op, threads))
        return;
      op->erase();
    });
  }

  /// Adds a table with the number of bytes of each argument, since a driver knows these numbers.
  static void stateArgumentBytes(LLVM::LLVMFuncOp kernel, StringRef name, std::optional<Sizes> sizes) {
    OpBuilder builder(kernel);
    constexpr int32_t numberBytes = 8;
    SmallVector<int32_t> bytes(kernel.getNumArguments(), numberBytes);
    if (sizes)
      bytes[sizes->argument] = static_cast<int32_t>(sizes->count) * numberBytes;
    bytes.push_back(0);
    auto type = LLVM::LLVMArrayType::get(builder.getI32Type(), bytes.size());
    LLVM::GlobalOp::create(builder, kernel.getLoc(), type, /*isConstant=*/true, LLVM::Linkage::External,
                           (name + emulatedBytesSuffix).str(), builder.getI32TensorAttr(bytes));
  }

  /// The driver passes a single array with the addresses of all arguments. The kernel becomes an inner function, and a
  /// wrapper with the kernel's name loads the arguments. For the sizes, which are passed by value, the kernel takes the
  /// address itself.
  static void takeAddresses(LLVM::LLVMFuncOp kernel, std::optional<Sizes> sizes, int64_t cluster) {
    Location loc = kernel.getLoc();
    OpBuilder builder(kernel);
    Type pointer = LLVM::LLVMPointerType::get(kernel.getContext());
    std::string name = kernel.getSymName().str();
    stateArgumentBytes(kernel, name, sizes);
    stateEmulatedClusters(kernel, cluster);
    kernel.setSymName(name + ".body");
    kernel.setLinkage(LLVM::Linkage::Internal);
    auto entry = LLVM::LLVMFuncOp::create(
        builder, loc, name, LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(kernel.getContext()), {pointer}));
    Block *body = entry.addEntryBlock(builder);
    builder.setInsertionPointToStart(body);
    SmallVector<Value> arguments;
    for (int32_t number = 0; number < static_cast<int32_t>(kernel.getNumArguments()); ++number) {
      Value place =
          LLVM::GEPOp::create(builder, loc, pointer, pointer, body->getArgument(0), ArrayRef<LLVM::GEPArg>{number});
      Value address = LLVM::LoadOp::create(builder, loc, pointer, place);
      bool isByValue = sizes && static_cast<int32_t>(sizes->argument) == number;
      arguments.push_back(isByValue ? address : LLVM::LoadOp::create(builder, loc, pointer, address).getResult());
    }
    LLVM::CallOp::create(builder, loc, kernel, arguments);
    LLVM::ReturnOp::create(builder, loc, ValueRange());
  }

  void exportKernel(LLVM::LLVMFuncOp kernel, task::BlockAttr block) {
    kernel->removeAttr(task::TaskDialect::getBlockName());
    if (areBodies)
      return kernel.setLinkage(LLVM::Linkage::Internal);
    kernel.setLinkage(LLVM::Linkage::External);
    auto found = sizesOf.find(kernel.getSymName());
    std::optional<Sizes> sizes = found == sizesOf.end() ? std::nullopt : std::optional(found->second);
    if (forHost)
      return takeAddresses(kernel, sizes, block.getCluster());
    if (sizes) {
      Type table = LLVM::LLVMArrayType::get(IntegerType::get(&getContext(), 64), sizes->count);
      kernel.setArgAttr(sizes->argument, LLVM::LLVMDialect::getByValAttrName(), TypeAttr::get(table));
      kernel.setArgAttr(sizes->argument, NVVM::NVVMDialect::getGridConstantAttrName(), UnitAttr::get(&getContext()));
    }
    kernel->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), UnitAttr::get(&getContext()));
    kernel->setAttr(NVVM::NVVMDialect::getMaxntidAttrName(),
                    DenseI32ArrayAttr::get(&getContext(), {static_cast<int32_t>(block.getThreads()), 1, 1}));
    stateClusters(kernel, block.getCluster());
    // Without a minimum number of blocks per multiprocessor, ptxas spills registers to fit more blocks.
    kernel->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(), IntegerAttr::get(IntegerType::get(&getContext(), 32), 1));
  }
};

} // namespace
} // namespace cameo
