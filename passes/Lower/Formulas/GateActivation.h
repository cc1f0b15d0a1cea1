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
  /// If set, the input of the gate is first clamped to [-clip, clip].
  std::optional<double> clip;

  mlir::Value apply(ScalarBuilder &s, mlir::Value x) const;
};

/// Whether the function of this name has the parameter.
bool usesAlpha(llvm::StringRef name);
bool usesBeta(llvm::StringRef name);

/// Returns the function with ONNX's default alpha and beta where none are given; nothing for an unknown name.
std::optional<GateActivation> makeGateActivation(llvm::StringRef name, std::optional<double> alpha,
                                                 std::optional<double> beta, std::optional<double> clip);

} // namespace cameo::lower

#endif
