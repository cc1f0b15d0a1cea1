// How kernels for the host call the emulator (utils/gpu/emulator): through variables of the image, with registers in
// memory.
#ifndef CAMEO_PASSES_CODEGEN_GPU_EMULATEDCALLS_H
#define CAMEO_PASSES_CODEGEN_GPU_EMULATEDCALLS_H

#include "mlir/IR/Builders.h"

namespace cameo {

/// Returns the value of the variable `name`. The load is volatile because the emulator changes the variable while a
/// thread waits at a barrier.
mlir::Value readEmulated(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef name, mlir::Type type);

/// Calls the function that the variable `name` points to. Returns null if the function returns nothing.
mlir::Value callEmulator(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef name, mlir::ValueRange arguments,
                         mlir::Type result = {});

/// Stack memory for the registers of an instruction, 32 bits each.
class EmulatedRegisters {
public:
  /// Code is inserted at the builder's insertion point, and the memory allocated at the begin of the function of `op`.
  EmulatedRegisters(mlir::OpBuilder &builder, mlir::Operation *op, unsigned most = 10);

  mlir::Value memory() { return address; }
  void write(unsigned place, mlir::Value value);
  void writeAll(mlir::ValueRange values);
  /// Loads the registers from `place` on as the struct type of the instruction's result.
  mlir::Value read(unsigned place, mlir::Type type);
  llvm::SmallVector<mlir::Value> readAll(mlir::Type type, unsigned count);

private:
  mlir::Value at(unsigned place);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Value address;
};

} // namespace cameo

#endif
