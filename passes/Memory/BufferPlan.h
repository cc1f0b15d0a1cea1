// The analysis behind plan-buffers: which memory every value of @main uses, and when.
#ifndef CAMEO_PASSES_MEMORY_BUFFERPLAN_H
#define CAMEO_PASSES_MEMORY_BUFFERPLAN_H

#include "dialects/Dim/DimLimits.h"
#include "dialects/Task/Predicates.h"
#include "dialects/Task/TaskDialect.h"
#include "passes/Memory/AssignOffsets.h"
#include "passes/Memory/AssignSlots.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <map>

namespace cameo {

/// A piece of memory. Several values may share it: views, and results that tasks write in place of an operand.
struct Storage {
  enum class Kind { Input, Output, Arena, Constant, Strings };
  Kind kind;
  unsigned index = 0; ///< number of the input, output or arena block
  mlir::ElementsAttr constant;
};

/// The place of a block: an offset in the arena in bytes, or a slot for a dynamic size.
struct BlockPlace {
  std::optional<unsigned> slot;
  int64_t offset = 0;
};

/// A result of the model that no task writes into the caller's buffer. It is copied at the end.
struct OutputCopy {
  mlir::Value from;
  unsigned output;
};

/// Copies that a loop needs, each from the first value of a pair to the second: `before` the first iteration and
/// `after` each one. Sources that another copy overwrites are first saved in buffers of their own.
struct LoopCopies {
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>> before, after;
  llvm::SmallVector<std::pair<unsigned, BlockPlace>> saved; ///< index in `after`, and the buffer
};

/// A buffer in the arena or in a slot, and when it is in use.
struct ArenaBuffer {
  Dim bytes;
  BlockPlace place;
  int64_t first, last;              ///< steps, both included
  mlir::Operation *owner = nullptr; ///< the call or loop that writes it
  bool isScratch = false;           ///< whether only the owner uses it
};

class BufferPlan {
public:
  /// Analyses `main`. Fails with a diagnostic where a dimension has neither a size nor a name.
  static mlir::FailureOr<BufferPlan> create(mlir::func::FuncOp main);

  const Storage &storageOf(mlir::Value value) const { return storages[rootOf(value)]; }
  /// Returns the place of a value in the arena.
  BlockPlace placeOf(mlir::Value value) const;
  /// Returns the place of `scratch` during `call`.
  BlockPlace scratchOf(task::CallOp call, task::ScratchOp scratch) const {
    return places[scratchBlocks.lookup({call, scratch})];
  }
  /// Returns an upper bound of `size` that holds before tasks have computed their counts. Memory is allocated for this
  /// size.
  Dim mostOf(const Dim &size) const { return upperBound(size, bounds); }
  llvm::ArrayRef<OutputCopy> getCopies() const { return copies; }
  /// Returns the operations of @main in the order in which they run. Each loop is followed by the operations of its
  /// body, with its return.
  llvm::ArrayRef<mlir::Operation *> getSteps() const { return steps; }
  LoopCopies copiesOf(task::LoopOp loop) const;
  /// Returns the operands of `choose` that are not written in place of its result. Each is copied in its branch.
  llvm::SmallVector<mlir::OpOperand *, 2> copiesOf(task::ChooseOp choose) const;
  static mlir::func::FuncOp bodyOf(task::LoopOp loop);
  /// Returns the predicates of operations in `block`, the body of @main or of a loop. Not thread-safe: they are
  /// computed on first use.
  const task::Predicates &predicatesOf(mlir::Block &block) const {
    return predicates.try_emplace(&block, block).first->second;
  }
  llvm::ArrayRef<SlotSizes> getSlots() const { return slots; }
  /// Returns all buffers, for reports.
  std::vector<ArenaBuffer> getBuffers() const;
  int64_t arenaBytes = 0, liveBytes = 0;

private:
  explicit BufferPlan(mlir::func::FuncOp main) : main(main) {}
  /// A loop, and the steps of the loop and of the return of its body.
  struct LoopRange {
    task::LoopOp loop;
    int64_t begin, end;
  };

  void findSteps(mlir::func::FuncOp function);
  mlir::LogicalResult findRoots();
  mlir::LogicalResult findRoots(mlir::Operation &op);
  void findLoopRoots(task::LoopOp loop);
  mlir::LogicalResult bindSize(task::PrefixOp prefix);
  mlir::LogicalResult joinParts(task::JoinOp join);
  void joinBranches(task::ChooseOp choose);
  void findBytes();
  void placeOutputs();
  mlir::LogicalResult checkUpdates();
  void findLifetimes();
  void useOperands(mlir::Operation &op, int64_t step);
  void keepThroughLoops();
  void startInPlace(task::LoopOp loop, int64_t step);
  void continueInPlace(const LoopRange &range);
  bool mayReplace(unsigned value, unsigned carried, const LoopRange &range) const;
  void saveCrossing(const LoopRange &range);
  void shareDyingInputs(task::CallOp call, task::DefOp def, int64_t step);
  void findBlocks();
  unsigned addBlock(const Dim &size, int64_t first, int64_t last);
  void placeBlocks();
  unsigned addStorage(Storage storage) {
    storages.push_back(storage);
    merged.push_back(storages.size() - 1);
    return storages.size() - 1;
  }
  /// Returns the storage of a value, after all merges.
  unsigned rootOf(mlir::Value value) const {
    unsigned root = roots.lookup(value);
    while (merged[root] != root)
      root = merged[root];
    return root;
  }

  mlir::func::FuncOp main;
  std::vector<mlir::Operation *> steps;
  std::vector<LoopRange> loops; ///< in order of their ends: inner ones first
  std::vector<Storage> storages;
  std::vector<unsigned> merged;   ///< per storage: itself, or the storage that it was merged into
  std::vector<SlotBlock> blocks;  ///< of the arena and of the slots
  std::vector<BlockPlace> places; ///< per block
  std::vector<SlotSizes> slots;
  std::vector<std::pair<int64_t, int64_t>> lifetimes; ///< first and last step, per storage
  std::vector<Dim> bytes;                             ///< per storage; upper bounds of dynamic sizes
  DimBounds bounds;                                   ///< of dynamic sizes that tasks compute
  llvm::DenseMap<mlir::Value, unsigned> roots;
  llvm::DenseMap<mlir::Value, int64_t> shifts; ///< per part of a join: its offset in the storage in bytes
  llvm::DenseSet<unsigned> joined;             ///< storages of results of task.join
  llvm::DenseSet<unsigned> chosen;             ///< storages of results of task.choose, which both branches may write
  mutable std::map<mlir::Block *, task::Predicates> predicates; ///< computed on first use
  llvm::DenseMap<std::pair<mlir::Operation *, mlir::Operation *>, unsigned> scratchBlocks;
  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, unsigned>
      savedBlocks; ///< by loop and number of the carried value
  std::vector<OutputCopy> copies;
};

/// Returns the bytes of a tensor in memory. An i1 takes one byte.
Dim storedBytes(mlir::RankedTensorType type);

} // namespace cameo

#endif
