#include "passes/Codegen/Gpu/ClusterBlocks.h"

#include "passes/Codegen/Gpu/DeviceCode.h"
#include "passes/Codegen/Gpu/EmulatedCalls.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace cameo {

/// What is written before the arrival is visible behind the wait.
void createMeeting(OpBuilder &builder, Location loc) {
  NVVM::ClusterArriveOp::create(builder, loc, /*aligned=*/builder.getUnitAttr());
  NVVM::ClusterWaitOp::create(builder, loc, /*aligned=*/builder.getUnitAttr());
}

Value createNeighbourRead(OpBuilder &builder, task::ReadNeighbourOp read) {
  Location loc = read.getLoc();
  auto type = cast<VectorType>(read.getValue().getType());
  auto pointer =
      LLVM::LLVMPointerType::get(builder.getContext(), static_cast<unsigned>(NVVM::NVVMMemorySpace::SharedCluster));
  Value there = NVVM::MapaOp::create(builder, loc, pointer, read.getAddress(), read.getNumber());
  return LLVM::LoadOp::create(builder, loc, type, there, type.getNumElements() * type.getElementTypeBitWidth() / 8);
}

Value createEmulatedRead(OpBuilder &builder, task::ReadNeighbourOp read) {
  Location loc = read.getLoc();
  auto type = cast<VectorType>(read.getValue().getType());
  auto count = static_cast<unsigned>(type.getNumElements());
  EmulatedRegisters registers(builder, read, count);
  Value address = LLVM::AddrSpaceCastOp::create(builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
                                                read.getAddress()),
        numbers = LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                           builder.getI32IntegerAttr(static_cast<int32_t>(count)));
  callEmulator(builder, loc, emulatedReadNeighbourName, {address, read.getNumber(), numbers, registers.memory()});
  return vector::FromElementsOp::create(builder, loc, type, registers.readAll(type.getElementType(), count));
}

/// Each block of a cluster has a branch, which is not worth a table in memory.
void stateClusters(LLVM::LLVMFuncOp kernel, int64_t cluster) {
  if (cluster == 1)
    return;
  MLIRContext *context = kernel.getContext();
  kernel->setAttr(NVVM::NVVMDialect::getClusterDimAttrName(),
                  DenseI32ArrayAttr::get(context, {static_cast<int32_t>(cluster), 1, 1}));
  Attribute setting[] = {StringAttr::get(context, "no-jump-tables"), StringAttr::get(context, "true")};
  kernel.setPassthroughAttr(ArrayAttr::get(context, ArrayAttr::get(context, setting)));
}

void stateEmulatedClusters(LLVM::LLVMFuncOp kernel, int64_t cluster) {
  if (cluster == 1)
    return;
  OpBuilder builder(kernel);
  LLVM::GlobalOp::create(builder, kernel.getLoc(), builder.getI32Type(), /*isConstant=*/true, LLVM::Linkage::External,
                         (kernel.getSymName() + emulatedClusterSuffix).str(),
                         builder.getI32IntegerAttr(static_cast<int32_t>(cluster)));
}

} // namespace cameo
