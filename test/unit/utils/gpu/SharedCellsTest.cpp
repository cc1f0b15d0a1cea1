#include "utils/gpu/emulator/SharedCells.h"

#include <gtest/gtest.h>

using namespace emulator;

TEST(SharedCells, HoldNothingOfEarlierBlocks) {
  SharedCells cells;
  for (size_t bytes : {1000, 256, 0, 3000, 3001, 1000}) {
    cells.clear(bytes);
    ASSERT_EQ(cells.size(), bytes);
    for (size_t byte = 0; byte < bytes; ++byte)
      ASSERT_FALSE(cells.access(byte, 1)->isWritten) << "byte " << byte << " of " << bytes;
    cells.clear(bytes);
    // One access may reach into the next part, and may be longer than the memory.
    for (size_t byte = 200; byte < bytes; byte += 700) {
      Cell *first = cells.access(byte, 128);
      for (size_t each = 0; each < 128 && byte + each < bytes; ++each)
        first[each].isWritten = true;
    }
  }
}
