// The kernels by oneDNN, each operand in the layout that it prefers and reordered beforehand.
#include "utils/bench/Kernel.h"

#include <oneapi/dnnl/dnnl.hpp>

#include <algorithm>
#include <memory>
#include <unordered_map>

using namespace cameo;
using Tag = dnnl::memory::format_tag;
using Md = dnnl::memory::desc;

namespace {

constexpr auto f32 = dnnl::memory::data_type::f32;

/// A primitive with memory for its arguments.
class Call {
public:
  Call() : engine(dnnl::engine::kind::cpu, 0), stream(engine) {}

  const dnnl::engine &getEngine() const { return engine; }
  void setPrimitive(dnnl::primitive made) { primitive = std::move(made); }
  void add(int argument, const Md &layout) {
    dnnl::memory memory(layout, engine);
    // Pages that nobody wrote would all be one page of zeros, in the first-level cache.
    std::fill_n(static_cast<float *>(memory.get_data_handle()), layout.get_size() / sizeof(float), 0.01f);
    arguments.insert({argument, memory});
  }
  void run() {
    primitive.execute(stream, arguments);
    stream.wait();
  }

private:
  dnnl::engine engine;
  dnnl::stream stream;
  dnnl::primitive primitive;
  std::unordered_map<int, dnnl::memory> arguments;
};

} // namespace

static void setGemm(Call &call, const Kernel &kernel) {
  auto [m, n, k, d, e, f, g] = kernel.sizes;
  Md a({m, k}, f32, Tag::ab), b({k, n}, f32, Tag::any), c({m, n}, f32, Tag::ab);
  dnnl::matmul::primitive_desc primitive(dnnl::matmul::desc(a, b, c), call.getEngine());
  call.setPrimitive(dnnl::matmul(primitive));
  call.add(DNNL_ARG_SRC, primitive.src_desc());
  call.add(DNNL_ARG_WEIGHTS, primitive.weights_desc());
  call.add(DNNL_ARG_DST, primitive.dst_desc());
}

static void setConvolution(Call &call, const Kernel &kernel) {
  Convolution conv(kernel);
  Md source({1, conv.channels, conv.height, conv.width}, f32, Tag::any), bias({conv.filters}, f32, Tag::a),
      target({1, conv.filters, conv.height / conv.stride, conv.width / conv.stride}, f32, Tag::any);
  dnnl::memory::dims filter = {conv.filters / conv.groups, conv.channels / conv.groups, conv.kernel, conv.kernel};
  if (conv.groups > 1)
    filter.insert(filter.begin(), conv.groups);
  // A stride of 2 divides the sizes, so that it never reaches the padding at the far side.
  int64_t before = conv.padding(), after = before - (conv.stride - 1);
  dnnl::convolution_forward::desc description(dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_auto,
                                              source, Md(filter, f32, Tag::any), bias, target,
                                              {conv.stride, conv.stride}, {before, before}, {after, after});
  dnnl::convolution_forward::primitive_desc primitive(description, call.getEngine());
  call.setPrimitive(dnnl::convolution_forward(primitive));
  call.add(DNNL_ARG_SRC, primitive.src_desc());
  call.add(DNNL_ARG_WEIGHTS, primitive.weights_desc());
  call.add(DNNL_ARG_BIAS, primitive.bias_desc());
  call.add(DNNL_ARG_DST, primitive.dst_desc());
}

static void setSoftmax(Call &call, const Kernel &kernel) {
  Md rows({kernel.sizes[0], kernel.sizes[1]}, f32, Tag::ab);
  dnnl::softmax_forward::desc description(dnnl::prop_kind::forward_inference, rows, /*axis=*/1);
  call.setPrimitive(dnnl::softmax_forward({description, call.getEngine()}));
  call.add(DNNL_ARG_SRC, rows);
  call.add(DNNL_ARG_DST, rows);
}

static void setLayerNorm(Call &call, const Kernel &kernel) {
  Md rows({kernel.sizes[0], kernel.sizes[1]}, f32, Tag::ab), length({kernel.sizes[1]}, f32, Tag::a);
  auto flags = dnnl::normalization_flags::use_scale | dnnl::normalization_flags::use_shift;
  dnnl::layer_normalization_forward::desc description(dnnl::prop_kind::forward_inference, rows, /*epsilon=*/1e-5f,
                                                      flags);
  call.setPrimitive(dnnl::layer_normalization_forward({description, call.getEngine()}));
  call.add(DNNL_ARG_SRC, rows);
  call.add(DNNL_ARG_DST, rows);
  call.add(DNNL_ARG_SCALE, length);
  call.add(DNNL_ARG_SHIFT, length);
}

Contender cameo::makeOneDnn(const Kernel &kernel) {
  auto call = std::make_shared<Call>();
  switch (kernel.kind) {
  case Kernel::Kind::Gemm:
    setGemm(*call, kernel);
    break;
  case Kernel::Kind::Conv:
    setConvolution(*call, kernel);
    break;
  case Kernel::Kind::Softmax:
    setSoftmax(*call, kernel);
    break;
  case Kernel::Kind::LayerNorm:
    setLayerNorm(*call, kernel);
    break;
  }
  return [call] { call->run(); };
}
