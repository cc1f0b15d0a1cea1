// The three ways in which a convolution couples channels (all with all, each with itself, in groups), and the loops and
// indices that follow from them; the same for all ranks and for transposed convolutions.
#ifndef CAMEO_PASSES_LOWER_FORMULAS_CHANNELROLES_H
#define CAMEO_PASSES_LOWER_FORMULAS_CHANNELROLES_H

#include "passes/Lower/Builders/GenericBuilder.h"

namespace cameo::lower {

/// Loop order: n, [g], spatial..., [extra...], c (output channel) and then [k] (input channel), kernel... as
/// reductions. With one filter per channel there is no k; g exists only for real groups, whose channel dimensions are
/// split into (g, c).
class ChannelRoles {
public:
  enum class Kind { Dense, Depthwise, Grouped };

  /// `extra` are parallel loops between space and the channel.
  ChannelRoles(GenericBuilder &b, int64_t groups, Dim inputChannels, Dim outputChannels, unsigned spatialRank,
               bool channelsLast, unsigned extra = 0);

  Kind getKind() const { return kind; }
  unsigned firstSpatial() const { return kind == Kind::Grouped ? 2 : 1; }
  unsigned firstExtra() const { return firstSpatial() + spatialRank; }
  unsigned outputChannel() const { return firstExtra() + extra; }
  unsigned inputChannel() const { return outputChannel() + 1; }
  unsigned firstKernel() const { return outputChannel() + (kind == Kind::Depthwise ? 1 : 2); }
  /// Loops with one reduction per kernel dimension that `kernelRank` counts.
  Loops loops(unsigned kernelRank) const;

  /// An activation with its channel dimension split where groups need it; its index, given the spatial one.
  mlir::Value splitActivation(mlir::Value tensor) const;
  Exprs activationIndex(const Exprs &spatial, unsigned channelLoop) const;
  Exprs inputIndex(const Exprs &spatial) const;
  Exprs outputIndex(const Exprs &spatial) const { return activationIndex(spatial, outputChannel()); }
  /// Where the first spatial dimension is in a split activation.
  unsigned spatialPosition() const;
  /// Undoes splitActivation.
  mlir::Value joinActivation(mlir::Value tensor) const;

  /// A filter (output x input/g x kernel, or input x output/g x kernel when transposed) and its index.
  mlir::Value splitFilter(mlir::Value tensor) const;
  Exprs filterIndex(const Exprs &kernel, bool transposed) const;
  /// A vector over output channels, as elementwise loops over a split output with that many dimensions of space read
  /// it.
  Access biasAccess(mlir::Value bias, unsigned spatialDims) const;

private:
  unsigned channelPosition() const { return channelsLast ? 1 + spatialRank : 1; }

  GenericBuilder &b;
  int64_t groups;
  unsigned spatialRank;
  bool channelsLast;
  unsigned extra;
  Kind kind;
};

} // namespace cameo::lower

#endif
