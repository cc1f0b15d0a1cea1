// The compute DAG of one task: buffers, and loop nests that access them at linear addresses. BuildNests builds it from
// the task's linalg body, a schedule adds loops, and the emitters make kernels of it.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_LOOPNEST_H
#define CAMEO_PASSES_SCHEDULE_NESTS_LOOPNEST_H

#include "dialects/Loop/LoopEnums.h"
#include "passes/Schedule/Nests/LinearForm.h"
#include "passes/Schedule/Nests/Rewrite/RationalMatrix.h"

#include "mlir/IR/Block.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace cameo::schedule {

/// A dense one-dimensional array of elements. The fields are those of `loop.buffer`.
struct Buffer {
  loop::Role role;
  loop::Space space = loop::Space::Global;
  unsigned index = 0; ///< the number of the argument or result
  Size elements = 0;
  mlir::Type elementType = {};   ///< as in the tensor; i1 is stored as a byte
  mlir::ElementsAttr table = {}; ///< the elements of a table, a small constant of the body
  bool packable = false;         ///< an argument that is constant in every call, so it may be packed
  bool perRow = false;           ///< a temporary of which each row of its group has its own copy (see NestGroup)

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
  /// Gives each row its own copy of `rowElements` elements, on the stack until a rule decides otherwise.
  void becomeRow(Size rowElements) {
    perRow = true;
    space = loop::Space::Stack;
    elements = std::move(rowElements);
  }
};

using NodeId = int;

/// The address of an element in an operand that was packed for the nest. The packed operand consists of blocks of the
/// vector dimension. Each block holds the reduction in loop order, and innermost one padded block of the vector
/// dimension. Address = offset + sum over d of index[d] * (fixed[d] + perWidth[d] * width), where `width` is the padded
/// width of the current block. The index of the vector dimension counts `blockStride` per element up to the begin of
/// the block and `group` within it. With a dot schedule, `group` elements along the dot dimension lie side by side, and
/// the index of that dimension is a multiple of `group`. If the extent is known only at run time, the vector dimension
/// is one block without padding.
struct PackedLayout {
  int64_t offset = 0;
  int64_t blockStride = 0;
  int64_t group = 1;
  llvm::SmallVector<Size, 8> fixed;
  llvm::SmallVector<int64_t, 8> perWidth;
  int64_t width = 0;       ///< elements per block, of which the loops take one or several blocks at once; 0: the loops'
                           ///< own width
  bool prefetched = false; ///< see NestSchedule::prefetchedBuffers
  bool operator==(const PackedLayout &other) const = default;
};

/// A matrix product applied to a load: the index along `dim` selects a row of `matrix`, which is multiplied by the
/// vector of neighbouring elements along this dimension in memory. Transforms of several dimensions apply one after the
/// other.
struct DimensionTransform {
  unsigned dim;
  const RationalMatrix *matrix;
  bool operator==(const DimensionTransform &other) const = default;
};

/// Runs of `length` points that share the elements they read. `position` numbers the points; the load reads the element
/// at `address` - (`position` mod `length`).
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

  bool isRead() const { return kind == Kind::Load || kind == Kind::Gather; }
  bool reads(unsigned from) const { return isRead() && buffer == from; }
};

struct Dimension {
  Size extent;
  bool reduction;
};

/// One store per point of the parallel dimensions: `value` goes to element `address` + `index` * `stride` of `buffer`,
/// or to `address` if there is no index.
struct Output {
  NodeId value;
  unsigned buffer;
  LinearForm address;
  std::optional<NodeId> index = {};
  int64_t stride = 0;
};

struct Reduction {
  NodeId initial; ///< constant along the reduction dimensions
  NodeId update;  ///< the new value, computed from Accumulator nodes and loads
};

/// The minimum and the maximum of a linear form.
template <typename Number> struct Reach {
  Number least, greatest;

  /// Returns the number of integers from `least` to `greatest`; the form need not take all of them.
  Number count() const { return greatest - least + Number(1); }
};

/// A perfect nest over `dims`: for each point of the parallel dimensions, it runs the reductions over the other
/// dimensions, then the outputs. It has at most 64 dimensions.
struct LoopNest {
  std::string name;
  mlir::Location loc;
  std::vector<Dimension> dims;
  std::vector<Node> nodes;
  std::vector<Reduction> reductions;
  std::vector<Output> outputs;

  explicit LoopNest(mlir::Location loc) : loc(loc) {}

  Size parallelPoints() const;
  /// Whether all extents and addresses are known at compile time.
  bool hasKnownSizes() const;
  bool hasReduction() const { return !reductions.empty(); }
  /// Returns the nodes that are computed inside the reduction loops (true) or in the outputs (false), operands first.
  llvm::SmallVector<NodeId> computed(bool insideReduction) const;
  /// Returns the loads and gathers inside the reduction loops (true) or in the outputs (false).
  llvm::SmallVector<NodeId> loads(bool insideReduction) const;
  /// Returns the range of `form` over all points of the dimensions in `along` (bit d: dimension d), with the other
  /// dimensions at 0. Exact if `Number` is `Size`; a plain number uses the estimates of dynamic sizes. Not a bound if a
  /// dimension has extent 0.
  template <typename Number> Reach<Number> reach(const LinearForm &form, uint64_t along = ~uint64_t(0)) const;
};

