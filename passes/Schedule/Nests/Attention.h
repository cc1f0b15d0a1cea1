// Finds attention among the nests of a task: scores of queries and keys, their softmax by row, and the product of the
// softmax with the values. It is recognised by the computation, not by operator names.
#ifndef CAMEO_PASSES_SCHEDULE_NESTS_ATTENTION_H
#define CAMEO_PASSES_SCHEDULE_NESTS_ATTENTION_H

#include "passes/Schedule/Nests/Contraction.h"

namespace cameo::schedule {

/// Three consecutive groups: a product alone (the scores), the nests of a softmax over its rows (the weights), and a
/// product alone that takes the weights as its left operand. The nests are copies whose dimensions are split so that
/// the address of the stored scores and the address of the loaded weights have the same dimensions.
struct Attention {
  /// A dimension of the scores and the matching dimension of the values.
  struct Pair {
    unsigned ofScores, ofValues;
  };

  LoopNest scores, values;
  Contraction query;                  ///< of `scores`: queries are the left operand, keys the right one
  Contraction value;                  ///< of `values`: weights are the left operand, values the right one
  llvm::SmallVector<Pair, 4> outer;   ///< batches and heads: each point has its own queries and keys
  Pair row;                           ///< iterates over queries
  Pair key;                           ///< iterates over keys: parallel in the scores, the reduction of the values
  unsigned depth;                     ///< the reduction dimension of `scores`
  unsigned feature;                   ///< the dimension of `values` along which the result varies and the weights do
                                      ///< not
  unsigned scoreBuffer, weightBuffer; ///< the buffers that pass scores and weights to the next group

  int64_t rows() const { return scores.dims[row.ofScores].extent; }
  int64_t keys() const { return scores.dims[key.ofScores].extent; }
  int64_t depths() const { return scores.dims[depth].extent; }
  int64_t features() const { return values.dims[feature].extent; }
  /// Returns the number of points of the outer dimensions.
  int64_t heads() const;
  /// Whether `buffer` holds scores or weights.
  bool keeps(unsigned buffer) const { return buffer == scoreBuffer || buffer == weightBuffer; }
};

/// The number of groups of an attention, and of their nests.
constexpr size_t attentionGroups = 3, attentionNests = 6;

/// Returns the attention whose last group is number `last` of `program`. Requires float32 sums of products of f16, bf16
/// or f32 elements, sizes that are known at compile time, several queries that share keys, and only conversions between
/// the softmax and both products. No other nest may read the scores or the weights.
std::optional<Attention> findAttention(const TaskProgram &program, size_t last);

} // namespace cameo::schedule

#endif
