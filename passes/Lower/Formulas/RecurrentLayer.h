// The common part of RNN, GRU and LSTM: directions, the loop over time, sequence lengths, layouts.
#ifndef CAMEO_PASSES_LOWER_FORMULAS_RECURRENTLAYER_H
#define CAMEO_PASSES_LOWER_FORMULAS_RECURRENTLAYER_H

#include "passes/Lower/Formulas/GateActivation.h"
#include "passes/Lower/LoweringTable.h"

#include "mlir/IR/BuiltinAttributes.h"

namespace cameo::lower {

/// Attributes and operands of the layer. Absent operands are null.
struct RecurrentLayer {
  mlir::Operation *op;
  mlir::Value x, w, r, bias, lengths, initialH, initialC, peepholes;
  llvm::StringRef direction;
  bool batchFirst;
  unsigned gates;
  llvm::SmallVector<GateActivation> activations;
  /// Whether the recurrence bias is added to its product alone and not to the sum of both products: in a GRU the reset
  /// gate scales it.
  bool scalesBias = false;
  /// Whether the state is rounded to bytes before its products, as in layers with quantised weights.
  bool roundsState = false;

  Dim hidden() const { return shapeOf(r).back(); }
  unsigned directions() const { return direction == "bidirectional" ? 2 : 1; }
  bool isReverse(unsigned number) const { return direction == "reverse" || number == 1; }
};

/// One direction of a layer while its steps are built. All tensors have the compute type.
struct Direction {
  const RecurrentLayer &layer;
  llvm::ArrayRef<GateActivation> activations;
  mlir::Value w, r, wBias, rBias, peepholes;
  /// Whether the current step starts from a state of zeros.
  bool isFirst = false;

  /// Accesses gate `number` of a batch x (gates * hidden) tensor in loops over batch x hidden.
  Access gate(GenericBuilder &b, mlir::Value gates, unsigned number) const;
  /// Accesses the peephole weights of gate `number`. The layer must have peepholes.
  Access peephole(GenericBuilder &b, unsigned number) const;
  /// Returns the products of `state` (batch x hidden) with the recurrence weights of gates `first` to `first + count -
  /// 1`, each of the shape of `state`. One loop nest computes them all, so that an element of all gates stays in
  /// registers.
  Values recurrence(GenericBuilder &b, mlir::Value state, unsigned first, unsigned count) const;
};

/// Computes the next state (h, and c for LSTM) from the previous state and the products of the input for all gates
/// (batch x gates * hidden), to which all biases that are not scaled have been added.
using Cell =
    llvm::function_ref<Values(GenericBuilder &b, const Direction &direction, mlir::Value inputGates, Values state)>;

/// Reads names, alphas and betas of activations. Fails after an error at `op`.
llvm::FailureOr<llvm::SmallVector<GateActivation>>
readActivations(mlir::Operation *op, llvm::ArrayRef<llvm::StringRef> defaults, unsigned directions);

/// Returns Y, Y_h and, for a state of two tensors, Y_c; null where the operation has no such result.
Values runLayer(GenericBuilder &b, const RecurrentLayer &layer, unsigned stateSize, Cell cell);

} // namespace cameo::lower

#endif
