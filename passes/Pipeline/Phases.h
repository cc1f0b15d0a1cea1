// The phases of a compilation between import and code generation, in order. A phase is a pass group; a caller may stop
// after any of them. What follows the last one is passes/Codegen, which is no pass pipeline but a translation.
#ifndef CAMEO_PASSES_PIPELINE_PHASES_H
#define CAMEO_PASSES_PIPELINE_PHASES_H

#include "llvm/ADT/StringRef.h"

namespace cameo {

enum class Phase {
  Graph,     // constants computed, BatchNorm folded, ops decomposed or recognised
  Layout,    // activations stored channels last, padding made explicit
  Partition, // fused subgraphs become tasks; equal ones are kept once
  Lower,     // task bodies become linalg on tensors
  Loops,     // the bodies that schedules are for become loop nests over buffers
  Schedule,  // schedules chosen and applied: which loops walk the nests
  Emit,      // kernels: loops, registers, vectors, parallel ranges; plain loops of other bodies
  Memory     // every buffer has a place in one arena, the outputs or the weights
};

constexpr Phase allPhases[] = {Phase::Graph, Phase::Layout,   Phase::Partition, Phase::Lower,
                               Phase::Loops, Phase::Schedule, Phase::Emit,      Phase::Memory};

/// "graph", "layout", ...
llvm::StringRef phaseName(Phase phase);

} // namespace cameo

#endif
