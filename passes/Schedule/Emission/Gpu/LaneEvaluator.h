// Computes neighbouring points of one GPU thread: contiguous elements are loaded and stored by one access of up to 16
// bytes.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_GPU_LANEEVALUATOR_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_GPU_LANEEVALUATOR_H

#include "passes/Schedule/Emission/Gpu/BlockVectors.h"
#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// The points of a thread: `count` of them along `dim`, a power of two, starting at a multiple of `count`; and all
/// combinations of these with as many points along other dimensions as `others` says.
struct Lanes {
  unsigned dim = 0;
  int64_t count = 1;
  llvm::SmallVector<Loop, 2> others = {};

  /// Returns the number of points along `along`.
  int64_t countAlong(unsigned along) const;
  /// Returns the number of all points.
  int64_t points() const;
  /// Returns all points, of which `first` is the first one.
  std::vector<Point> pointsFrom(const Point &first) const;
};

/// Returns the maximum number of elements of `type` per access.
int64_t mostLanes(mlir::Type type);

class LaneEvaluator : public NodeEvaluator {
public:
  /// Loads of `vectors` read shared memory, if these are given.
  LaneEvaluator(mlir::OpBuilder &builder, const LoopNest &nest, llvm::ArrayRef<mlir::Value> buffers,
                llvm::ArrayRef<Position> positions, Lanes lanes, const BlockVectors *vectorsOfBlock = nullptr)
      : NodeEvaluator(builder, nest.loc, nest, buffers, positions), lanes(lanes), vectorsOfBlock(vectorsOfBlock) {}

  /// Stores `output` at the points from `first` on; `accumulators` has the running results of each of them.
  void storeLanes(const Output &output, const Point &first,
                  llvm::ArrayRef<llvm::SmallVector<mlir::Value>> accumulators);

  /// Loads what outputs at the points from `first` on read, apart from gathers, so that later stores do not delay it.
  void loadLanes(const Point &first);

  /// Brings the cache line of what `node`, a load, reads at `point` to the second-level cache.
  void prefetch(const Node &node, const Point &point);

protected:
  mlir::Value load(const Node &node, const Point &point) override;

private:
  /// For each element that the points of a thread access, by the constant part of its address, its point.
  using Elements = std::map<int64_t, Point>;

  Elements elementsOf(const LinearForm &form, const Point &first) const;
  int64_t alignmentOf(const LinearForm &form, unsigned buffer) const;
  /// Returns the place of the first element, and the number of elements, of the access that contains the element at
  /// `place`.
  static std::pair<int64_t, int64_t> accessAt(int64_t place, const Elements &elements, int64_t alignment);
  mlir::Value loadShared(NodeId load, const BlockVector &vector, int64_t offset);

  Lanes lanes;
  const BlockVectors *vectorsOfBlock;
  std::map<std::tuple<NodeId, int64_t, int64_t>, mlir::Value> vectors; ///< by place and number of elements
};

} // namespace cameo::schedule

#endif
