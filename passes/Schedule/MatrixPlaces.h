// Where a packed layout has the elements of a matrix, as a formula of row and column.
#ifndef CAMEO_PASSES_SCHEDULE_MATRIXPLACES_H
#define CAMEO_PASSES_SCHEDULE_MATRIXPLACES_H

#include "dialects/Task/TaskDialect.h"

#include <optional>

namespace cameo::schedule {

/// Places of the indices of a dimension in a packed layout: index i is at i * step + i / block * jump. Without blocks
/// `jump` is 0.
struct Places {
  int64_t step = 0, block = 1, jump = 0;

  int64_t at(int64_t index) const { return index * step + index / block * jump; }
};

/// The place of element (row, column) of a matrix in a packed layout: `base` plus both places. The last block of rows
/// may have places of its own: row `last->begin` is at `last->base`.
struct MatrixPlaces {
  struct Last {
    int64_t begin, base, step; ///< `step` is between rows
    Places columns;
  };
  int64_t base = 0;
  Places rows, columns;
  std::optional<Last> last;
};

/// Returns where `packing` puts the elements of a matrix with `rows` rows of `columns` elements; nothing if these
/// places have another form, or some element has none.
std::optional<MatrixPlaces> placesOf(task::PackingAttr packing, int64_t rows, int64_t columns);

} // namespace cameo::schedule

#endif
