// Computes nodes of a nest at points of the current register block: vectors where they differ along the vector
// dimension, else scalars.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_CPU_POINTEVALUATOR_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_CPU_POINTEVALUATOR_H

#include "passes/Schedule/Emission/Shared/NodeEvaluator.h"
#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// What a call of a kernel has of the points that every block of weights is run through by: `before` is the number of
/// its first piece of the parallel range, of as many that `pieces` are `points`, and `reciprocal` of its own points in
/// units of 2^-fraction.
struct PointShare {
  mlir::Value before, reciprocal;
  int64_t pieces, points;
  static constexpr int64_t fraction = 32; ///< bits
};

/// The share of a call that runs through pieces [begin, end) of the parallel range. An empty one counts as one piece.
PointShare sharePoints(mlir::OpBuilder &builder, mlir::Location loc, const LoopNest &nest, const NestSchedule &schedule,
                       mlir::Value begin, mlir::Value end);

class PointEvaluator : public NodeEvaluator {
public:
  PointEvaluator(mlir::OpBuilder &builder, mlir::Location loc, const LoopNest &nest, const NestSchedule &schedule,
                 llvm::ArrayRef<mlir::Value> buffers, llvm::ArrayRef<Position> positions, const Machine &machine)
      : NodeEvaluator(builder, loc, nest, buffers, positions), schedule(schedule), machine(machine) {}

  void store(const Output &output, const Point &point, llvm::ArrayRef<mlir::Value> accumulators) override;

  /// The group of bytes of `node` from `point` along the schedule's dot dimension: those of every lane, side by side.
  /// Beyond the dimension's end bytes that all lanes share are 0.
  mlir::Value loadGroup(NodeId node, const Point &point);

  /// Fetches what this step of a reduction asks for of the next block of `node`, a packed load. `panel` is where the
  /// loops stood when they came to the block in use: how much of its work is done counts from there, and with a `share`
  /// from its begin.
  void prefetch(NodeId node, llvm::ArrayRef<Position> panel, const std::optional<PointShare> &share);

  /// Where the outermost parallel loop halves a plane, the next one is over blocks of the vector dimension, and loop
  /// `level` the one inside of them over the rows of a half: fetches the part that a row asks for of what windows of
  /// both halves read in the next block. `panel` is where the loops stood when they came to the block in use. Nothing
  /// in a call that has all of the parallel range: `called` is the part that it has.
  void prefetchOverlaps(unsigned level, llvm::ArrayRef<Position> panel, std::pair<mlir::Value, mlir::Value> called);

  /// `value` as a vector of the schedule's lanes.
  mlir::Value asVector(mlir::Value value);

  /// A mask of the lanes in use at `point`; null where these are all (fewer are at the end of a dimension).
  mlir::Value maskAt(const Point &point);

private:
  bool isVector(const Node &node) const;
  LinearForm packedForm(const Node &node) const;
  LinearForm packedForm(const Node &node, const Point &point) const;
  /// A mask of the first `lanes` lanes; null of all.
  mlir::Value maskOf(int64_t lanes);
  /// The most lanes in use at `point`.
  int64_t lanesAt(const Point &point) const;
  /// The places of the lanes from the first lane's on, `stride` apart.
  mlir::Value laneOffsets(const Size &stride);
  mlir::Value loadLanes(const Node &node, mlir::Value address, const Size &stride, const Point &point);
  mlir::Value loadSpread(const Node &node, mlir::Value address, int64_t stride, int64_t count);
  mlir::Value loadMaskedLanes(const Node &node, mlir::Value address, mlir::Value offsets, mlir::Value mask);
  mlir::Value loadVector(const Node &node, mlir::Value address, mlir::Value mask);
  mlir::Value load(const Node &node, const Point &point) override;
  struct PlaceInRun {
    int64_t step, offset;
  };
  PlaceInRun placeInRun(const SharedRun &shared, const Point &point) const;
  std::optional<Size> elementKey(const Node &node, const Point &point) const override;
  mlir::Value loadOfRun(const Node &node, const Point &point);
  mlir::Value loadShared(const Node &node, const Point &point);
  mlir::Value loadRuns(const Node &node, const Point &point, int64_t step);
  mlir::Value loadTransposed(const Node &node, const Point &point, unsigned along);
  /// Of the load at `point` the elements of all steps that it has, and the step of `point` among them; null where that
  /// is not one of several.
  std::pair<mlir::Value, int64_t> loadFactors(const Node &node, const Point &point, int64_t elements);
  mlir::Value loadSharedGroup(const Node &node, const Point &point);
  mlir::Value gather(const Node &node, const Point &point, llvm::ArrayRef<mlir::Value> accumulators) override;
  mlir::Value indexValue(const Node &node, const Point &point) override;
  mlir::Value apply(const Node &node, const Point &point, llvm::ArrayRef<mlir::Value> accumulators) override;
  mlir::Value limit(const Node &node, const Point &point, llvm::ArrayRef<mlir::Value> accumulators);
  mlir::Value fusedMultiplyAdd(const Node &node, const Point &point, llvm::ArrayRef<mlir::Value> accumulators);

  const NestSchedule &schedule;
  Machine machine;
  /// Of runs that fill a vector, by address and number of lanes: all elements (number -1), and those of a part for all
  /// points.
  std::map<std::tuple<const Node *, int64_t, int64_t, int64_t>, mlir::Value> runs;
  std::map<std::pair<const Node *, Point>, llvm::SmallVector<mlir::Value>> squares; ///< by their first point
  std::map<std::pair<const Node *, Size>, mlir::Value> factors;    ///< of several steps, by the first one's address
  std::map<std::tuple<NodeId, Size, int64_t>, mlir::Value> groups; ///< by address and number of bytes
  std::map<int64_t, mlir::Value> masks,
      countedMasks; ///< by the number of lanes, and by the first one's offset where the run counts them
  llvm::DenseMap<mlir::Value, mlir::Value> vectors;
};

} // namespace cameo::schedule

#endif
