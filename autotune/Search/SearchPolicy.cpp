#include "autotune/Search/SearchPolicy.h"

#include "autotune/Search/GpuSearch.h"
#include "autotune/Search/KnobPolicy.h"

namespace cameo::autotune {

static const llvm::StringRef names[] = {"evolutionary", "random", "grid", "annealing", "genetic"};

llvm::ArrayRef<llvm::StringRef> searchPolicyNames() { return names; }

llvm::Expected<std::unique_ptr<SearchPolicy>> createSearchPolicy(SearchTask task, SearchOptions options) {
  static constexpr std::unique_ptr<SearchPolicy> (*factories[])(SearchContext) = {
      createEvolutionarySearch, createRandomSearch, createGridSearch, createAnnealingSearch, createGeneticSearch};
  static_assert(std::size(factories) == std::size(names), "every policy has a name");
  auto named = llvm::find(names, options.policy);
  if (named == std::end(names))
    return llvm::createStringError("expected a policy (%s), got '%s'", llvm::join(searchPolicyNames(), ", ").c_str(),
                                   options.policy.c_str());
  if (task.gpu)
    return createGpuSearch(std::move(task), std::move(options));
  llvm::Expected<SearchContext> context = createContext(std::move(task), std::move(options));
  if (!context)
    return context.takeError();
  if (const TaskKnobDefinitions *knobs = context->options.knobs.get())
    if (llvm::Error error = KnobTemplate::check(*context->space, *knobs))
      return std::move(error);
  return factories[named - std::begin(names)](std::move(*context));
}

llvm::Error printStage(const SearchTask &task, const SearchOptions &options, SearchStage stage, unsigned count,
                       llvm::raw_ostream &os) {
  SearchOptions ofStage = options;
  if (stage == SearchStage::Sample) {
    ofStage.policy = "random";
    ofStage.useDefaults = false;
    ofStage.seeds.clear();
  }
  if (stage == SearchStage::Sketch) {
    if (task.gpu)
      return llvm::createStringError(
          "--stop-after: expected sample or evolve for a GPU, whose schedules have no sketches");
    llvm::Expected<SearchContext> context = createContext(task, ofStage);
    if (!context)
      return context.takeError();
    context->space->printSketches(os);
    return llvm::Error::success();
  }
  llvm::Expected<std::unique_ptr<SearchPolicy>> policy = createSearchPolicy(task, ofStage);
  if (!policy)
    return policy.takeError();
  for (const Candidate &candidate : (*policy)->propose(count))
    os << candidate.steps << '\n';
  return llvm::Error::success();
}

} // namespace cameo::autotune
