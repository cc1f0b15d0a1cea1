// Attention among the nests of a task: scores of queries and keys, their softmax by row, and a product of what that
// gives with values. Known by what is computed, not by operators.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_ATTENTION_H
#define CAMEO_PASSES_SCHEDULE_NESTS_ATTENTION_H

#include "passes/Schedule/Nests/Contraction.h"

namespace cameo::schedule {

/// Three groups that follow each other: a product alone, the nests of a softmax over its rows, and a product alone that
/// takes the weights as its left operand. The nests are copies, divided so that what the scores are stored at and what
/// the weights are read at have the same dimensions.
struct Attention {
  /// A dimension of the scores, and the same of the values.
  struct Pair {
    unsigned ofScores, ofValues;
  };

  LoopNest scores, values;
  Contraction query;                  ///< of `scores`: queries are the left operand, keys the right one
  Contraction value;                  ///< of `values`: weights are the left operand, values the right one
  llvm::SmallVector<Pair, 4> outer;   ///< of which each point has rows of its own: batches and heads
  Pair row;                           ///< counts queries
  Pair key;                           ///< counts keys: parallel in the scores, the reduction of the values
  unsigned depth;                     ///< of `scores`, the reduction
  unsigned feature;                   ///< of `values`, along which the result moves and weights do not
  unsigned scoreBuffer, weightBuffer; ///< what passes between the groups

  int64_t rows() const { return scores.dims[row.ofScores].extent; }
  int64_t keys() const { return scores.dims[key.ofScores].extent; }
  int64_t depths() const { return scores.dims[depth].extent; }
  int64_t features() const { return values.dims[feature].extent; }
  /// Points of the outer dimensions.
  int64_t heads() const;
  /// Whether `buffer` has scores or weights.
  bool keeps(unsigned buffer) const { return buffer == scoreBuffer || buffer == weightBuffer; }
  /// Whether scores are computed of argument number `argument`.
  bool readsForScores(const TaskProgram &program, unsigned argument) const;
};

/// Groups of an attention, and their nests.
constexpr size_t attentionGroups = 3, attentionNests = 6;

/// The attention whose last group is number `last` of `program`: sums of f32 of numbers of f16, bf16 or f32, sizes that
/// are known, more than one query that shares keys, and nothing but conversions between the softmax and both products.
/// Scores and weights are read nowhere else.
std::optional<Attention> findAttention(const TaskProgram &program, size_t last);

} // namespace cameo::schedule

#endif
