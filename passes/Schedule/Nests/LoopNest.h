// The compute DAG of one task as the emitter sees it: buffers, and loop nests that read and write them through linear
// addresses. Built from the task's linalg body (BuildNests), given loops by a schedule, printed, verified, emitted.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_LOOPNEST_H
#define CAMEO_PASSES_SCHEDULE_NESTS_LOOPNEST_H

#include "dialects/Loop/LoopEnums.h"
#include "passes/Schedule/Nests/LinearForm.h"
#include "passes/Schedule/Nests/Rewrite/RationalMatrix.h"

#include "mlir/IR/Block.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace cameo::schedule {

/// A dense one-dimensional array of elements: what `loop.buffer` says, in the same words.
struct Buffer {
  loop::Role role;
  loop::Space space = loop::Space::Global;
  unsigned index = 0; ///< the number of the argument or result
  Size elements = 0;
  mlir::Type elementType = {};   ///< as in the tensor; i1 is stored as a byte
  mlir::ElementsAttr table = {}; ///< the elements of a table, a small constant of the body
  bool packable = false;         ///< an argument that is a constant at every call: may be laid out anew
  bool perRow = false;           ///< a temporary of which each row of its group has one of its own (see NestGroup)

  /// A temporary with the lifetime of the task.
  static Buffer scratch(Size elements, mlir::Type elementType) {
    return {loop::Role::Temporary, loop::Space::Arena, 0, std::move(elements), elementType};
  }

  bool isArgument() const { return role == loop::Role::Argument; }
  bool isResult() const { return role == loop::Role::Result; }
  bool isTemporary() const { return role == loop::Role::Temporary; }
  bool isTable() const { return role == loop::Role::Table; }
  /// Whether all rows share the temporary.
  bool isScratch() const { return isTemporary() && !perRow; }
  /// From now on each row has so many elements of its own, which lie on the stack until a rule decides otherwise.
  void becomeRow(Size rowElements) {
    perRow = true;
    space = loop::Space::Stack;
    elements = std::move(rowElements);
  }
};

using NodeId = int;

/// How a load finds its element in an operand that was laid out anew for the nest: blocks of the vector dimension, in
/// each the reduction in loop order, innermost one padded vector block. Address = offset + sum over d of index[d] *
/// (fixed[d] + perWidth[d] * width) where width is the current block's padded width; the vector dimension's index
/// counts `blockStride` per element up to the block's begin and `group` from there. Blocks have `width` elements, of
/// which the loops take one or several blocks at once, or as many as the loops take. With a dot schedule so many
/// elements along its dimension lie side by side; the index there is a multiple of that. Where it is known only
/// at run time how much is read, the vector dimension is one block, which nothing pads.
struct PackedLayout {
  int64_t offset = 0;
  int64_t blockStride = 0;
  int64_t group = 1;
  llvm::SmallVector<Size, 8> fixed;
  llvm::SmallVector<int64_t, 8> perWidth;
  int64_t width = 0;       ///< 0: what the loops take
  bool prefetched = false; ///< see NestSchedule::prefetchedBuffers
  bool operator==(const PackedLayout &other) const = default;
};

/// The index along `dim` counts rows of `matrix`, whose columns are neighbours along the dimension in memory: what is
/// loaded is the product with them. Along several dimensions one after the other.
struct DimensionTransform {
  unsigned dim;
  const RationalMatrix *matrix;
  bool operator==(const DimensionTransform &other) const = default;
};

/// Runs of `length` points, counted by `position`, that read the same: the element at `address` - (`position` mod
/// `length`).
struct SharedRun {
  LinearForm position;
  int64_t length;
  bool operator==(const SharedRun &other) const = default;
};

/// One value of the expression tree of a nest, computed at one point of its iteration space.
struct Node {
  enum class Kind {
    Load,        ///< element of `buffer` at `address`
    Gather,      ///< element of `buffer` at `address` + sum of operands[i] * strides[i]
    Constant,    ///< `constant`
    Index,       ///< `address` as an index value
    Accumulator, ///< running value number `accumulator` of the nest's reduction
    Apply        ///< `op` (a scalar operation) on the operands
  };
  Kind kind;
  mlir::Type type;
  unsigned buffer = 0;
  LinearForm address;
  llvm::SmallVector<Size, 4> strides;
  mlir::TypedAttr constant;
  unsigned accumulator = 0;
  mlir::Operation *op = nullptr;
  llvm::SmallVector<NodeId, 3> operands;
  std::optional<PackedLayout> packed;                  ///< of a Load
  std::optional<SharedRun> shared;                     ///< of a Load that is not packed
  llvm::SmallVector<DimensionTransform, 0> transforms; ///< of a Load that must be packed
  uint64_t dependsOn = 0;                              ///< bit d: the value differs along dimension d
  bool usesAccumulator = false;
};

struct Dimension {
  Size extent;
  bool reduction;
};

/// One store: `value` goes to `buffer` at `address`, and `index` times `stride` further where that is computed, at
/// every point of the parallel dimensions.
struct Output {
  NodeId value;
  unsigned buffer;
  LinearForm address;
  std::optional<NodeId> index = {};
  int64_t stride = 0;
};

struct Reduction {
  NodeId initial; ///< constant along the reduction dimensions
  NodeId update;  ///< new value, from the Accumulator nodes and loads
};

/// The least and the greatest value of a linear form.
template <typename Number> struct Reach {
  Number least, greatest;

  /// Values from the least to the greatest, whether the form takes them or not.
  Number count() const { return greatest - least + Number(1); }
};

