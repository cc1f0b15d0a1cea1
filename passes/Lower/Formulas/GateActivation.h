// The activation functions that recurrent layers name in attributes.
#ifndef CAMEO_PASSES_LOWER_FORMULAS_GATEACTIVATION_H
#define CAMEO_PASSES_LOWER_FORMULAS_GATEACTIVATION_H

#include "passes/Lower/Builders/ScalarBuilder.h"

#include <optional>
#include <string>

namespace cameo::lower {

struct GateActivation {
  std::string name;
  double alpha, beta;
  /// The gate's input is limited to [-clip, clip] first.
  std::optional<double> clip;

  mlir::Value apply(ScalarBuilder &s, mlir::Value x) const;
};

/// Whether a function of this name has the parameter.
bool usesAlpha(llvm::StringRef name);
bool usesBeta(llvm::StringRef name);

/// With ONNX's default alpha and beta; nothing for an unknown name.
std::optional<GateActivation> makeGateActivation(llvm::StringRef name, std::optional<double> alpha,
                                                 std::optional<double> beta, std::optional<double> clip);

} // namespace cameo::lower

#endif
