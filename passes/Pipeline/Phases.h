// The phases of a compilation between import and code generation, in order. A phase is a group of passes; a caller may
// stop after any phase. After the last one comes passes/Codegen, which is not a pass pipeline but a translation.
#ifndef CAMEO_PASSES_PIPELINE_PHASES_H
#define CAMEO_PASSES_PIPELINE_PHASES_H

#include "llvm/ADT/StringRef.h"

namespace cameo {

enum class Phase {
  Graph,     // constants computed, BatchNorm folded, ops decomposed or recognised
  Layout,    // activations stored channels last, padding made explicit
  Partition, // fused subgraphs become tasks; equal ones are kept once
  Lower,     // task bodies become linalg on tensors
  Loops,     // bodies that can be scheduled become loop nests over buffers
  Schedule,  // schedules are chosen and applied to the loop nests
  Emit,      // kernels: loops, registers, vectors, parallel ranges; plain loops for other bodies
  Memory     // every buffer gets an offset in the arena, the outputs or the weights
};

constexpr Phase allPhases[] = {Phase::Graph, Phase::Layout,   Phase::Partition, Phase::Lower,
                               Phase::Loops, Phase::Schedule, Phase::Emit,      Phase::Memory};

/// Returns "graph", "layout", ...
llvm::StringRef phaseName(Phase phase);

} // namespace cameo

#endif
