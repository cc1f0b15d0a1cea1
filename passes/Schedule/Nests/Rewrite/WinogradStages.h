// The stages of Winograd's minimal filtering as loop nests: transformations of tiles, products, and back.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_WINOGRADSTAGES_H
#define CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_WINOGRADSTAGES_H

#include "passes/Schedule/Nests/Rewrite/RewriteWinograd.h"
#include "passes/Schedule/Nests/Rewrite/WinogradTransform.h"

namespace cameo::schedule {

class WinogradStages {
public:
  /// Of `nest` in `program`, where they add buffers and operations. All but `step` outlives the stages.
  WinogradStages(TaskProgram &program, const LoopNest &nest, const ConvolutionNest &roles, const WinogradStep &step);

  /// Buffers for what passes between the stages of so many tiles, of which each row may have its own. The nests below
  /// read and write these.
  void addBuffers(int64_t tiles, bool perRow);
  /// The part of a filter that is transformed as the model runs.
  void addFilterBuffer();

  LoopNest transformInput(const TileSpace &space) const;
  /// One matrix product per element of a tile: tiles by channels.
  LoopNest multiply(const TileSpace &space) const;
  /// With what followed the sum.
  LoopNest transformOutput(const TileSpace &space) const;

  /// Of a part of the outputs and one of the inputs, which are the first dimensions.
  LoopNest transformFilter() const;
  /// The products of that part; those of the first inputs begin with 0, the next ones go on from what these left.
  LoopNest multiplyPart(const TileSpace &space) const;

private:
  /// Per element of a transformed tile, so far apart: values of all tiles, channels innermost; of the filter, those of
  /// inputs, outputs innermost.
  struct Tiles {
    unsigned buffer = 0;
    int64_t stride = 0;
  };

  void makeOperations();
  Tiles addBuffer(int64_t count, bool perRow);
  LoopNest makeNest(const char *stage, const TileSpace &space, int64_t channels) const;
  llvm::SmallVector<NodeId> transformTile(LoopNest &into, const RationalMatrix &matrix,
                                          llvm::ArrayRef<NodeId> tile) const;
  NodeId cloneInto(LoopNest &into, NodeId id, llvm::ArrayRef<LinearForm> dims, NodeId sum) const;
  LinearForm substitute(const LinearForm &form, llvm::ArrayRef<LinearForm> dims) const;
  LinearForm between(const TileSpace &space, int64_t element, int64_t channels, const Tiles &tiles) const;
  Node loadFrom(unsigned buffer, LinearForm address) const;
  NodeId apply(LoopNest &into, mlir::Operation *op, llvm::ArrayRef<NodeId> operands) const;
  NodeId zeroOf(LoopNest &into) const;
  void addSum(LoopNest &stage, NodeId initial, Node input, Node filter, LinearForm address) const;
  RationalMatrix exactFilterMatrix() const;
  double sumScale() const;

  TaskProgram &program;
  const LoopNest &nest;
  const ConvolutionNest &roles;
  WinogradStep step;
  const WinogradTransform &transform;
  int64_t size, inputChannels, outputChannels;
  ScalarOps ops;
  mlir::Operation *isSame = nullptr, *choose = nullptr;
  Tiles inputs, filters, products;
};

} // namespace cameo::schedule

#endif
