// The ops of a block divided into groups that become tasks. Holds the division and answers whether it can be executed
// group by group; which ops belong together is decided in GrowGroups.
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

/// What becomes of a task takes time that grows faster than its ops, and values beyond the registers are in memory
/// anyway. No network that anyone has written has as many in a row.
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
  unsigned first = 0, last = 0; // places of ops in the block, when there are some
};

class Grouping {
public:
  explicit Grouping(mlir::Block &block);

  mlir::Block &getBlock() const { return block; }
  /// How many ops of the block are before this one.
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

  /// True if `groups` and `ops` can become one group: no path leaves it and comes back, a run that needs one of
  /// them needs all, and either all or none compute what a choice waits for.
  bool canUnite(llvm::ArrayRef<TaskGroup *> groups, llvm::ArrayRef<mlir::Operation *> ops) const;

  /// Views, and conversions of stored bytes, that no group computes: their users read through them.
  void absorb(mlir::Operation *view) { absorbed.insert(view); }
  bool isAbsorbed(mlir::Operation *op) const { return absorbed.contains(op); }

private:
  void markDeciding(mlir::Value number);
  void widen(TaskGroup &group, unsigned first, unsigned last);
  unsigned findCut(unsigned place) const;

  mlir::Block &block;
  llvm::DenseMap<mlir::Operation *, unsigned> places;
  std::vector<unsigned> crossing; ///< by place: groups with ops before it and others from it on
  task::Predicates predicates;
  llvm::SmallVector<std::unique_ptr<TaskGroup>> groups;
  llvm::DenseMap<mlir::Operation *, TaskGroup *> groupOf;
  llvm::DenseSet<mlir::Operation *> absorbed;
  llvm::DenseSet<mlir::Operation *> deciding; ///< make numbers that conditions of choices are computed from
};

/// Divides all ops that compute something. Views and constants stay outside.
Grouping growGroups(mlir::Block &block);

} // namespace cameo::partition

#endif
