// Knobs of a task as a user defines them, in text: what templates of AutoTVM are in Python.
#ifndef CAMEO_AUTOTUNE_SPACE_KNOBDEFINITIONS_H
#define CAMEO_AUTOTUNE_SPACE_KNOBDEFINITIONS_H

#include "autotune/Space/KnobSpace.h"

#include "llvm/Support/Error.h"

#include <map>
#include <memory>
#include <optional>

namespace cameo::autotune {

/// Of one nest. What is not defined is as KnobTemplate has it.
struct NestKnobDefinitions {
  struct Split {
    unsigned pieces = 2; ///< loops that the dimension becomes
    SplitPolicy policy = SplitPolicy::Factors;
    int64_t maxFactor = 64; ///< of the innermost one
    std::vector<llvm::SmallVector<int64_t, 4>>
        candidates;    ///< instead of a policy: sizes of all pieces but the outermost
    unsigned line = 0; ///< of the text
  };
  /// The product of innermost pieces of some dimensions is bounded.
  struct Filter {
    llvm::SmallVector<unsigned> dims;
    int64_t most = 0;
    unsigned line = 0;
  };

  std::map<unsigned, Split> splits; ///< by dimension
  std::optional<ReorderPolicy> reorder;
  std::optional<AnnotatePolicy> annotate;
  std::vector<int64_t> unroll, parallel; ///< candidates; empty: not defined
  std::vector<Filter> filters;
};

/// Of the tasks whose names match a pattern.
struct TaskKnobDefinitions {
  std::string file;    ///< for messages
  std::string pattern; ///< a name, in which '*' is any text
  unsigned line = 0;
  std::map<unsigned, NestKnobDefinitions> nests; ///< by number
};

/// Reads `text` of `file`:
///
///     template PATTERN        the lines below are about tasks with such names
///     nest N                  those below are about this nest; 0 where nothing is said
///     split dN [pieces=2|3] [policy=factors|power2|verbose] [max_factor=N]
///     split dN candidates=AxB,...
///     reorder policy=identity|all|interleave
///     annotate policy=none|try_unroll|try_vec|try_unroll_vec
///     knob unroll|parallel candidates=N,...
///     filter dN*dM<=N
///
/// '#' begins a comment. An error names the file and the line.
llvm::Expected<std::vector<std::shared_ptr<const TaskKnobDefinitions>>> parseKnobDefinitions(llvm::StringRef file,
                                                                                             llvm::StringRef text);

/// The first ones whose pattern matches; null: there are none.
std::shared_ptr<const TaskKnobDefinitions>
findKnobDefinitions(llvm::ArrayRef<std::shared_ptr<const TaskKnobDefinitions>> all, llvm::StringRef task);

} // namespace cameo::autotune

#endif
