#include "autotune/CostModel/BoostedTrees.h"

#include "autotune/CostModel/AnalyticModel.h"
#include "autotune/CostModel/ModelFile.h"
#include "autotune/CostModel/TreeEnsemble.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace cameo::autotune {
namespace {

constexpr unsigned maxRounds = 300, patience = 20;
/// With fewer measurements, the analytic model is more accurate.
constexpr size_t minSamples = 8;
/// Weight of failures, and of schedules more than five times as slow as the fastest one. They should not be ignored.
constexpr double minWeight = 0.2;

class BoostedTrees : public CostModel {
public:
  explicit BoostedTrees(uint64_t seed) : seed(seed) {}

  std::string name() const override { return "boosted trees"; }

  void update(const std::vector<Sample> &added) override {
    samples.insert(samples.end(), added.begin(), added.end());
    // Training is only worth its time if the number of samples has grown by a fifth.
    if (samples.size() >= minSamples && (samples.size() - trained) * 5 >= trained)
      train();
  }

  std::vector<double> predict(const std::vector<const FeatureMatrix *> &schedules) const override {
    if (loaded.empty() && !correction)
      return analytic.predict(schedules);
    if (schedules.empty())
      return {};
    Pack pack(schedules);
    std::vector<double> nests = pack.estimates;
    addLoaded(pack.values, nests);
    if (correction)
      add(correction->predict(pack.values), nests);
    std::vector<double> scores = pack.sums(nests);
    for (double &score : scores)
      score = -score;
    return scores;
  }

  std::string save(const std::string &path) const override {
    std::vector<std::string> ensembles;
    for (const std::unique_ptr<TreeEnsemble> &each : loaded)
      ensembles.push_back(each->toBytes());
    if (correction)
      ensembles.push_back(correction->toBytes());
    return ensembles.empty() ? path + ": the cost model has not been trained yet" : writeModelFile(path, ensembles);
  }

  std::string loadBytes(const std::string &name, std::string_view bytes) override {
    auto found = treesOf(name, bytes);
    if (auto *error = std::get_if<ModelFileError>(&found))
      return error->message;
    std::vector<std::unique_ptr<TreeEnsemble>> ensembles;
    for (std::string_view trees : std::get<std::vector<std::string_view>>(found)) {
      ensembles.push_back(std::make_unique<TreeEnsemble>(seed));
      if (!ensembles.back()->fromBytes(trees))
        return name + ": expected trees that this version of XGBoost can read";
      ensembles.back()->finish();
    }
    loaded = std::move(ensembles);
    correction.reset();
    trained = 0;
    return "";
  }

private:
  /// The feature rows of several schedules, and the schedule of each row.
  struct Pack {
    explicit Pack(const std::vector<const FeatureMatrix *> &schedules)
        : values(join(schedules)), count(schedules.size()) {
      for (size_t number = 0; number < count; ++number)
        for (size_t row = 0; row < schedules[number]->rows(); ++row) {
          schedule.push_back(number);
          estimates.push_back(static_cast<double>(schedules[number]->at(row, Feature::NestCycles)));
        }
    }
    static std::vector<float> join(const std::vector<const FeatureMatrix *> &schedules) {
      std::vector<float> values;
      for (const FeatureMatrix *matrix : schedules)
        values.insert(values.end(), matrix->values.begin(), matrix->values.end());
      return values;
    }
    /// Returns the logarithms of the costs of schedules, from those of their nests.
    std::vector<double> sums(const std::vector<double> &nests) const {
      std::vector<double> costs(count);
      for (size_t row = 0; row < nests.size(); ++row)
        costs[schedule[row]] += std::exp2(nests[row]);
      for (double &cost : costs)
        cost = std::log2(cost);
      return costs;
    }

    std::vector<float> values; ///< rows of features
    size_t count;              ///< number of schedules
    std::vector<size_t> schedule;
    std::vector<double> estimates; ///< by row: logarithm of the analytic model's cost
  };

  static void add(const std::vector<float> &perRow, std::vector<double> &sums) {
    for (size_t row = 0; row < perRow.size(); ++row)
      sums[row] += static_cast<double>(perRow[row]);
  }

  void addLoaded(const std::vector<float> &values, std::vector<double> &sums) const {
    for (const std::unique_ptr<TreeEnsemble> &each : loaded)
      add(each->predict(values), sums);
  }

