// mlir-opt with the dialects and passes of this compiler: any phase from text to text.
#include "utils/Driver/Register.h"

#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  cameo::registerDialects(registry);
  cameo::registerPasses();
  // Canonicalisation, common subexpressions and their kin, for experiments.
  mlir::registerTransformsPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "cameo-opt: passes of the Cameo compiler\n", registry));
}
