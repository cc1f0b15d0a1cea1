// Divides the ops of a block into groups that become tasks. This class holds the division and answers whether it can be
// executed group by group; GrowGroups decides which ops belong together.
#ifndef CAMEO_PASSES_PARTITION_GROUPING_H
#define CAMEO_PASSES_PARTITION_GROUPING_H

#include "dialects/Onnx/DimList.h"
#include "dialects/Task/Predicates.h"

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <vector>

namespace cameo::partition {

/// Most ops of one task. Compile time grows faster than the number of ops of a task, and a task this long spills its
/// values from registers anyway. No network known to us has more fusible ops in a row.
constexpr size_t mostTaskOps = 64;

struct TaskGroup {
  enum class Kind {
    Anchor,      // one op with its own loops, or several that run tile by tile, and elementwise ops after it
    Elementwise, // ops over one shape
    Row,         // ops over one shape and its rows
    Single,      // nothing joins but padding
  };
  /// What may still be appended.
  enum class Tail { Open, PadOnly, Closed };

  Kind kind;
  Tail tail = Tail::Open;
  onnx::DimList domain; // the shape that elementwise members share
  int64_t rowRank = 0;  // Row: how many innermost axes form a row
  llvm::SmallVector<mlir::Operation *> ops;
  unsigned first = 0, last = 0; // places of the first and the last op in the block, valid if there are ops
};

class Grouping {
public:
  explicit Grouping(mlir::Block &block);

  mlir::Block &getBlock() const { return block; }
  /// Returns the number of ops of the block before `op`.
  unsigned getPlace(mlir::Operation *op) const { return places.lookup(op); }

  TaskGroup &create(TaskGroup::Kind kind, llvm::ArrayRef<Dim> domain, mlir::Operation *first);
  void add(TaskGroup &group, mlir::Operation *op);
  /// Moves the ops of `from` into `into`; `from` is empty afterwards.
  void merge(TaskGroup &into, TaskGroup &from);

  TaskGroup *getGroup(mlir::Operation *op) const { return groupOf.lookup(op); }
  TaskGroup *getGroup(mlir::Value value) const {
    mlir::Operation *op = value.getDefiningOp();
    return op ? groupOf.lookup(op) : nullptr;
  }

  /// Whether `groups` and `ops` can become one group: no path leaves the group and enters it again, all members run
  /// under the same predicates, and either all or none of them compute the condition of a choice.
  bool canUnite(llvm::ArrayRef<TaskGroup *> groups, llvm::ArrayRef<mlir::Operation *> ops) const;

  /// Marks views and conversions of stored values that belong to no group: each task that uses one gets a copy.
  void absorb(mlir::Operation *view) { absorbed.insert(view); }
  bool isAbsorbed(mlir::Operation *op) const { return absorbed.contains(op); }

private:
  void markDeciding(mlir::Value number);
  void widen(TaskGroup &group, unsigned first, unsigned last);
  unsigned findCut(unsigned place) const;

  mlir::Block &block;
  llvm::DenseMap<mlir::Operation *, unsigned> places;
  std::vector<unsigned> crossing; ///< [p]: groups with ops before place p and ops at p or after
  task::Predicates predicates;
  llvm::SmallVector<std::unique_ptr<TaskGroup>> groups;
  llvm::DenseMap<mlir::Operation *, TaskGroup *> groupOf;
  llvm::DenseSet<mlir::Operation *> absorbed;
  llvm::DenseSet<mlir::Operation *> deciding; ///< ops that compute conditions of choices
};

/// Divides all ops of `block` that compute something into groups. Views and constants belong to no group. With
/// `joinsCopies` a product joins the copy of a cache, or of a part of a table, that it reads.
Grouping growGroups(mlir::Block &block, bool joinsCopies);

} // namespace cameo::partition

#endif
