// Properties of all search policies, with an artificial cost instead of measurements.
#include "TestTasks.h"

#include "autotune/CostModel/CostModel.h"
#include "autotune/Search/SearchPolicy.h"

#include "llvm/ADT/Hashing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

using namespace cameo;
using namespace cameo::autotune;

namespace {

/// An artificial cost that is unrelated to the analytic model: tiles of eight and blocks of 24 vectors are best.
double madeUpCost(schedule::StepsAttr steps) {
  double cost = 1;
  for (mlir::Attribute step : steps.getSteps()) {
    if (auto tile = llvm::dyn_cast<schedule::TileAttr>(step))
      cost += std::abs(std::log2(static_cast<double>(tile.getSize())) - 3) * (1 + tile.getDim());
    if (llvm::isa<schedule::PackAttr>(step))
      cost *= 0.8;
  }
  return cost * 1e-6;
}

std::unique_ptr<SearchPolicy> create(const SearchTask &task, SearchOptions options) {
  options.population = 128;
  options.annealingSteps = 10;
  return llvm::cantFail(createSearchPolicy(task, options));
}

std::vector<Outcome> measure(llvm::ArrayRef<Candidate> candidates) {
  std::vector<Outcome> outcomes;
  for (const Candidate &candidate : candidates)
    outcomes.push_back({candidate.steps, madeUpCost(candidate.steps)});
  return outcomes;
}

/// Returns the best cost after `trials` measurements in batches.
double bestOf(SearchPolicy &policy, unsigned trials, unsigned batch = 16) {
  double best = 1;
  for (unsigned done = 0; done < trials; done += batch) {
    std::vector<Outcome> outcomes = measure(policy.propose(batch));
    for (const Outcome &outcome : outcomes)
      best = std::min(best, *outcome.costSeconds);
    policy.observe(outcomes);
  }
  return best;
}

class SearchTest : public testing::TestWithParam<std::string> {
protected:
  SearchOptions options() const {
    SearchOptions options;
    options.policy = GetParam();
    options.seed = 7;
    return options;
  }

