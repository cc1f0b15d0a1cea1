// The stages of Winograd's minimal filtering as loop nests: input transform, products, output transform.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_WINOGRADSTAGES_H
#define CAMEO_PASSES_SCHEDULE_NESTS_REWRITE_WINOGRADSTAGES_H

#include "passes/Schedule/Nests/Rewrite/RewriteWinograd.h"
#include "passes/Schedule/Nests/Rewrite/WinogradTransform.h"

namespace cameo::schedule {

class WinogradStages {
public:
  /// Builds stages of `nest`, and adds buffers and operations to `program`. All arguments but `step` must outlive this
  /// object.
  WinogradStages(TaskProgram &program, const LoopNest &nest, const ConvolutionNest &roles, const WinogradStep &step);

  /// Adds the buffers between the stages for `tiles` tiles, one per row if `perRow`. Must be called before the stages
  /// below are built.
  void addBuffers(const Size &tiles, bool perRow);
  /// Adds the buffer for the part of the filter that is transformed at run time.
  void addFilterBuffer();

  LoopNest transformInput(const TileSpace &space) const;
  /// Builds one matrix product per element of a tile: tiles by channels.
  /// The buffer of the filter becomes one of f32.
  LoopNest multiply(const TileSpace &space);
  /// Builds the output transform, including the operations after the sum.
  LoopNest transformOutput(const TileSpace &space) const;

  /// Builds the transform of one part of the filter. The first dimensions are the parts of the outputs and of the
  /// inputs.
  LoopNest transformFilter() const;
  /// Builds the products of one part of the filter. The first part of the inputs starts from 0, later parts continue
  /// its sums.
  LoopNest multiplyPart(const TileSpace &space) const;

private:
  /// A buffer with a block of `stride` values per element of a transformed tile. A block holds the values of all tiles,
  /// channels innermost; for the filter those of all inputs, outputs innermost.
  struct Tiles {
    unsigned buffer = 0;
    Size stride = 0;
  };

  void makeOperations();
  Tiles addBuffer(const Size &count, bool perRow);
  LoopNest makeNest(const char *stage, const TileSpace &space, int64_t channels) const;
  llvm::SmallVector<NodeId> transformTile(LoopNest &into, const RationalMatrix &matrix,
                                          llvm::ArrayRef<NodeId> tile) const;
  NodeId cloneInto(LoopNest &into, NodeId id, llvm::ArrayRef<LinearForm> dims, NodeId sum = 0) const;
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
  mlir::Type type; ///< of the sum, in which all stages compute
  int64_t size, inputChannels, outputChannels;
  ScalarOps ops;
  mlir::Operation *isSame = nullptr, *choose = nullptr;
  Tiles inputs, filters, products;
};

} // namespace cameo::schedule

#endif
