// --convert-kernels: runs the upstream conversions to the LLVM dialect in the required order.
#include "passes/Codegen/Llvm/FloatExtrema.h"
#include "passes/Codegen/Passes.h"
#include "passes/Codegen/ResolveStrings.h"

#include "dialects/Task/TaskStringOps.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace cameo {
#define GEN_PASS_DEF_CONVERTKERNELSPASS
#include "passes/Codegen/Passes.h.inc"
namespace {

/// The bare-pointer convention supports static sizes only. So a buffer of dynamic size becomes one of size 1 whose
/// accesses are not checked against the size: kernels get sizes by task.size, never from a buffer.
void giveStaticBuffers(func::FuncOp kernel) {
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  for (BlockArgument argument : kernel.getArguments()) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type || type.hasStaticShape())
      continue;
    argument.setType(MemRefType::get({1}, type.getElementType(), MemRefLayoutAttrInterface(), type.getMemorySpace()));
    Value unbounded = arith::ConstantIndexOp::create(builder, kernel.getLoc(), std::numeric_limits<int64_t>::max());
    auto seen = memref::ReinterpretCastOp::create(builder, kernel.getLoc(), type, argument,
                                                  /*offset=*/builder.getIndexAttr(0), ArrayRef<OpFoldResult>{unbounded},
                                                  ArrayRef<OpFoldResult>{builder.getIndexAttr(1)});
    argument.replaceAllUsesExcept(seen, seen);
  }
  kernel.setFunctionType(builder.getFunctionType(kernel.getBody().front().getArgumentTypes(), kernel.getResultTypes()));
}

/// Operations that need extra passes before the final conversion. Kernels of static sizes from the schedule emitter
/// contain none of them.
struct Needs {
  bool views = false;     ///< whether there are views or affine maps
  bool functions = false; ///< whether there is math that LLVM may have no intrinsic for, or a vector whose rank is not
                          ///< 1
};

/// Whether a vector or math operation maps to a single LLVM operation or intrinsic, or is a mask, which is built from
/// these.
bool isDirect(Operation *op) {
  auto isFlat = [](Type type) {
    auto vector = dyn_cast<VectorType>(type);
    return !vector || vector.getRank() == 1;
  };
  bool isKnown =
      isa<math::AbsFOp, math::CeilOp, math::FloorOp, math::FmaOp, math::RoundEvenOp, math::SqrtOp>(op) ||
      isa<vector::BitCastOp, vector::BroadcastOp, vector::ConstantMaskOp, vector::CreateMaskOp, vector::ExtractOp,
          vector::FMAOp, vector::FromElementsOp, vector::GatherOp, vector::LoadOp, vector::MaskedLoadOp,
          vector::MaskedStoreOp, vector::ReductionOp, vector::ScatterOp, vector::ShuffleOp, vector::StoreOp>(op);
  return isKnown && llvm::all_of(op->getOperandTypes(), isFlat) && llvm::all_of(op->getResultTypes(), isFlat);
}

Needs findNeeds(ModuleOp module) {
  Needs needs;
  module.walk([&](Operation *op) {
    Dialect *dialect = op->getDialect();
    needs.views |= isa<ViewLikeOpInterface>(op) || isa<affine::AffineDialect>(dialect);
    needs.functions |= isa<math::MathDialect, vector::VectorDialect>(dialect) && !isDirect(op);
  });
  return needs;
}

void addConversions(OpPassManager &manager, Needs needs) {
  if (needs.views) {
    manager.addNestedPass<func::FuncOp>(memref::createExpandStridedMetadataPass());
    manager.addNestedPass<func::FuncOp>(createLowerAffinePass());
  }
  manager.addNestedPass<func::FuncOp>(createSCFToControlFlowPass());
  if (!needs.functions)
    return;
  // Math functions without an LLVM intrinsic become one call for each lane, with vector operations around the calls.
  manager.addNestedPass<func::FuncOp>(createConvertMathToLLVMPass());
  manager.addPass(createConvertMathToLibmPass());
  manager.addNestedPass<func::FuncOp>(createConvertVectorToLLVMPass());
}

