// What RNN, GRU and LSTM have in common: directions, the loop over time, lengths of sequences, layouts.
#ifndef CAMEO_PASSES_LOWER_FORMULAS_RECURRENTLAYER_H
#define CAMEO_PASSES_LOWER_FORMULAS_RECURRENTLAYER_H

#include "passes/Lower/Formulas/GateActivation.h"
#include "passes/Lower/LoweringTable.h"

#include "mlir/IR/BuiltinAttributes.h"

namespace cameo::lower {

/// Attributes and operands of any of the three; absent operands are null.
struct RecurrentLayer {
  mlir::Operation *op;
  mlir::Value x, w, r, bias, lengths, initialH, initialC, peepholes;
  llvm::StringRef direction;
  bool batchFirst;
  unsigned gates;
  llvm::SmallVector<GateActivation> activations;
  /// The bias of the recurrence belongs to its product and not to the sum of both (GRU, where the reset gate scales
  /// it).
  bool scalesBias = false;

  Dim hidden() const { return shapeOf(r).back(); }
  unsigned directions() const { return direction == "bidirectional" ? 2 : 1; }
  bool isReverse(unsigned number) const { return direction == "reverse" || number == 1; }
};

/// One direction of a layer while its steps are built. All tensors are of the compute type.
struct Direction {
  const RecurrentLayer &layer;
  llvm::ArrayRef<GateActivation> activations;
  mlir::Value w, r, wBias, rBias, peepholes;
  /// The step that is built begins with a state of zeros.
  bool isFirst = false;

  /// Gate `number` of a batch x (gates * hidden) tensor, as loops over batch x hidden read it.
  Access gate(GenericBuilder &b, mlir::Value gates, unsigned number) const;
  /// Peephole weights of gate `number` of a layer that has some.
  Access peephole(GenericBuilder &b, unsigned number) const;
  /// The shares of `state` (batch x hidden) in gates `first` to `first + count - 1`, of its shape: sums of one loop, so
  /// that what a point makes of all its gates follows in registers.
  Values recurrence(GenericBuilder &b, mlir::Value state, unsigned first, unsigned count) const;
};

/// Computes the next state (h, and c for LSTM) from the input's share of the gates (batch x gates * hidden, with the
/// biases that no product is scaled with) and the state before.
using Cell =
    llvm::function_ref<Values(GenericBuilder &b, const Direction &direction, mlir::Value inputGates, Values state)>;

/// Reads names, alphas and betas of activations; fails after an error.
llvm::FailureOr<llvm::SmallVector<GateActivation>>
readActivations(mlir::Operation *op, llvm::ArrayRef<llvm::StringRef> defaults, unsigned directions);

/// Results: Y, Y_h and, for a state of two, Y_c; null where the operation does not ask for them.
Values runLayer(GenericBuilder &b, const RecurrentLayer &layer, unsigned stateSize, Cell cell);

} // namespace cameo::lower

#endif
