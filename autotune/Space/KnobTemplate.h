// The template of a task: the knobs for its nests, and the schedule for each configuration.
#ifndef CAMEO_AUTOTUNE_SPACE_KNOBTEMPLATE_H
#define CAMEO_AUTOTUNE_SPACE_KNOBTEMPLATE_H

#include "autotune/Space/KnobDefinitions.h"
#include "autotune/Space/Space.h"

namespace cameo::autotune {

/// The template of one variant of a space, which must outlive it. Its configurations are a subset of the space: two
/// levels of tiles, loop orders as in memory with the vector dimension at any position; or the user's definitions.
class KnobTemplate {
public:
  /// `definitions` are for the nests of this variant and may be null; check() must have accepted them.
  KnobTemplate(const Space &space, unsigned variant, const TaskKnobDefinitions *definitions = nullptr);

  /// Verifies that the nests of the first variant, which has no replacements, match `definitions`. The error names file
  /// and line.
  static llvm::Error check(const Space &space, const TaskKnobDefinitions &definitions);

  const KnobSpace &getKnobs() const { return knobs; }
  /// Returns the schedule, or nothing if the choices are incompatible.
  std::optional<State> instantiate(const KnobPoint &point) const;

private:
  /// The knob numbers of one nest.
  struct NestKnobs {
    unsigned sketch, order, parallel, innerReduction, unroll;
    std::optional<unsigned>
        permutation; ///< of all parallel dimensions; none: `order` is the place of the vector dimension
    std::optional<unsigned>
        interleave; ///< 1: outer loops over reductions are around the innermost level of parallel ones
    std::optional<unsigned> annotate;             ///< none: vectorised and unrolled according to the sketch
    llvm::SmallVector<unsigned> splits;           ///< per parallel dimension
    std::map<unsigned, unsigned> reductionSplits; ///< by dimension
    const NestKnobDefinitions *definitions = nullptr;
  };
  NestKnobs defineKnobs(unsigned number, const NestTraits &traits, size_t sketches,
                        const NestKnobDefinitions &definitions);
  std::optional<schedule::NestSchedule> instantiate(const NestSpace &nest, const NestKnobs &own,
                                                    const KnobPoint &point) const;
  void addParallelLoops(const NestTraits &traits, llvm::ArrayRef<unsigned> order, const NestKnobs &own,
                        const KnobPoint &point, schedule::NestSchedule &schedule) const;
  void addReductions(const NestTraits &traits, const NestKnobs &own, const KnobPoint &point, bool isUnrolled,
                     schedule::NestSchedule &schedule) const;
  bool isFiltered(const NestTraits &traits, const NestKnobs &own, const KnobPoint &point) const;

  const Space &space;
  unsigned variant;
  const NestKnobDefinitions none;
  KnobSpace knobs;
  std::vector<NestKnobs> nests;
};

} // namespace cameo::autotune

#endif
