// Base class of the policies over numbered configurations. There is one template for each variant of the space.
#ifndef CAMEO_AUTOTUNE_SEARCH_KNOBPOLICY_H
#define CAMEO_AUTOTUNE_SEARCH_KNOBPOLICY_H

#include "autotune/Search/PolicyBase.h"
#include "autotune/Space/KnobTemplate.h"

#include <deque>

namespace cameo::autotune {

class KnobPolicy : public PolicyBase {
public:
  explicit KnobPolicy(SearchContext context);

protected:
  /// A configuration of one of the templates.
  struct Gene {
    unsigned variant;
    KnobPoint point;
  };

  std::optional<State> instantiate(const Gene &gene) const { return templates[gene.variant].instantiate(gene.point); }
  const KnobSpace &knobs(const Gene &gene) const { return templates[gene.variant].getKnobs(); }
  unsigned variants() const { return templates.size(); }
  const KnobSpace &knobs(unsigned variant) const { return templates[variant].getKnobs(); }
  /// Returns a random valid configuration, or nothing after many attempts.
  std::optional<Gene> sample(Random &random) const;

private:
  std::deque<KnobTemplate> templates; ///< a deque, because templates hold references to their own parts
};

std::unique_ptr<SearchPolicy> createGridSearch(SearchContext context);
std::unique_ptr<SearchPolicy> createAnnealingSearch(SearchContext context);
std::unique_ptr<SearchPolicy> createGeneticSearch(SearchContext context);

} // namespace cameo::autotune

#endif