/// Adds the expansion patterns for all arith operations that have one, even if LLVM has an intrinsic. Float maximum and
/// minimum are left out if the processor has instructions for them.
void addArithPatterns(const LLVMTypeConverter &converter, RewritePatternSet &patterns, bool hasFloatExtrema) {
  auto rootOf = [](const std::unique_ptr<RewritePattern> &pattern) { return pattern->getRootKind(); };
  auto isExtremum = [](OperationName name) {
    return name.getStringRef() == arith::MaximumFOp::getOperationName() ||
           name.getStringRef() == arith::MinimumFOp::getOperationName();
  };
  RewritePatternSet expansions(patterns.getContext());
  arith::populateArithExpandOpsPatterns(expansions);
  llvm::erase_if(expansions.getNativePatterns(),
                 [&](const auto &pattern) { return rootOf(pattern) && isExtremum(*rootOf(pattern)); });
  if (!hasFloatExtrema)
    populateFloatExtremumPatterns(expansions);
  llvm::DenseSet<OperationName> expanded;
  for (const std::unique_ptr<RewritePattern> &pattern : expansions.getNativePatterns())
    if (std::optional<OperationName> root = rootOf(pattern);
        root && isa_and_present<arith::ArithDialect>(root->getDialect()))
      expanded.insert(*root);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  llvm::erase_if(patterns.getNativePatterns(),
                 [&](const auto &pattern) { return rootOf(pattern) && expanded.contains(*rootOf(pattern)); });
  llvm::move(expansions.getNativePatterns(), std::back_inserter(patterns.getNativePatterns()));
}

/// Sets the alignment of vector loads and stores to that of the element type. The conversion would choose the same, but
/// creates an LLVMContext for each operation to find it, which takes a tenth of its time.
void stateAlignments(ModuleOp module) {
  module.walk([](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<vector::LoadOp, vector::MaskedLoadOp, vector::StoreOp, vector::MaskedStoreOp>([](auto access) {
          Type element = access.getMemRefType().getElementType();
          if (!access.getAlignment() && element.isIntOrFloat())
            access.setAlignment(llvm::PowerOf2Ceil(llvm::divideCeil(element.getIntOrFloatBitWidth(), 8)));
        });
  });
}

/// Converts all remaining operations in one conversion, because each conversion visits every operation.
LogicalResult convertRest(ModuleOp module, bool hasFloatExtrema) {
  MLIRContext *context = module.getContext();
  LowerToLLVMOptions options(context);
  options.useBarePtrCallConv = true;
  LLVMTypeConverter converter(context, options);
  SymbolTableCollection symbols;
  RewritePatternSet patterns(context);
  addArithPatterns(converter, patterns, hasFloatExtrema);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  cf::populateAssertToLLVMConversionPattern(converter, patterns, /*abortOnFailure=*/true, &symbols);
  index::populateIndexToLLVMConversionPatterns(converter, patterns);
  populateMathToLLVMConversionPatterns(converter, patterns);
  vector::populateVectorMaskOpLoweringPatterns(patterns);
  // Masks count lanes of a block, of which there are few.
  vector::populateVectorMaskMaterializationPatterns(patterns, /*force32BitVectorIndices=*/true);
  populateVectorToLLVMConversionPatterns(converter, patterns);
  populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns, &symbols);
  populateFuncToLLVMConversionPatterns(converter, patterns, &symbols);
  LLVMConversionTarget target(*context);
  target.addIllegalDialect<arith::ArithDialect, cf::ControlFlowDialect, func::FuncDialect, index::IndexDialect,
                           math::MathDialect, memref::MemRefDialect, vector::VectorDialect>();
  target.addLegalOp<ModuleOp>();
  ConversionConfig config;
  // LLVM folds later.
  config.foldingMode = DialectConversionFoldingMode::Never;
  return applyPartialConversion(module, target, std::move(patterns), config);
}

struct ConvertKernels : impl::ConvertKernelsPassBase<ConvertKernels> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    ConvertKernelsPassBase::getDependentDialects(registry);
    OpPassManager manager("builtin.module");
    addConversions(manager, {/*views=*/true, /*functions=*/true});
    manager.getDependentDialects(registry);
  }

  void runOnOperation() override {
    auto internal = LLVM::LinkageAttr::get(&getContext(), LLVM::linkage::Linkage::Internal);
    for (Operation &op : llvm::make_early_inc_range(*getOperation().getBody())) {
      auto function = dyn_cast<func::FuncOp>(op);
      if (isa<task::WeightOp, task::StringTableOp, task::InfoOp>(op) || (function && function.getSymName() == "main"))
        op.erase();
      else if (function && !function.isExternal()) {
        function->setAttr("llvm.linkage", internal);
        giveStaticBuffers(function);
      }
    }
    resolveStrings(getOperation());
    // Before all conversions: each of those of vectors knows reductions.
    if (floatExtrema)
      passNaNOn(getOperation());
    else
      expandFloatReductions(getOperation());
    OpPassManager manager("builtin.module");
    addConversions(manager, findNeeds(getOperation()));
    OpPassManager last("builtin.module");
    last.addPass(createReconcileUnrealizedCastsPass());
    if (failed(runPipeline(manager, getOperation())))
      return signalPassFailure();
    stateAlignments(getOperation());
    if (failed(convertRest(getOperation(), floatExtrema)) || failed(runPipeline(last, getOperation())))
      signalPassFailure();
  }
};

} // namespace
} // namespace cameo
