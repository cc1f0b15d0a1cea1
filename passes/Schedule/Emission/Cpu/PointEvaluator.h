// Computes nodes of a nest at points of the current register block: as vectors if they vary along the vector dimension,
// otherwise as scalars.
#ifndef CAMEO_PASSES_SCHEDULE_EMISSION_CPU_POINTEVALUATOR_H
#define CAMEO_PASSES_SCHEDULE_EMISSION_CPU_POINTEVALUATOR_H

#include "passes/Schedule/Emission/Shared/NodeEvaluator.h"
#include "passes/Schedule/Rules/NestSchedule.h"

namespace cameo::schedule {

/// The part of a kernel call in the points that share every block of weights. `before` is the number of its first piece
/// of the parallel range, where `pieces` pieces are `points` points; `reciprocal` is the reciprocal of the number of
/// its own points in units of 2^-fraction.
struct PointShare {
  mlir::Value before, reciprocal;
  int64_t pieces, points;
  static constexpr int64_t fraction = 32; ///< bits
};

/// Returns the share of a call for pieces [begin, end) of the parallel range. An empty range counts as one piece.
PointShare sharePoints(mlir::OpBuilder &builder, mlir::Location loc, const LoopNest &nest, const NestSchedule &schedule,
                       mlir::Value begin, mlir::Value end);

class PointEvaluator : public NodeEvaluator {
public:
  PointEvaluator(mlir::OpBuilder &builder, mlir::Location loc, const LoopNest &nest, const NestSchedule &schedule,
                 llvm::ArrayRef<mlir::Value> buffers, llvm::ArrayRef<Position> positions, const Machine &machine)
      : NodeEvaluator(builder, loc, nest, buffers, positions), schedule(schedule), machine(machine) {}

  void store(const Output &output, const Point &point, llvm::ArrayRef<mlir::Value> accumulators) override;

  /// Returns the groups of bytes of `node` from `point` along the schedule's dot dimension, for all lanes. Bytes beyond
  /// the end of the dimension are 0 in factors that all lanes share.
  mlir::Value loadGroup(NodeId node, const Point &point);

  /// Prefetches the part of the next block of `node`, a packed load, that belongs to this step of a reduction. `panel`
  /// are the positions at the begin of the current block, from which the progress within the block is measured; with
  /// `share`, the progress is measured from the begin of the call's points.
  void prefetch(NodeId node, llvm::ArrayRef<Position> panel, const std::optional<PointShare> &share);

  /// Prefetches elements that windows of both halves of a plane read in the next block of channels. Applies if the
  /// outermost parallel loop halves a plane, the next one is over blocks of the vector dimension, and loop `level`
  /// inside of them is over the rows of a half; each row prefetches a part. `panel` are the positions at the begin of
  /// the current block. `called` is the part of the parallel range of this call; a call with the whole range prefetches
  /// nothing.
  void prefetchOverlaps(unsigned level, llvm::ArrayRef<Position> panel, std::pair<mlir::Value, mlir::Value> called);

  /// Broadcasts `value` to a vector of the schedule's lanes unless it is one.
  mlir::Value asVector(mlir::Value value);