template <typename Number> Reach<Number> LoopNest::reach(const LinearForm &form, uint64_t along) const {
  Reach<Number> reach{Number(form.constant), Number(form.constant)};
  for (auto [dim, dimension] : llvm::enumerate(dims))
    if (const Size &stride = form.coefficients[dim]; stride != 0 && (along >> dim) & 1)
      (stride < 0 ? reach.least : reach.greatest) += Number(stride) * (Number(dimension.extent) - Number(1));
  return reach;
}

/// Nests that one kernel runs. With `rowDims` > 0 they share their first `rowDims` dimensions, and all nests run for
/// one point of these (a row) before the next one: softmax, normalisations, overlapped tiles of a plane. A buffer
/// between two nests then holds one row, on the stack or in the arena. Several nests without row dimensions are small
/// and run one after the other on one thread.
struct NestGroup {
  std::vector<LoopNest> nests;
  unsigned rowDims = 0;
  /// The rows of this group follow those of the previous group in the same parallel range.
  bool continues = false;
  /// The points of the first dimension after the rows read a common matrix: the nests may run in overlapped tiles of
  /// this dimension (see OverlappedTiling).
  bool sharesMatrix = false;
  /// The last `orderedDims` row dimensions run in order on one thread, and a row may read what earlier rows stored
  /// (recurrent layers, running sums, parts of a reduction).
  unsigned orderedDims = 0;

  /// The group runs in the kernel of the previous group, in the same parallel range (ShareKernels.h).
  bool sharesKernel = false;

  /// Whether all row dimensions are ordered, as in a loop over tensors.
  bool isLoop() const { return orderedDims > 0 && orderedDims == rowDims; }
  /// Returns the number of ordered rows per parallel row.
  Size orderedRows() const;
  /// Returns the number of rows that threads share.
  Size parallelRows() const;
  /// Whether one of the nests stores to `buffer`, so that it cannot be packed before the group.
  bool writes(unsigned buffer) const;
};

struct TaskProgram {
  std::vector<Buffer> buffers;
  std::vector<NestGroup> groups;
  /// Owns the operations that nodes apply and that belong to no body.
  std::shared_ptr<mlir::Block> operations;
  /// Owns the matrices that nodes point to, if they were read from IR.
  std::shared_ptr<std::deque<RationalMatrix>> matrices;

  bool hasKnownSizes() const;
  /// Returns a builder at the end of `operations`, which is created if there is none.
  mlir::OpBuilder operationBuilder(mlir::MLIRContext *context);
};

/// The limit in bytes for the row buffers of a group on the stack. Larger rows are in the arena.
constexpr int64_t maxRowBytes = 256 * 1024;

/// Whether `node` applies a function without an instruction of its own, such as exp.
bool isLongFunction(const Node &node);

/// Returns the number of a node of `nest` that equals `node`; appends `node` if there is none.
NodeId addNode(LoopNest &nest, Node node);

/// Appends `node` without looking for an equal one, and returns its number.
NodeId appendNode(LoopNest &nest, Node node);

/// Inserts `node` as number `at`, and increments the numbers of the nodes from there on: operands come before their
/// users. Does not update `dependsOn`. An address that is not set becomes 0.
void insertNode(LoopNest &nest, NodeId at, Node node);

/// Erases a node. Its users read the node `by`, which is before it.
void replaceNode(LoopNest &nest, NodeId at, NodeId by);

/// Returns the reduction dimension along which `node` reads `length` neighbouring elements one by one.
std::optional<unsigned> stepInRun(const LoopNest &nest, const Node &node, int64_t length);

/// Calls `fn` on every linear form of the nest.
void forEachForm(LoopNest &nest, llvm::function_ref<void(LinearForm &)> fn);

/// Calls `fn(buffer, address, isIndirect)` for every load, gather and store of the nest.
template <typename Nest, typename Fn> void forEachAccess(Nest &nest, Fn fn) {
  for (auto &node : nest.nodes)
    if (node.isRead())
      fn(node.buffer, node.address, node.kind == Node::Kind::Gather);
  for (auto &output : nest.outputs)
    fn(output.buffer, output.address, output.index.has_value());
}

/// Recomputes `dependsOn` of all nodes from their addresses and operands.
void updateDependences(LoopNest &nest);

/// Prints nests as readable loops, for tests and `-v`.
void print(const TaskProgram &program, llvm::raw_ostream &os);
/// Prints `nest`, which belongs to `program`.
void print(const TaskProgram &program, const LoopNest &nest, llvm::raw_ostream &os);

/// Splits `dim` into two dimensions, the inner one of extent `inner`, which must divide the extent. Does not update
/// `dependsOn`.
void divideDimension(LoopNest &nest, unsigned dim, int64_t inner);

/// Merges neighbouring dimensions where every address allows it, and drops dimensions of extent one and nodes that
/// nothing uses. The first `keep` dimensions stay.
void collapseDimensions(LoopNest &nest, unsigned keep);

} // namespace cameo::schedule

#endif
