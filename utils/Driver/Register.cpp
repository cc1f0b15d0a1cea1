#include "utils/Driver/Register.h"

#include "dialects/Loop/LoopDialect.h"
#include "dialects/Onnx/OnnxDialect.h"
#include "dialects/Target/TargetDialect.h"
#include "dialects/Task/TaskDialect.h"
#include "frontend/ShapeInference/Passes.h"
#include "passes/Codegen/Passes.h"
#include "passes/Graph/Passes.h"
#include "passes/Layout/Passes.h"
#include "passes/Lower/Passes.h"
#include "passes/Memory/Passes.h"
#include "passes/Partition/Passes.h"
#include "passes/Pipeline/Passes.h"
#include "passes/Pipeline/Pipeline.h"
#include "passes/Schedule/Passes.h"
#include "passes/Schedule/Steps/RegisterSteps.h"
#include "passes/Target/Passes.h"
#include "utils/Plugin/Plugin.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

void cameo::registerDialects(DialectRegistry &registry, const Plugins &plugins) {
  registry.insert<DimDialect, loop::LoopDialect, onnx::OnnxDialect, TargetDialect, task::TaskDialect>();
  schedule::registerSteps(registry);
  registry.insert<affine::AffineDialect, arith::ArithDialect, bufferization::BufferizationDialect,
                  cf::ControlFlowDialect, func::FuncDialect, gpu::GPUDialect, LLVM::LLVMDialect, linalg::LinalgDialect,
                  math::MathDialect, memref::MemRefDialect, NVVM::NVVMDialect, scf::SCFDialect, tensor::TensorDialect,
                  vector::VectorDialect>();
  for (const Plugin *plugin : plugins)
    plugin->addDialectsTo(registry);
}

void cameo::registerPasses() {
  registerCameoFrontendPasses();
  registerCameoGraphPasses();
  registerCameoLayoutPasses();
  registerCameoPartitionPasses();
  registerCameoPipelinePasses();
  registerCameoLowerPasses();
  registerCameoSchedulePasses();
  registerCameoTargetPasses();
  registerCameoMemoryPasses();
  registerCameoCodegenPasses();
  registerPhasePipelines();
}