  /// Returns the mask of the lanes in use at `point`, or null if all are (the end of a dimension may have fewer).
  mlir::Value maskAt(const Point &point);

private:
  bool isVector(const Node &node) const;
  LinearForm packedForm(const Node &node) const;
  LinearForm packedForm(const Node &node, const Point &point) const;
  /// Returns a mask of the first `lanes` lanes, or null if these are all.
  mlir::Value maskOf(int64_t lanes);
  /// Returns the maximum number of lanes in use at `point`.
  int64_t lanesAt(const Point &point) const;
  /// Returns the offsets of the lanes from the first lane, with distance `stride`.
  mlir::Value laneOffsets(const Size &stride);
  void storeInterleaved(const Output &output, const Point &point, unsigned dim, mlir::Value value, mlir::Value memory);
  mlir::Value loadLanes(const Node &node, mlir::Value address, const Size &stride, const Point &point);
  mlir::Value loadShuffled(const Node &node, mlir::Value address, llvm::ArrayRef<int64_t> offsets,
                           Reach<int64_t> elements, llvm::SmallVectorImpl<mlir::Value> &vectors,
                           llvm::function_ref<mlir::Value(int64_t first, int64_t count)> maskOf = {});
  mlir::Value loadSpread(const Node &node, const Point &point);
  /// The row that holds the first lane of a vector, and how many rows further each lane is.
  struct KnownRows {
    mlir::Value first;
    llvm::SmallVector<int64_t> further;
  };
  std::optional<KnownRows> knownRows(NodeId id, const Point &point);
  mlir::Value loadRows(const Node &node, const Point &point);
  /// Whether a masked load or store takes about as long as one of a whole vector. Without mask registers, a masked
  /// store of 32 bytes is microcoded on some processors, and one of bytes becomes a store per lane.
  bool hasMaskRegisters() const { return machine.vectorRegisters >= 32 && machine.vectorBytes > 16; }
  /// Returns the number of lanes from `point` on, where only a run knows it: less than 1 if there are none.
  mlir::Value lanesLeft(const Point &point);
  /// Returns `address` if there is a lane at `point`, else the place of the first element of a buffer.
  mlir::Value orFirstElement(mlir::Value address, const Point &point);
  /// Loads the lanes of `mask`, each at its offset from `address`. Other lanes hold any element.
  mlir::Value loadMaskedLanes(const Node &node, mlir::Value address, mlir::Value offsets, mlir::Value mask);
  /// Returns the mask of those of `count` elements, from offset `first` on, that lanes from `point` on read: `between`
  /// elements for each lane, lanes being `stride` elements apart.
  mlir::Value maskOfElements(const Point &point, const Size &stride, int64_t between, int64_t first, int64_t count);
  /// Stores the lanes from `point` on of `value`, `stride` elements apart.
  void storeCountedLanes(mlir::Value value, mlir::Value memory, mlir::Value address, const Size &stride,
                         const Point &point);
  mlir::Value loadStored(const Node &node, mlir::Value address, int64_t count, mlir::Value mask);
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
  /// Loads the elements of several steps at once, if `node` allows it, and returns them with the step of `point` among
  /// them; null otherwise.
  std::pair<mlir::Value, int64_t> loadFactors(const Node &node, const Point &point, int64_t elements);
  mlir::Value loadSharedGroup(const Node &node, const Point &point);
  mlir::Value gather(const Node &node, const Point &point, llvm::ArrayRef<mlir::Value> accumulators) override;
  mlir::Value indexValue(const Node &node, const Point &point) override;
  mlir::Value apply(const Node &node, const Point &point, llvm::ArrayRef<mlir::Value> accumulators) override;
  mlir::Value limit(const Node &node, const Point &point, llvm::ArrayRef<mlir::Value> accumulators);
  mlir::Value fusedMultiplyAdd(const Node &node, const Point &point, llvm::ArrayRef<mlir::Value> accumulators);

  const NestSchedule &schedule;
  Machine machine;
  /// Loads of shared runs, by address and number of lanes: all elements (number -1), and the elements of one part for
  /// all points.
  std::map<std::tuple<const Node *, int64_t, int64_t, int64_t>, mlir::Value> runs;
  std::map<std::pair<const Node *, Point>, llvm::SmallVector<mlir::Value>> squares; ///< and vectors that hold
                                                                                    ///< elements, by the first point
  std::map<std::pair<const Node *, Size>, mlir::Value> factors;    ///< elements of several steps, by the address of the
                                                                   ///< first one
  std::map<std::tuple<NodeId, Size, int64_t>, mlir::Value> groups; ///< by address and number of bytes
  std::map<int64_t, mlir::Value> masks,
      countedMasks; ///< by the number of lanes, and for dynamic sizes by the offset of the first lane
  /// Vectors of an output that wait for their neighbours, by the first point.
  std::map<std::pair<const Output *, Point>, llvm::SmallVector<mlir::Value>> interleaved;
  llvm::DenseMap<mlir::Value, mlir::Value> vectors;
};

} // namespace cameo::schedule

#endif
