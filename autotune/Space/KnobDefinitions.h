// Textual definitions of the knobs of a task by the user, as AutoTVM templates in Python.
#ifndef CAMEO_AUTOTUNE_SPACE_KNOBDEFINITIONS_H
#define CAMEO_AUTOTUNE_SPACE_KNOBDEFINITIONS_H

#include "autotune/Space/KnobSpace.h"

#include "llvm/Support/Error.h"

#include <map>
#include <memory>
#include <optional>

namespace cameo::autotune {

/// The definitions for one nest. Whatever is not defined is as in KnobTemplate.
struct NestKnobDefinitions {
  struct Split {
    unsigned pieces = 2; ///< number of loops for the dimension
    SplitPolicy policy = SplitPolicy::Factors;
    int64_t maxFactor = 64; ///< limit of the innermost piece
    std::vector<llvm::SmallVector<int64_t, 4>>
        candidates;    ///< sizes of all pieces except the outermost, instead of a policy
    unsigned line = 0; ///< in the text
  };
  /// Bounds the product of the innermost pieces of some dimensions.
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

/// The definitions for tasks whose names match a pattern.
struct TaskKnobDefinitions {
  std::string file;    ///< for error messages
  std::string pattern; ///< a name, in which '*' matches any text
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

/// Returns the first definitions whose pattern matches the name of the task, or null.
std::shared_ptr<const TaskKnobDefinitions>
findKnobDefinitions(llvm::ArrayRef<std::shared_ptr<const TaskKnobDefinitions>> all, llvm::StringRef task);

} // namespace cameo::autotune

#endif
