#include "test/unit/runtime/TestModel.h"

#include <gtest/gtest.h>
#include <thread>
#include <vector>

using cameo::test::TestModel;

TEST(Context, WithoutPoolIsSerial) {
  cameo_context context;
  cameo_context_init(&context, nullptr);
  EXPECT_EQ(context.abi_version, uint32_t(CAMEO_ABI_VERSION));
  EXPECT_EQ(context.thread_count, 1);
  EXPECT_EQ(context.profile, nullptr);
  EXPECT_EQ(context.weights, nullptr);
}

TEST(Context, RunsAModelOnAPool) {
  cameo_thread_pool *pool = nullptr;
  ASSERT_EQ(cameo_thread_pool_create(3, &pool), CAMEO_OK);
  cameo_context context;
  cameo_context_init(&context, pool);
  EXPECT_EQ(context.thread_count, 3);

  TestModel model;
  int64_t n = 1000;
  std::vector<float> x(n * 3, 1.5f), y(n * 3);
  const void *inputs[] = {x.data()};
  void *outputs[] = {y.data()};
  EXPECT_EQ(model.description.run(inputs, outputs, &n, nullptr, &context), CAMEO_OK);
  EXPECT_EQ(y, std::vector<float>(n * 3, 3.0f));
  cameo_thread_pool_destroy(pool);
}

TEST(Profile, CountsAndTimesTasks) {
  TestModel model;
  cameo_context context;
  cameo_context_init(&context, nullptr);
  cameo_profile profile;
  cameo_task_profile tasks[1] = {{5, 5}};
  cameo_profile_start(&profile, tasks, 1, &context);

  int64_t n = 100000;
  std::vector<float> x(n * 3), y(n * 3);
  const void *inputs[] = {x.data()};
  void *outputs[] = {y.data()};
  uint64_t before = cameo_now();
  for (int i = 0; i < 3; ++i)
    model.description.run(inputs, outputs, &n, nullptr, &context);
  uint64_t elapsed = cameo_now() - before;
  EXPECT_EQ(tasks[0].count, 3u);
  EXPECT_GT(tasks[0].nanoseconds, 0u);
  EXPECT_LE(tasks[0].nanoseconds, elapsed);
}

TEST(Profile, IgnoresTasksBeyondTheArray) {
  cameo_context context;
  cameo_context_init(&context, nullptr);
  cameo_profile profile;
  cameo_profile_start(&profile, nullptr, 0, &context);
  context.profile(context.profile_user, 7, 1);
  context.profile(context.profile_user, 7, 0);
}
