// All schedules of one task that a search considers.
#ifndef CAMEO_AUTOTUNE_SPACE_SPACE_H
#define CAMEO_AUTOTUNE_SPACE_SPACE_H

#include "autotune/Space/Random.h"
#include "autotune/Space/SketchRule.h"
#include "dialects/Schedule/ScheduleDialect.h"
#include "dialects/Task/TaskDialect.h"
#include "passes/Schedule/Nests/Rewrite/ReplaceNests.h"
#include "passes/Schedule/Rules/NestSchedule.h"
#include "passes/Schedule/Rules/TaskLimits.h"

#include "llvm/Support/Error.h"

#include <array>
#include <deque>

namespace cameo::autotune {

/// A complete schedule in the form that searches work on: replacements by number, then one schedule per nest.
struct State {
  unsigned variant = 0; ///< see Space::variants
  std::vector<schedule::NestSchedule> nests;
};

/// Identifies a state: equal for states that take the same time whatever the machine, different otherwise but for one
/// chance in 2^64 and more.
using StateKey = std::array<uint64_t, 2>;

/// One nest of a variant and the sketches of its schedules.
struct NestSpace {
  NestTraits traits;
  std::vector<NestSketch> sketches;
};

/// The task after one list of replacements.
struct Variant {
  std::vector<schedule::Replacement> replacements;
  schedule::TaskProgram program;
  std::vector<NestSpace> nests; ///< refer to `program`
};

/// Holds the IR's task read only. What takes a Random may be called from several threads at once.
class Space {
public:
  /// An error says what of the task the emitter does not handle. `structure` as isTileStructure() wants it. `rules` are
  /// asked before our own. Replacements that exceed `limits` are no part of the space, but for those that the rules of
  /// passes/Schedule choose within them.
  static llvm::Expected<std::unique_ptr<Space>> create(task::DefOp def, llvm::ArrayRef<bool> constantArguments,
                                                       const Machine &machine, unsigned threads,
                                                       llvm::StringRef structure, const SketchRules &rules = {},
                                                       const schedule::TaskLimits &limits = {});

  const Variant &variant(const State &state) const { return variants[state.variant]; }
  llvm::ArrayRef<NestSpace> nests(const State &state) const { return variants[state.variant].nests; }
  const std::deque<Variant> &allVariants() const { return variants; }

  /// What replaces the task's nests, whatever the sizes of blocks: 1 for nothing, 0 for overlapped tiles and
  /// inlined nests, m for Winograd's F(m, 3).
  int64_t kindOf(const State &state) const { return kindOf(variant(state)); }

  /// A random schedule; nothing when several attempts found none that fits.
  std::optional<State> sample(Random &random) const;
  std::optional<State> sample(Random &random, unsigned variant) const;
  /// What the rules of passes/Schedule choose.
  State defaultState() const { return defaults; }

  bool isValid(const State &state) const;
  StateKey keyOf(const State &state) const;
  schedule::StepsAttr toSteps(const State &state) const;
  /// The state of `steps`; an error says what does not fit the task. Steps with other replacements than this space has
  /// are refused, too.
  llvm::Expected<State> fromSteps(schedule::StepsAttr steps) const;

  void printSketches(llvm::raw_ostream &os) const;

private:
  Space(mlir::MLIRContext *context, const Machine &machine) : context(context), machine(machine), within(machine) {}
  bool exceeds(const Variant &variant, const schedule::TaskProgram &program, const schedule::TaskLimits &limits) const;
  static int64_t kindOf(const Variant &variant);
  llvm::Error addVariant(std::vector<schedule::Replacement> replacements, const schedule::TaskProgram &program,
                         unsigned threads, const SketchRules &rules);

  mlir::MLIRContext *context;
  Machine machine, within;      ///< the second: with the registers that blocks may use
  std::deque<Variant> variants; ///< never moved: nests refer to programs
  size_t likely = 0;            ///< how many of them, the first, are neither overlappedTileVariants nor inlineVariants
  State defaults;
};

} // namespace cameo::autotune

#endif
