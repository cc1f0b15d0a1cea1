#include "autotune/CostModel/CostModel.h"

#include "autotune/CostModel/AnalyticModel.h"
#include "autotune/CostModel/BoostedTrees.h"
#include "autotune/CostModel/RandomModel.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>

namespace cameo::autotune {

CostModel::~CostModel() = default;

std::string CostModel::load(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return file.bad() || !file.is_open() ? path + ": cannot be read" : loadBytes(path, bytes);
}

std::shared_ptr<CostModel> createCostModel(uint64_t seed) {
  if (std::shared_ptr<CostModel> trees = createBoostedTrees(seed))
    return trees;
  return std::make_shared<AnalyticModel>();
}

std::shared_ptr<CostModel> createCostModel(const std::string &name, uint64_t seed) {
  if (name == "trees")
    return createBoostedTrees(seed);
  if (name == "analytic")
    return std::make_shared<AnalyticModel>();
  if (name == "random")
    return std::make_shared<RandomModel>(seed);
  return nullptr;
}

double pairwiseAccuracy(const CostModel &model, const std::vector<Sample> &samples, double tolerance) {
  std::vector<const FeatureMatrix *> schedules;
  for (const Sample &sample : samples)
    schedules.push_back(&sample.features);
  std::vector<double> predicted = model.predict(schedules);
  double pairs = 0, ordered = 0;
  for (size_t a = 0; a < samples.size(); ++a)
    for (size_t b = 0; b < a; ++b) {
      double first = samples[a].costSeconds, second = samples[b].costSeconds;
      if (samples[a].task != samples[b].task || first <= 0 || second <= 0 ||
          std::abs(first - second) <= tolerance * std::min(first, second))
        continue;
      ++pairs;
      if (predicted[a] == predicted[b])
        ordered += 0.5;
      else
        ordered += (predicted[a] > predicted[b]) == (first < second);
    }
  return pairs == 0 ? 1 : ordered / pairs;
}

/// Returns the ranks of values. Equal values share the mean of their ranks.
static std::vector<double> ranksOf(const std::vector<double> &values) {
  std::vector<size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && values[order[end]] == values[order[begin]])
      ++end;
    for (size_t place = begin; place < end; ++place)
      ranks[order[place]] = static_cast<double>(begin + end - 1) / 2;
  }
  return ranks;
}

double rankCorrelation(const CostModel &model, const std::vector<Sample> &samples) {
  std::vector<const FeatureMatrix *> schedules;
  std::vector<double> speeds;
  for (const Sample &sample : samples)
    if (sample.costSeconds > 0) {
      schedules.push_back(&sample.features);
      speeds.push_back(1 / sample.costSeconds);
    }
  if (speeds.size() < 2)
    return 1;
  std::vector<double> first = ranksOf(model.predict(schedules)), second = ranksOf(speeds);
  double mean = static_cast<double>(speeds.size() - 1) / 2, product = 0, squares = 0, otherSquares = 0;
  for (size_t i = 0; i < first.size(); ++i) {
    product += (first[i] - mean) * (second[i] - mean);
    squares += (first[i] - mean) * (first[i] - mean);
    otherSquares += (second[i] - mean) * (second[i] - mean);
  }
  return squares > 0 && otherSquares > 0 ? product / std::sqrt(squares * otherSquares) : 0;
}

} // namespace cameo::autotune
