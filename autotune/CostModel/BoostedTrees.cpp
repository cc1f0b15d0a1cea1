#include "autotune/CostModel/BoostedTrees.h"

#include "autotune/CostModel/AnalyticModel.h"
#include "autotune/CostModel/ModelFile.h"
#include "autotune/CostModel/TreeEnsemble.h"

#include <algorithm>
#include <map>

namespace cameo::autotune {
namespace {

constexpr unsigned maxRounds = 300, patience = 20;
/// Fewer measurements than this say less than the analytic model.
constexpr size_t minSamples = 8;
/// A failure is as good as a schedule of no speed, but counts as one of a fifth: else it would not count at all.
constexpr float minWeight = 0.2F;

class BoostedTrees : public CostModel {
public:
  BoostedTrees(uint64_t seed, unsigned threads) : seed(seed), threads(threads) {}

  std::string name() const override { return "boosted trees"; }

  void update(const std::vector<Sample> &added) override {
    samples.insert(samples.end(), added.begin(), added.end());
    // A fifth more than last time is worth the time of training.
    if (samples.size() >= minSamples && (samples.size() - trained) * 5 >= trained)
      train();
  }

  std::vector<double> predict(const std::vector<const FeatureMatrix *> &schedules) const override {
    if (!base && !correction)
      return analytic.predict(schedules);
    std::vector<double> scores(schedules.size());
    if (schedules.empty())
      return scores;
    Pack pack(schedules);
    for (const TreeEnsemble *ensemble : {base.get(), correction.get()})
      if (ensemble)
        pack.add(ensemble->predict(pack.rows), scores);
    return scores;
  }

  std::string save(const std::string &path) const override {
    if (base && correction)
      return path + ": a model that corrects a loaded one cannot be saved; train one from all records";
    if (!base && !correction)
      return path + ": nothing was learnt yet";
    return writeModelFile(path, (correction ? correction : base)->toBytes());
  }

  std::string loadBytes(const std::string &name, std::string_view bytes) override {
    auto found = treesOf(name, bytes);
    if (auto *error = std::get_if<ModelFileError>(&found))
      return error->message;
    auto loaded = std::make_unique<TreeEnsemble>(seed);
    if (!loaded->fromBytes(std::get<std::string_view>(found)))
      return name + ": expected trees that this version of XGBoost can read";
    loaded->setThreads(threads);
    base = std::move(loaded);
    correction.reset();
    trained = 0;
    return "";
  }

private:
  /// The rows of several schedules, and which schedule each belongs to.
  struct Pack {
    explicit Pack(const std::vector<const FeatureMatrix *> &schedules) : rows(join(schedules)) {
      for (size_t number = 0; number < schedules.size(); ++number)
        schedule.insert(schedule.end(), schedules[number]->rows(), number);
    }
    static std::vector<float> join(const std::vector<const FeatureMatrix *> &schedules) {
      std::vector<float> values;
      for (const FeatureMatrix *matrix : schedules)
        values.insert(values.end(), matrix->values.begin(), matrix->values.end());
      return values;
    }
    void add(const std::vector<float> &perRow, std::vector<double> &perSchedule) const {
      for (size_t row = 0; row < schedule.size(); ++row)
        perSchedule[schedule[row]] += static_cast<double>(perRow[row]);
    }

    TreeRows rows;
    std::vector<size_t> schedule;
  };

  /// The fastest cost of the task by that of each sample: 0 for failures.
  std::vector<double> speeds() const {
    std::map<std::string, double> fastest;
    for (const Sample &sample : samples)
      if (sample.costSeconds > 0) {
        auto [at, isNew] = fastest.try_emplace(sample.task, sample.costSeconds);
        at->second = std::min(at->second, sample.costSeconds);
      }
    std::vector<double> values;
    for (const Sample &sample : samples)
      values.push_back(sample.costSeconds > 0 ? fastest[sample.task] / sample.costSeconds : 0);
    return values;
  }

  void train() {
    trained = samples.size();
    std::vector<const FeatureMatrix *> schedules;
    for (const Sample &sample : samples)
      schedules.push_back(&sample.features);
    Pack pack(schedules);
    std::vector<double> target = speeds(), start(samples.size());
    if (base)
      pack.add(base->predict(pack.rows), start);
    correction = std::make_unique<TreeEnsemble>(seed);
    std::vector<float> gradient(pack.rows.size()), hessian(pack.rows.size());
    double best = 0;
    unsigned sinceBest = 0;
    for (unsigned round = 0; round < maxRounds && sinceBest < patience; ++round) {
      std::vector<double> scores = start;
      if (round > 0)
        pack.add(correction->predict(pack.rows), scores);
      double error = 0;
      for (size_t row = 0; row < gradient.size(); ++row) {
        size_t number = pack.schedule[row];
        double weight = std::max<double>(minWeight, target[number]), distance = scores[number] - target[number];
        gradient[row] = static_cast<float>(weight * distance);
        hessian[row] = static_cast<float>(weight);
        error += weight * distance * distance;
      }
      bool isBetter = round == 0 || error < 0.995 * best;
      best = isBetter ? error : best;
      sinceBest = isBetter ? 0 : sinceBest + 1;
      correction->boost(pack.rows, gradient, hessian);
    }
    correction->setThreads(threads);
  }

  uint64_t seed;
  unsigned threads;
  std::vector<Sample> samples;
  size_t trained = 0;
  std::unique_ptr<TreeEnsemble> base, correction;
  AnalyticModel analytic;
};

} // namespace

std::shared_ptr<CostModel> createBoostedTrees(uint64_t seed, unsigned threads) {
  return std::make_shared<BoostedTrees>(seed, threads);
}

} // namespace cameo::autotune