  TestTasks tasks;
};

TEST_P(SearchTest, NeverProposesAStateTwice) {
  std::unique_ptr<SearchPolicy> policy = create(tasks.get("matmul"), options());
  std::set<const void *> proposed;
  for (unsigned round = 0; round < 6; ++round) {
    std::vector<Candidate> candidates = policy->propose(24);
    EXPECT_EQ(candidates.size(), 24U);
    for (const Candidate &candidate : candidates)
      EXPECT_TRUE(proposed.insert(candidate.steps.getAsOpaquePointer()).second);
    policy->observe(measure(candidates));
  }
}

TEST_P(SearchTest, DoesNotProposeWhatWasObserved) {
  std::vector<Candidate> earlier = create(tasks.get("conv1x1"), options())->propose(32);
  std::unique_ptr<SearchPolicy> policy = create(tasks.get("conv1x1"), options());
  policy->observe(measure(earlier));
  for (const Candidate &candidate : policy->propose(32))
    for (const Candidate &old : earlier)
      EXPECT_NE(candidate.steps, old.steps);
}

TEST_P(SearchTest, IsTheSameForASeedAndAnyNumberOfThreads) {
  std::unique_ptr<SearchPolicy> first = create(tasks.get("conv3x3"), options()),
                                second = create(tasks.get("conv3x3"), options());
  for (unsigned round = 0; round < 3; ++round) {
    std::vector<Candidate> a = first->propose(16, /*workers=*/1), b = second->propose(16, /*workers=*/3);
    ASSERT_EQ(a.size(), b.size());
    for (auto [mine, theirs] : llvm::zip_equal(a, b))
      EXPECT_EQ(mine.steps, theirs.steps);
    first->observe(measure(a));
    second->observe(measure(b));
  }
}

TEST_P(SearchTest, AnotherSeedIsAnotherSearch) {
  SearchOptions other = options();
  other.seed = 8;
  other.useDefaults = false;
  SearchOptions same = options();
  same.useDefaults = false;
  bool isSame = create(tasks.get("matmul"), same)->propose(1).front().steps ==
                create(tasks.get("matmul"), other)->propose(1).front().steps;
  // The grid search does not depend on the seed.
  EXPECT_EQ(isSame, GetParam() == "grid");
}

TEST_P(SearchTest, ProposesTheDefaultFirst) {
  SearchOptions with = options(), without = options();
  without.useDefaults = false;
  schedule::StepsAttr first = create(tasks.get("conv3x3"), with)->propose(4).front().steps;
  for (const Candidate &candidate : create(tasks.get("conv3x3"), without)->propose(4))
    EXPECT_NE(candidate.steps, first);
}

TEST_P(SearchTest, GoesOnAfterFailures) {
  std::unique_ptr<SearchPolicy> policy = create(tasks.get("matmul"), options());
  std::vector<Outcome> failed;
  for (const Candidate &candidate : policy->propose(16))
    failed.push_back({candidate.steps, std::nullopt});
  policy->observe(failed);
  EXPECT_EQ(policy->propose(16).size(), 16U);
}

INSTANTIATE_TEST_SUITE_P(Policies, SearchTest,
                         testing::Values("evolutionary", "random", "grid", "annealing", "genetic"),
                         [](const auto &info) { return info.param; });

TEST(Search, ExhaustsASmallSpaceAndSaysSo) {
  TestTasks tasks;
  SearchOptions options;
  options.policy = "grid";
  std::unique_ptr<SearchPolicy> policy = create(tasks.get("sum"), options);
  unsigned total = 0;
  while (!policy->isExhausted()) {
    total += policy->propose(1000).size();
    ASSERT_LT(total, 1000000U);
  }
  EXPECT_GT(total, 10U);
  EXPECT_TRUE(policy->propose(1).empty());
}

TEST(Search, EvolutionBeatsChance) {
  TestTasks tasks;
  unsigned wins = 0, total = 0;
  for (const char *name : {"conv3x3", "conv1x1", "depthwise", "matmul", "pooling"}) {
    SearchOptions evolution, chance;
    evolution.useDefaults = chance.useDefaults = false;
    chance.policy = "random";
    std::vector<double> searched, drawn;
    for (unsigned seed = 0; seed < 3; ++seed) {
      evolution.seed = chance.seed = seed;
      searched.push_back(bestOf(*create(tasks.get(name), evolution), 128));
      drawn.push_back(bestOf(*create(tasks.get(name), chance), 128));
    }
    llvm::sort(searched);
    llvm::sort(drawn);
    ++total;
    wins += searched[1] <= drawn[1];
  }
  EXPECT_GE(wins, total - 1);
}

/// A cost model that ranks the slowest schedules first.
class ContraryModel : public CostModel {
public:
  std::string name() const override { return "contrary"; }
  void update(const std::vector<Sample> &) override {}
  std::vector<double> predict(const std::vector<const FeatureMatrix *> &schedules) const override {
    std::vector<double> scores = createCostModel("analytic", 0)->predict(schedules);
    for (double &score : scores)
      score = -score;
    return scores;
  }
  std::string save(const std::string &) const override { return ""; }
  std::string loadBytes(const std::string &, std::string_view) override { return ""; }
};

TEST(Search, AWrongModelHidesNotWhatTheEstimateFinds) {
  TestTasks tasks;
  SearchOptions options;
  options.useDefaults = false;
  options.model = std::make_shared<ContraryModel>();
  options.epsilon = 0;
  std::vector<Candidate> candidates = create(tasks.get("matmul512"), options)->propose(16);
  ASSERT_EQ(candidates.size(), 16U);
  auto byScore = [](const Candidate &a, const Candidate &b) { return a.predicted < b.predicted; };
  double middle =
      (llvm::min_element(candidates, byScore)->predicted + llvm::max_element(candidates, byScore)->predicted) / 2;
  EXPECT_EQ(llvm::count_if(candidates, [&](const Candidate &each) { return each.predicted < middle; }), 8);
}

/// Returns the size of a proposal's Winograd tiles; 0 for a direct convolution.
int64_t outputsOf(const Candidate &candidate) {
  for (mlir::Attribute step : candidate.steps.getSteps())
    if (auto winograd = llvm::dyn_cast<schedule::WinogradAttr>(step))
      return winograd.getOutputs();
  return 0;
}

TEST(Search, EveryKindOfVariantIsTriedAndHopelessOnesAreLeft) {
  TestTasks tasks;
  SearchOptions options;
  options.useDefaults = false;
  options.epsilon = 0;
  std::unique_ptr<SearchPolicy> policy = create(tasks.get("conv3x3"), options);
  auto count = [&](int64_t outputs) {
    std::vector<Candidate> candidates = policy->propose(24);
    std::vector<Outcome> outcomes = measure(candidates);
    for (auto [candidate, outcome] : llvm::zip_equal(candidates, outcomes))
      outcome.costSeconds = *outcome.costSeconds * 1e-3 + (outputsOf(candidate) == 2 ? 1e-6 : 2e-6);
    policy->observe(outcomes);
    return llvm::count_if(candidates, [&](const Candidate &each) { return outputsOf(each) == outputs; });
  };
  EXPECT_GE(count(0), 6);
  EXPECT_GE(count(4), 4);
  count(2);
  count(2);
  EXPECT_EQ(count(4), 0);
  EXPECT_LE(count(0), 2) << "a small share, which says after how few measurements it would be left";
}

/// Returns the step that replaces a proposal's convolution; null for a direct convolution.
mlir::Attribute replacementOf(const Candidate &candidate) {
  auto isReplacement = [](mlir::Attribute step) { return llvm::isa<schedule::WinogradAttr>(step); };
  auto found = llvm::find_if(candidate.steps.getSteps(), isReplacement);
  return found == candidate.steps.getSteps().end() ? mlir::Attribute() : *found;
}

TEST(Search, VariantsThatTheModelTakesForSlowAreTriedToo) {
  TestTasks tasks;
  SearchOptions chance, evolution;
  chance.policy = "random";
  chance.useDefaults = evolution.useDefaults = false;
  evolution.model = std::make_shared<ContraryModel>();
  std::set<const void *> all, tried;
  for (const Candidate &candidate : create(tasks.get("conv3x3"), chance)->propose(500))
    all.insert(replacementOf(candidate).getAsOpaquePointer());
  std::unique_ptr<SearchPolicy> policy = create(tasks.get("conv3x3"), evolution);
  for (unsigned round = 0; round < 7; ++round) {
    std::vector<Candidate> candidates = policy->propose(16);
    for (const Candidate &candidate : candidates)
      tried.insert(replacementOf(candidate).getAsOpaquePointer());
    policy->observe(measure(candidates));
  }
  EXPECT_EQ(tried, all);
}

TEST(Search, RefusesWhatItDoesNotKnow) {
  TestTasks tasks;
  SearchOptions policy, structure;
  policy.policy = "clairvoyant";
  structure.structure = "RSS";
  EXPECT_EQ(llvm::toString(createSearchPolicy(tasks.get("matmul"), policy).takeError()),
            "expected a policy (evolutionary, random, grid, annealing, genetic), got 'clairvoyant'");
  EXPECT_EQ(llvm::toString(createSearchPolicy(tasks.get("matmul"), structure).takeError()),
            "expected a tile structure of the letters S and R that begins with S and has at least two S and one R, got "
            "'RSS'");
}

} // namespace
