// The template of a task: which knobs there are for its nests, and the schedule that a configuration means.
#ifndef CAMEO_AUTOTUNE_SPACE_KNOBTEMPLATE_H
#define CAMEO_AUTOTUNE_SPACE_KNOBTEMPLATE_H

#include "autotune/Space/KnobSpace.h"
#include "autotune/Space/Space.h"

namespace cameo::autotune {

/// Of one variant of a space; refers to the space. Its configurations are a part of what the space samples: two levels of
/// tiles, orders of loops as they lie in memory with the vector dimension in any place.
class KnobTemplate {
public:
  KnobTemplate(const Space &space, unsigned variant);

  const KnobSpace &getKnobs() const { return knobs; }
  /// The schedule; nothing when the choices do not go together.
  std::optional<State> instantiate(const KnobPoint &point) const;

private:
  /// Numbers of the knobs of one nest.
  struct NestKnobs {
    unsigned sketch, order, parallel, innerReduction, unroll;
    llvm::SmallVector<unsigned> splits; ///< per parallel dimension
  };
  schedule::NestSchedule instantiate(const NestSpace &nest, const NestKnobs &own, const KnobPoint &point) const;

  const Space &space;
  unsigned variant;
  KnobSpace knobs;
  std::vector<NestKnobs> nests;
};

} // namespace cameo::autotune

#endif
