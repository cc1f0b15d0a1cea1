// Matrix products by OpenBLAS.
#include "utils/bench/Kernel.h"

#include <cblas.h>

#include <memory>
#include <vector>

using namespace cameo;

Contender cameo::makeOpenBlas(const Kernel &kernel) {
  if (kernel.kind != Kernel::Kind::Gemm)
    return {};
  openblas_set_num_threads(1);
  auto [m, n, k, d, e, f, g] = kernel.sizes;
  struct Data {
    std::vector<float> a, b, c;
  };
  auto data = std::make_shared<Data>(
      Data{std::vector<float>(m * k, 0.01f), std::vector<float>(k * n, 0.01f), std::vector<float>(m * n)});
  if (m == 1)
    return [data, n = n, k = k] {
      cblas_sgemv(CblasRowMajor, CblasTrans, k, n, 1, data->b.data(), n, data->a.data(), 1, 0, data->c.data(), 1);
    };
  return [data, m = m, n = n, k = k] {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, data->a.data(), k, data->b.data(), n, 0,
                data->c.data(), n);
  };
}
