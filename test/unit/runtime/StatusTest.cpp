#include "cameo/runtime.h"

#include <cstring>
#include <gtest/gtest.h>
#include <set>
#include <string>

TEST(StatusMessage, EveryStatusHasItsOwn) {
  std::set<std::string> messages;
  for (int status = CAMEO_OK; status <= CAMEO_BOUND_EXCEEDED; ++status)
    messages.insert(cameo_status_message(static_cast<cameo_status>(status)));
  EXPECT_EQ(messages.size(), size_t(CAMEO_BOUND_EXCEEDED) + 1);
  EXPECT_EQ(messages.count("unknown status"), 0u);
}

TEST(StatusMessage, UnknownValueIsNoCrash) {
  // A status of a later runtime version, which is not a value of the enumeration.
  const int later = 1000;
  cameo_status status;
  static_assert(sizeof status == sizeof later);
  std::memcpy(&status, &later, sizeof status);
  EXPECT_STREQ(cameo_status_message(status), "unknown status");
}

TEST(Abi, SymbolHoldsTheVersion) { EXPECT_EQ(cameo_abi_4, uint32_t(CAMEO_ABI_VERSION)); }
