#include "utils/Driver/DeepStack.h"

#include "llvm/Support/thread.h"

void cameo::runOnDeepStack(llvm::function_ref<void()> work) {
  constexpr unsigned stackBytes = 512u << 20;
  llvm::thread thread(std::optional<unsigned>(stackBytes), [&] { work(); });
  thread.join();
}
