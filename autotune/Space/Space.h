// All schedules of one task that a search may choose.
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

/// A complete schedule in the form for searches: the number of the variant, and one schedule per nest.
struct State {
  unsigned variant = 0; ///< see Space::variants
  std::vector<schedule::NestSchedule> nests;
};

/// Identifies a state: equal for states that take the same time on any machine, and otherwise different except with a
/// probability of 2^-64 or less.
using StateKey = std::array<uint64_t, 2>;

/// One nest of a variant with the sketches of its schedules.
struct NestSpace {
  NestTraits traits;
  std::vector<NestSketch> sketches;
};

/// The task with one list of replacements applied.
struct Variant {
  std::vector<schedule::Replacement> replacements;
  schedule::TaskProgram program;
  std::vector<NestSpace> nests; ///< refer to `program`
};

/// The search space of a task; it does not change the IR. Functions with a Random argument may be called from several
/// threads.
class Space {
public:
  /// The error names the construct that the emitter does not support. `structure` must satisfy isTileStructure().
  /// `rules` are applied before the built-in ones. Replacements that exceed `limits` are excluded, except those that
  /// the rules of passes/Schedule choose.
  static llvm::Expected<std::unique_ptr<Space>> create(task::DefOp def, llvm::ArrayRef<bool> constantArguments,
                                                       const Machine &machine, unsigned threads,
                                                       llvm::StringRef structure, const SketchRules &rules = {},
                                                       const schedule::TaskLimits &limits = {});

  const Variant &variant(const State &state) const { return variants[state.variant]; }
  llvm::ArrayRef<NestSpace> nests(const State &state) const { return variants[state.variant].nests; }
  const std::deque<Variant> &allVariants() const { return variants; }

  /// Returns the kind of the replacements, regardless of block sizes: 1 for none, 0 for overlapped tiles and inlined
  /// nests, m for Winograd's F(m, 3).
  int64_t kindOf(const State &state) const { return kindOf(variant(state)); }

  /// Returns a random schedule, or nothing if several attempts failed.
  std::optional<State> sample(Random &random) const;
  std::optional<State> sample(Random &random, unsigned variant) const;
  /// Returns the schedule that the rules of passes/Schedule choose.
  State defaultState() const { return defaults; }

  bool isValid(const State &state) const;
  StateKey keyOf(const State &state) const;
  schedule::StepsAttr toSteps(const State &state) const;
  /// Returns the state of `steps`. The error says why they do not fit the task; steps with replacements that are not in
  /// this space are also rejected.
  llvm::Expected<State> fromSteps(schedule::StepsAttr steps) const;

  void printSketches(llvm::raw_ostream &os) const;

private:
  Space(mlir::MLIRContext *context, const Machine &machine) : context(context), machine(machine), within(machine) {}
  bool exceeds(const Variant &variant, const schedule::TaskProgram &program, const schedule::TaskLimits &limits) const;
  static int64_t kindOf(const Variant &variant);
  llvm::Error addVariant(std::vector<schedule::Replacement> replacements, const schedule::TaskProgram &program,
                         unsigned threads, const SketchRules &rules);

  mlir::MLIRContext *context;
  Machine machine, within;      ///< the second one has only the registers that blocks may use
  std::deque<Variant> variants; ///< never moved: nests refer to programs
  size_t likely = 0;            ///< the number of leading variants that come from neither overlappedTileVariants nor
                                ///< inlineVariants
  State defaults;
};

} // namespace cameo::autotune

#endif
