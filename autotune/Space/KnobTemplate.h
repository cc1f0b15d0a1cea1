// The template of a task: which knobs there are for its nests, and the schedule that a configuration means.
#ifndef CAMEO_AUTOTUNE_SPACE_KNOBTEMPLATE_H
#define CAMEO_AUTOTUNE_SPACE_KNOBTEMPLATE_H

#include "autotune/Space/KnobDefinitions.h"
#include "autotune/Space/Space.h"

namespace cameo::autotune {

/// Of one variant of a space; refers to the space. Its configurations are a part of what the space samples: two levels
/// of tiles, orders of loops as they lie in memory with the vector dimension in any place; or what a user defines
/// instead.
class KnobTemplate {
public:
  /// `definitions`, of the nests of this variant, may be null; check() has passed them.
  KnobTemplate(const Space &space, unsigned variant, const TaskKnobDefinitions *definitions = nullptr);

  /// Whether the nests of the first variant, which replaces nothing, have what `definitions` name. An error names file
  /// and line.
  static llvm::Error check(const Space &space, const TaskKnobDefinitions &definitions);

  const KnobSpace &getKnobs() const { return knobs; }
  /// The schedule; nothing when the choices do not go together.
  std::optional<State> instantiate(const KnobPoint &point) const;

private:
  /// Numbers of the knobs of one nest.
  struct NestKnobs {
    unsigned sketch, order, parallel, innerReduction, unroll;
    std::optional<unsigned>
        permutation; ///< of all parallel dimensions; none: `order` is the place of the vector dimension
    std::optional<unsigned>
        interleave; ///< 1: outer loops over reductions are around the innermost level of parallel ones
    std::optional<unsigned> annotate;             ///< none: vectorised as the sketch says, and unrolled
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
