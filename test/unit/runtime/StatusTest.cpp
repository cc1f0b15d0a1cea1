#include "cameo/runtime.h"

#include <gtest/gtest.h>
#include <set>
#include <string>

TEST(StatusMessage, EveryStatusHasItsOwn) {
  std::set<std::string> messages;
  for (int status = CAMEO_OK; status <= CAMEO_UNSUPPORTED_CPU; ++status)
    messages.insert(cameo_status_message(static_cast<cameo_status>(status)));
  EXPECT_EQ(messages.size(), size_t(CAMEO_UNSUPPORTED_CPU) + 1);
  EXPECT_EQ(messages.count("unknown status"), 0u);
}

TEST(StatusMessage, UnknownValueIsNoCrash) {
  EXPECT_STREQ(cameo_status_message(static_cast<cameo_status>(8)), "unknown status");
}

TEST(Abi, SymbolHoldsTheVersion) { EXPECT_EQ(cameo_abi_3, uint32_t(CAMEO_ABI_VERSION)); }
