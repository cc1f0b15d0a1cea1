// Two models by their C++ headers, on the device that there is.
#include "net.hpp"
#include "words.hpp"

#include <cstdio>
#include <vector>

static bool runsFixed() {
  const float x[4] = {3, 2, 1, 0};
  std::vector<float> scores(net_model::output_scores::elements), short_one(2);
  cameo::gpu gpu;
  net_model model(gpu);
  net_model::inputs in;
  net_model::outputs out, tight;
  in.x = x;
  out.scores = scores;
  tight.scores = short_one;
  // Not loaded, no session, too little room.
  if (model.prepare() != CAMEO_INVALID_ARGUMENT || model.run(in, out) != CAMEO_INVALID_ARGUMENT)
    return false;
  if (gpu.load(net_model::code()) != CAMEO_OK || model.prepare() != CAMEO_OK ||
      model.run(in, tight) != CAMEO_INVALID_ARGUMENT || model.run(in, out) != CAMEO_OK)
    return false;
  std::printf("%.3f %.3f %.3f\n", scores[0], scores[1], scores[2]);
  net_model other(std::move(model));
  return other.run(in, out) == CAMEO_OK;
}

static bool runsOpen() {
  std::vector<float> x(8 * 4, 1), mean(words_model::output_mean::elements);
  cameo::gpu gpu;
  if (gpu.load(words_model::code()) != CAMEO_OK)
    return false;
  words_model model(gpu);
  words_model::dims most{}, sizes{};
  most.seq = 8;
  sizes.seq = 3;
  words_model::inputs in;
  words_model::outputs out;
  in.x = cameo::span<const float>(x.data(), 3 * 4);
  out.mean = mean;
  if (model.prepare(most) != CAMEO_OK || model.run(in, out, sizes) != CAMEO_OK ||
      model.run(in, out, most) != CAMEO_INVALID_ARGUMENT)
    return false;
  std::printf("%.3f of %d\n", mean[0] + mean[1] + mean[2], static_cast<int>(words_model::input_x::shape_of(sizes)[0]));
  return true;
}

int main() {
  if (runsFixed() && runsOpen())
    return 0;
  std::printf("%s\n", cameo::gpu::error());
  return 1;
}
