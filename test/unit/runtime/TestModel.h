// A model description as the compiler emits it, for tests of the runtime: y[n,3] = 2 * x[n,3], with one symbol. A
// second output, which is never written, has n - 1 rows.
#ifndef CAMEO_TEST_UNIT_RUNTIME_TESTMODEL_H
#define CAMEO_TEST_UNIT_RUNTIME_TESTMODEL_H

#include "cameo/runtime.h"

namespace cameo::test {

inline void doubleKernel(void *const *buffers, int64_t begin, int64_t end) {
  auto *x = static_cast<const float *>(buffers[0]);
  auto *y = static_cast<float *>(buffers[1]);
  for (int64_t i = begin; i < end; ++i)
    y[i] = 2 * x[i];
}

inline uint64_t workspaceSize(const int64_t *) { return 64; }

inline cameo_status run(const void *const *inputs, void *const *outputs, const int64_t *symbols, void *,
                        const cameo_context *context) {
  void *const buffers[] = {const_cast<void *>(inputs[0]), outputs[0]};
  int64_t extent = symbols[0] * 3;
  if (context && context->profile)
    context->profile(context->profile_user, 0, 1);
  if (context && context->thread_count > 1)
    context->parallel_for(context->parallel_user, doubleKernel, buffers, extent);
  else
    doubleKernel(buffers, 0, extent);
  if (context && context->profile)
    context->profile(context->profile_user, 0, 0);
  return CAMEO_OK;
}

/// Returns the derived sizes n - 1 and, as a maximum size, 2 * n.
inline int64_t derivedSize(const int64_t *symbols, uint32_t index) {
  return index == 0 ? symbols[0] - 1 : index == 1 ? 2 * symbols[0] : -1;
}

struct TestModel {
  int64_t shape[2] = {-1, 3};
  int64_t staticShape[2] = {4, 5};
  int64_t derivedShape[2] = {-2, 3};
  const char *symbols[1] = {"n"};
  const char *derived[1] = {"n - 1"};
  cameo_tensor_description inputs[2] = {{"x", shape, 0, 2, CAMEO_FLOAT32}, {"s", staticShape, 80, 2, CAMEO_INT32}};
  cameo_tensor_description outputs[2] = {{"y", shape, 0, 2, CAMEO_FLOAT32},
                                         {"less", derivedShape, 0, 2, CAMEO_FLOAT32}};
  cameo_task_description tasks[1] = {{"Mul", "mul", 3, 24, "by hand"}};
  cameo_model_description description = {CAMEO_ABI_VERSION,
                                         sizeof(cameo_model_description),
                                         "twice",
                                         "x86_64-linux-gnu/generic",
                                         inputs,
                                         outputs,
                                         tasks,
                                         symbols,
                                         derived,
                                         2,
                                         2,
                                         1,
                                         1,
                                         1,
                                         0,
                                         0,
                                         0,
                                         0,
                                         nullptr,
                                         derivedSize,
                                         workspaceSize,
                                         run};
};

} // namespace cameo::test

#endif