/// A perfect nest over `dims`: for each point of the parallel dimensions, run the reductions over the others, then the
/// outputs. At most 64 dimensions.
struct LoopNest {
  std::string name;
  mlir::Location loc;
  std::vector<Dimension> dims;
  std::vector<Node> nodes;
  std::vector<Reduction> reductions;
  std::vector<Output> outputs;

  explicit LoopNest(mlir::Location loc) : loc(loc) {}

  Size parallelPoints() const;
  /// Whether no extent and no address depends on the run.
  bool hasKnownSizes() const;
  bool hasReduction() const { return !reductions.empty(); }
  /// Every node that is computed inside the reduction loops (true) or in the outputs (false), operands first.
  llvm::SmallVector<NodeId> computed(bool insideReduction) const;
  /// Every load or gather that happens inside the reduction loops (true) or in the outputs (false).
  llvm::SmallVector<NodeId> loads(bool insideReduction) const;
  /// How far `form` reaches while the dimensions of `along` (bit d: dimension d) run through their extents and the
  /// others stay at 0. As `Size` it is exact; as a plain number it takes the estimates of dynamic sizes. Of a
  /// dimension without points it is no bound.
  template <typename Number> Reach<Number> reach(const LinearForm &form, uint64_t along = ~uint64_t(0)) const;
};

template <typename Number> Reach<Number> LoopNest::reach(const LinearForm &form, uint64_t along) const {
  Reach<Number> reach{Number(form.constant), Number(form.constant)};
  for (auto [dim, dimension] : llvm::enumerate(dims))
    if (const Size &stride = form.coefficients[dim]; stride != 0 && (along >> dim) & 1)
      (stride < 0 ? reach.least : reach.greatest) += Number(stride) * (Number(dimension.extent) - Number(1));
  return reach;
}

/// Nests that one kernel runs. With `rowDims` > 0 they share their first dimensions and all run for one point of these
/// before the next (softmax, normalisations, overlapped tiles of a plane): what passes between them is one row, in a
/// stack buffer or in the arena. Several nests without row dimensions are small and run one after the other on one
/// thread.
struct NestGroup {
  std::vector<LoopNest> nests;
  unsigned rowDims = 0;
  /// Its rows follow those of the group before in one parallel range: rows of another kind.
  bool continues = false;
  /// The dimension behind the rows is of points that share a matrix of their row: the nests may run in overlapped tiles
  /// of it (see OverlappedTiling).
  bool sharesMatrix = false;
  /// The last so many of the row dimensions run in order on one thread and may read what earlier rows left in buffers
  /// (recurrent layers, running sums, parts of a reduction).
  unsigned orderedDims = 0;

  /// It runs in the kernel of the group before, in the same range (ShareKernels.h).
  bool sharesKernel = false;

  /// Whether threads share none of its rows: a loop over tensors.
  bool isLoop() const { return orderedDims > 0 && orderedDims == rowDims; }
  /// How often the nests run for one point of the rows that threads share.
  Size orderedRows() const;
  /// Points of the row dimensions that threads share.
  Size parallelRows() const;
  /// Whether one of the nests stores to `buffer`: then no copy of it can be made before the group.
  bool writes(unsigned buffer) const;
};

struct TaskProgram {
  std::vector<Buffer> buffers;
  std::vector<NestGroup> groups;
  /// Holds operations that nodes apply and no body contains.
  std::shared_ptr<mlir::Block> operations;
  /// Matrices that nodes point to, where they were read from IR.
  std::shared_ptr<std::deque<RationalMatrix>> matrices;

  bool hasKnownSizes() const;
};

/// Bytes of all the row-local buffers of a group that lie on the stack. Larger rows are in the arena.
constexpr int64_t maxRowBytes = 256 * 1024;

/// Whether `node` is one of the functions that have no instruction.
bool isLongFunction(const Node &node);

/// The number of `node` in `nest`: that of its equal, or a new one.
NodeId addNode(LoopNest &nest, Node node);

/// The same without a look for an equal one.
NodeId appendNode(LoopNest &nest, Node node);

/// The reduction whose steps read, one by one, the `length` neighbours from the address of `node` on.
std::optional<unsigned> stepInRun(const LoopNest &nest, const Node &node, int64_t length);

/// Calls `fn` on every linear form of the nest.
void forEachForm(LoopNest &nest, llvm::function_ref<void(LinearForm &)> fn);

/// Calls `fn(buffer, address, isIndirect)` on every access of the nest, constant or not, to a buffer.
template <typename Nest, typename Fn> void forEachAccess(Nest &nest, Fn fn) {
  for (auto &node : nest.nodes)
    if (node.kind == Node::Kind::Load || node.kind == Node::Kind::Gather)
      fn(node.buffer, node.address, node.kind == Node::Kind::Gather);
  for (auto &output : nest.outputs)
    fn(output.buffer, output.address, output.index.has_value());
}

/// Recomputes what the nodes depend on from their addresses and operands.
void updateDependences(LoopNest &nest);

/// Prints nests as readable loops, for tests and `-v`.
void print(const TaskProgram &program, llvm::raw_ostream &os);
/// The same of `nest`, one of `program`.
void print(const TaskProgram &program, const LoopNest &nest, llvm::raw_ostream &os);

/// Makes two dimensions of `dim`, the inner one of `inner` points, which divide it. What nodes depend on is not
/// recomputed.
void divideDimension(LoopNest &nest, unsigned dim, int64_t inner);

/// Merges neighbouring dimensions that every address walks as one, and drops those of extent one. `keep` leading
/// dimensions stay as they are.
void collapseDimensions(LoopNest &nest, unsigned keep);

} // namespace cameo::schedule

#endif