  /// The value to learn for a schedule, and its weight.
  struct Target {
    size_t task = 0;
    double cost = 0; ///< logarithm
    double weight = minWeight;
  };

  /// Returns the targets of all samples. A failure counts as twice the cost of the slowest success of its task. Faster
  /// schedules have more weight.
  std::vector<Target> targets() const {
    struct Range {
      size_t number;
      double fastest = 0, slowest = 0;
    };
    std::map<std::string, Range> tasks;
    for (const Sample &sample : samples) {
      Range &task = tasks.try_emplace(sample.task, Range{tasks.size()}).first->second;
      if (sample.costSeconds > 0) {
        task.fastest = task.fastest > 0 ? std::min(task.fastest, sample.costSeconds) : sample.costSeconds;
        task.slowest = std::max(task.slowest, sample.costSeconds);
      }
    }
    std::vector<Target> values;
    for (const Sample &sample : samples) {
      const Range &task = tasks.at(sample.task);
      double cost = sample.costSeconds > 0 ? sample.costSeconds : task.slowest > 0 ? 2 * task.slowest : 1;
      double speed = sample.costSeconds > 0 ? task.fastest / cost : 0;
      values.push_back({task.number, std::log2(cost), std::max(minWeight, speed)});
    }
    return values;
  }

  /// Returns the differences between costs and targets. Only differences within a task count, so the mean of each task
  /// is subtracted.
  static std::vector<double> distances(const std::vector<double> &costs, const std::vector<Target> &targets) {
    struct Mean {
      double sum = 0, weight = 0;
    };
    std::vector<Mean> means(costs.size());
    std::vector<double> values;
    for (size_t number = 0; number < costs.size(); ++number) {
      const Target &target = targets[number];
      values.push_back(costs[number] - target.cost);
      means[target.task].sum += target.weight * values.back();
      means[target.task].weight += target.weight;
    }
    for (size_t number = 0; number < costs.size(); ++number) {
      const Mean &mean = means[targets[number].task];
      values[number] -= mean.sum / mean.weight;
    }
    return values;
  }

  void train() {
    trained = samples.size();
    std::vector<const FeatureMatrix *> schedules;
    for (const Sample &sample : samples)
      schedules.push_back(&sample.features);
    Pack pack(schedules);
    TreeRows rows(pack.values);
    std::vector<Target> wanted = targets();
    std::vector<double> start = pack.estimates;
    addLoaded(pack.values, start);
    correction = std::make_unique<TreeEnsemble>(seed);
    std::vector<float> gradient(rows.size()), hessian(rows.size());
    double best = 0;
    unsigned sinceBest = 0;
    for (unsigned round = 0; round < maxRounds && sinceBest < patience; ++round) {
      std::vector<double> nests = start;
      if (round > 0)
        add(correction->predict(rows), nests);
      std::vector<double> costs = pack.sums(nests), distance = distances(costs, wanted);
      double error = 0;
      for (size_t number = 0; number < costs.size(); ++number)
        error += wanted[number].weight * distance[number] * distance[number];
      for (size_t row = 0; row < gradient.size(); ++row) {
        size_t number = pack.schedule[row];
        // A nest can change the cost of its schedule only by its own part.
        double weight = wanted[number].weight * std::exp2(nests[row] - costs[number]);
        gradient[row] = static_cast<float>(weight * distance[number]);
        hessian[row] = static_cast<float>(weight);
      }
      bool isBetter = round == 0 || error < 0.995 * best;
      best = isBetter ? error : best;
      sinceBest = isBetter ? 0 : sinceBest + 1;
      correction->boost(rows, gradient, hessian);
    }
    correction->finish();
  }

  uint64_t seed;
  std::vector<Sample> samples;
  size_t trained = 0;
  std::vector<std::unique_ptr<TreeEnsemble>> loaded; ///< each corrects the sum of those before it
  std::unique_ptr<TreeEnsemble> correction;          ///< corrects all loaded ones; trained on `samples`
  AnalyticModel analytic;
};

} // namespace

std::shared_ptr<CostModel> createBoostedTrees(uint64_t seed) { return std::make_shared<BoostedTrees>(seed); }

} // namespace cameo::autotune
