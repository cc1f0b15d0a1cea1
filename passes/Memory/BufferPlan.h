// Which memory every value of @main uses, and when: the analysis behind plan-buffers.
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

/// A piece of memory; several values may share one (views, tasks that work in place).
struct Storage {
  enum class Kind { Input, Output, Arena, Constant, Texts };
  Kind kind;
  unsigned index = 0; ///< of the input or output; of the block for the arena
  mlir::ElementsAttr constant;
};

/// A part of the arena, or a slot of a dynamic size.
struct BlockPlace {
  std::optional<unsigned> slot;
  int64_t offset = 0;
};

/// A result of the model that no task writes in place: copied at the end.
struct OutputCopy {
  mlir::Value from;
  unsigned output;
};

/// What a loop moves between rounds: from the first of a pair to the second. `saved` are there for values that others
/// are copied over: they go through memory of their own.
struct LoopCopies {
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>> before, after;
  llvm::SmallVector<std::pair<unsigned, BlockPlace>> saved; ///< by place in `after`
};

/// One of the buffers that lie in the arena or in a slot, and when it is in use.
struct ArenaBuffer {
  Dim bytes;
  BlockPlace place;
  int64_t first, last;              ///< steps, both included
  mlir::Operation *owner = nullptr; ///< the call or loop that makes it
  bool isScratch = false;           ///< whether only that needs it
};

class BufferPlan {
public:
  /// Analyses `main`; fails with a diagnostic where a value has a dimension without size and name.
  static mlir::FailureOr<BufferPlan> create(mlir::func::FuncOp main);

  const Storage &storageOf(mlir::Value value) const { return storages[rootOf(value)]; }
  /// The memory of a value in the arena.
  BlockPlace placeOf(mlir::Value value) const;
  /// The memory of `scratch` during `call`.
  BlockPlace scratchOf(task::CallOp call, task::ScratchOp scratch) const {
    return places[scratchBlocks.lookup({call, scratch})];
  }
  /// The most that `size` can be once tasks have counted: what memory must be large enough for.
  Dim mostOf(const Dim &size) const { return upperBound(size, bounds); }
  llvm::ArrayRef<OutputCopy> getCopies() const { return copies; }
  /// The operations of @main in the order in which they run: behind each loop those of its body, up to and with the
  /// return.
  llvm::ArrayRef<mlir::Operation *> getSteps() const { return steps; }
  LoopCopies copiesOf(task::LoopOp loop) const;
  /// The operands of `choose` that are not made in the memory of its result: each is copied there where it is chosen.
  llvm::SmallVector<mlir::OpOperand *, 2> copiesOf(task::ChooseOp choose) const;
  static mlir::func::FuncOp bodyOf(task::LoopOp loop);
  /// Of the operations of @main or of the body of a loop.
  const task::Predicates &predicatesOf(mlir::Block &block) const {
    return predicates.try_emplace(&block, block).first->second;
  }
  llvm::ArrayRef<SlotSizes> getSlots() const { return slots; }
  /// All of them, for people to read.
  std::vector<ArenaBuffer> getBuffers() const;
  int64_t arenaBytes = 0, liveBytes = 0;

private:
  explicit BufferPlan(mlir::func::FuncOp main) : main(main) {}
  /// A loop, and where in the steps it and the return of its body are.
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
  /// Follows the storages that were merged into others to the one that is left.
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
  std::vector<unsigned> merged;   ///< per storage: itself, or the one it works in place of
  std::vector<SlotBlock> blocks;  ///< of the arena, its slots included
  std::vector<BlockPlace> places; ///< per block
  std::vector<SlotSizes> slots;
  std::vector<std::pair<int64_t, int64_t>> lifetimes; ///< first and last step, per storage
  std::vector<Dim> bytes;                             ///< per storage; as many as it may need
  DimBounds bounds;                                   ///< of the sizes that tasks count
  llvm::DenseMap<mlir::Value, unsigned> roots;
  llvm::DenseMap<mlir::Value, int64_t> shifts; ///< bytes from where its storage begins, of each part of a join
  llvm::DenseSet<unsigned> joined;             ///< storages of several parts
  llvm::DenseSet<unsigned> chosen;             ///< storages of results of task.choose, in which both branches may write
  mutable std::map<mlir::Block *, task::Predicates> predicates; ///< made when they are first asked for
  llvm::DenseMap<std::pair<mlir::Operation *, mlir::Operation *>, unsigned> scratchBlocks;
  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, unsigned> savedBlocks; ///< by loop, and place of the value
  std::vector<OutputCopy> copies;
};

/// Bytes of a tensor as stored: i1 takes a byte.
Dim storedBytes(mlir::RankedTensorType type);

} // namespace cameo

#endif
