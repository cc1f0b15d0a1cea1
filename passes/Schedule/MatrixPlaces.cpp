#include "passes/Schedule/MatrixPlaces.h"

#include <map>

using namespace mlir;

namespace cameo::schedule {
namespace {

/// Rows of a matrix whose elements have places that are the sum of a place per row and one per column.
struct Section {
  int64_t begin;
  std::vector<int64_t> rows, columns; ///< unknown places are -1; that of column 0 is 0
};

/// Returns places that equal `table` minus its first entry.
std::optional<Places> placesOf(ArrayRef<int64_t> table) {
  Places places;
  auto size = static_cast<int64_t>(table.size());
  places.step = size > 1 ? table[1] - table[0] : 0;
  while (places.block < size && table[places.block] - table[0] == places.block * places.step)
    ++places.block;
  places.jump = places.block < size ? table[places.block] - table[0] - places.block * places.step : 0;
  for (auto [index, place] : llvm::enumerate(table))
    if (places.at(index) != place - table[0])
      return std::nullopt;
  return places;
}

/// Returns the sums of the strides of loops, for each of their points: of the source in units of `unit`, and of the
/// target.
std::vector<std::pair<int64_t, int64_t>> pointsOf(const task::PackingAttr::Nest &nest, ArrayRef<size_t> loops,
                                                  int64_t unit) {
  std::vector<std::pair<int64_t, int64_t>> points = {{0, 0}};
  for (size_t loop : loops) {
    std::vector<std::pair<int64_t, int64_t>> outer = std::move(points);
    points.clear();
    for (auto [source, target] : outer)
      for (int64_t i = 0; i < nest.sizes[loop]; ++i)
        points.emplace_back(source + i * nest.sourceStrides[loop] / unit, target + i * nest.targetStrides[loop]);
  }
  llvm::sort(points);
  return points;
}

/// Adds what a nest copies to the section of its rows. Returns false if these places are no such sum.
bool addNest(const task::PackingAttr::Nest &nest, int64_t columns, std::map<int64_t, Section> &sections) {
  SmallVector<size_t> overRows, overColumns;
  for (auto [loop, stride] : llvm::enumerate(nest.sourceStrides))
    if (nest.sizes[loop] > 1)
      (stride % columns == 0 ? overRows : overColumns).push_back(loop);
  auto rowPlaces = pointsOf(nest, overRows, columns), columnPlaces = pointsOf(nest, overColumns, /*unit=*/1);
  int64_t firstRow = nest.source / columns, firstColumn = nest.source % columns;
  if (!nest.matrices.empty() || firstColumn + columnPlaces.back().first >= columns)
    return false;
  auto [place, isNew] = sections.try_emplace(firstRow);
  Section &section = place->second;
  if (isNew) {
    section = {firstRow, std::vector<int64_t>(rowPlaces.size(), -1), std::vector<int64_t>(columns, -1)};
    // The nest with the first column gives the rows their places.
    if (firstColumn != 0)
      return false;
  }
  if (section.rows.size() != rowPlaces.size())
    return false;
  for (auto [row, point] : llvm::enumerate(rowPlaces)) {
    if (point.first != static_cast<int64_t>(row))
      return false;
    int64_t at = nest.target + point.second;
    if (isNew)
      section.rows[row] = at;
    else if (at - section.rows[row] != nest.target - section.rows.front())
      return false;
  }
  for (auto [column, at] : columnPlaces) {
    int64_t &known = section.columns[firstColumn + column];
    if (known != -1)
      return false;
    known = at + nest.target - section.rows.front();
  }
  return true;
}

} // namespace

std::optional<MatrixPlaces> placesOf(task::PackingAttr packing, int64_t rows, int64_t columns) {
  SmallVector<task::PackingAttr::Nest> nests = packing.getNestList();
  llvm::sort(nests, [&](const auto &a, const auto &b) {
    return std::pair(a.source % columns, a.source) < std::pair(b.source % columns, b.source);
  });
  std::map<int64_t, Section> byRow;
  for (const task::PackingAttr::Nest &nest : nests)
    if (!addNest(nest, columns, byRow))
      return std::nullopt;
  // Sections with the same places of columns are one.
  std::vector<Section> sections;
  int64_t next = 0;
  for (auto &[begin, section] : byRow) {
    if (begin != next || llvm::is_contained(section.columns, -1))
      return std::nullopt;
    next += section.rows.size();
    if (!sections.empty() && sections.back().columns == section.columns)
      llvm::append_range(sections.back().rows, section.rows);
    else
      sections.push_back(std::move(section));
  }
  if (next != rows || sections.empty() || sections.size() > 2)
    return std::nullopt;
  std::optional<Places> ofRows = placesOf(sections.front().rows), ofColumns = placesOf(sections.front().columns);
  if (!ofRows || !ofColumns)
    return std::nullopt;
  MatrixPlaces places{sections.front().rows.front(), *ofRows, *ofColumns, std::nullopt};
  if (sections.size() == 1)
    return places;
  const Section &last = sections.back();
  std::optional<Places> lastRows = placesOf(last.rows), lastColumns = placesOf(last.columns);
  bool isBlock = lastRows && lastRows->jump == 0 && lastColumns && lastColumns->block == ofColumns->block &&
                 last.begin % ofRows->block == 0 && rows - last.begin <= std::min(last.begin, ofRows->block);
  if (!isBlock)
    return std::nullopt;
  places.last = {last.begin, last.rows.front(), lastRows->step, *lastColumns};
  return places;
}

} // namespace cameo::schedule
