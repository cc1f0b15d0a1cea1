// How a convolution combines channels (all with all, each with itself, in groups), and the loops and indices that
// follow; shared by all ranks and by transposed convolutions.
#ifndef CAMEO_PASSES_LOWER_FORMULAS_CHANNELROLES_H
#define CAMEO_PASSES_LOWER_FORMULAS_CHANNELROLES_H

#include "passes/Lower/Builders/GenericBuilder.h"

namespace cameo::lower {

/// The loop order is n, [g], spatial..., [extra...], c (output channel), then the reductions [k] (input channel),
/// kernel... A depthwise convolution has no k. Only a grouped convolution has g; its channel dimensions are split into
/// (g, c).
class ChannelRoles {
public:
  enum class Kind { Dense, Depthwise, Grouped };

  /// `extra` is the number of parallel loops between the spatial loops and the channel.
  ChannelRoles(GenericBuilder &b, int64_t groups, Dim inputChannels, Dim outputChannels, unsigned spatialRank,
               bool channelsLast, unsigned extra = 0);

  Kind getKind() const { return kind; }
  unsigned firstSpatial() const { return kind == Kind::Grouped ? 2 : 1; }
  unsigned firstExtra() const { return firstSpatial() + spatialRank; }
  unsigned outputChannel() const { return firstExtra() + extra; }
  unsigned inputChannel() const { return outputChannel() + 1; }
  unsigned firstKernel() const { return outputChannel() + (kind == Kind::Depthwise ? 1 : 2); }
  /// Returns the loop nest, with one reduction for each of `kernelRank` kernel dimensions.
  Loops loops(unsigned kernelRank) const;

  /// Splits the channel dimension of an activation if there are groups. The functions below return its index, given the
  /// spatial index.
  mlir::Value splitActivation(mlir::Value tensor) const;
  Exprs activationIndex(const Exprs &spatial, unsigned channelLoop) const;
  Exprs inputIndex(const Exprs &spatial) const;
  Exprs outputIndex(const Exprs &spatial) const { return activationIndex(spatial, outputChannel()); }
  /// Returns the position of the first spatial dimension in a split activation.
  unsigned spatialPosition() const;
  /// Undoes splitActivation.
  mlir::Value joinActivation(mlir::Value tensor) const;

  /// Splits a filter of the shape output x input/g x kernel, or input x output/g x kernel if transposed; `filterIndex`
  /// returns its index.
  mlir::Value splitFilter(mlir::Value tensor) const;
  Exprs filterIndex(const Exprs &kernel, bool transposed) const;
  /// Returns the access to a vector over output channels in elementwise loops over a split output with `spatialDims`
  /// spatial dimensions.
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
