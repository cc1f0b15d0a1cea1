#include "passes/Schedule/Rules/Gpu/Window.h"

#include "passes/Schedule/Rules/DefaultSchedule.h"

#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;

namespace cameo::schedule {

/// The bytes of a row that ldmatrix reads, and the number of rows that it reads at once, from different banks.
static constexpr int64_t rowBytes = 16, rowsAtOnce = 8;

int64_t Window::positions() const {
  int64_t all = 1;
  for (const WindowAxis &axis : axes)
    all *= axis.positions;
  return all;
}

/// Returns the position of `axes` along which points are nearest to being as far apart in the source as steps of a tap,
/// `distance`.
static size_t nearestAxis(ArrayRef<WindowAxis> axes, int64_t distance) {
  auto ratio = [&](const WindowAxis &axis) {
    auto [less, more] = std::minmax(axis.unit, distance);
    return static_cast<double>(more) / static_cast<double>(less);
  };
  return llvm::min_element(axes, [&](const WindowAxis &a, const WindowAxis &b) { return ratio(a) < ratio(b); }) -
         axes.begin();
}

/// Places the axes, of which the last one varies fastest: the rows that one ldmatrix reads lie in different banks, at
/// odd multiples of their own size.
static void placeAxes(Window &window, const BlockTile &tile, int64_t vector) {
  int64_t position = llvm::divideCeil(tile.dims[window.depth].block, vector) | 1, next = position, points = 1;
  for (WindowAxis &axis : llvm::reverse(window.axes)) {
    while (points > 1 && points < rowsAtOnce && (next - points * position) % rowsAtOnce != 0)
      ++next;
    axis.stride = next * vector;
    next *= axis.places();
    points *= tile.dims[axis.dim].block;
  }
  window.elements = next * vector;
  window.vectorStride = vector;
}

/// Places the axes for groups of warps: vectors of neighbours lie side by side, all positions of a vector behind those
/// of the one before. Threads copy the vectors of a position together, so these lie in different banks. Returns false
/// if the instruction cannot read the rows of a group: eight neighbours each, which are equally far apart.
static bool placePlanes(Window &window, const BlockTile &tile, int64_t vector) {
  int64_t ofPosition = llvm::divideCeil(tile.dims[window.depth].block, vector), places = 1;
  for (WindowAxis &axis : llvm::reverse(window.axes)) {
    axis.stride = places * vector;
    places *= axis.places();
  }
  while (places % rowsAtOnce != rowsAtOnce / std::min(ofPosition, rowsAtOnce) % rowsAtOnce)
    ++places;
  window.vectorStride = places * vector;
  window.elements = window.vectorStride * ofPosition;
  auto offsetOf = [&](int64_t point) {
    constexpr int64_t rowsOfWarp = wgmmaRows / groupWarps;
    int64_t offset = 0, within = point % rowsOfWarp, warp = point / rowsOfWarp;
    for (const WindowAxis &axis : llvm::reverse(window.axes)) {
      offset += within % tile.dims[axis.dim].thread * axis.stride;
      within /= tile.dims[axis.dim].thread;
    }
    for (unsigned dim : llvm::reverse(tile.threadOrder)) {
      const TiledDimension &tiled = tile.dims[dim];
      const WindowAxis *axis = llvm::find_if(window.axes, [&](const WindowAxis &each) { return each.dim == dim; });
      if (axis != window.axes.end())
        offset += warp % tiled.threads() * tiled.thread * axis->stride;
      warp /= tiled.threads();
    }
    return offset;
  };
  window.atomStride = offsetOf(rowsAtOnce);
  for (int64_t point = 0; point < wgmmaRows; ++point)
    if (offsetOf(point) != point / rowsAtOnce * window.atomStride + point % rowsAtOnce * vector)
      return false;
  return true;
}

/// Returns the distances of steps along `taps` in positions of each axis that they move along.
static std::optional<Window> layOut(const Node &node, const LoopNest &nest, const BlockTile &tile, Window window) {
  const LinearForm &form = node.address;
  SmallVector<size_t> axisOf;
  for (unsigned tap : window.taps)
    axisOf.push_back(nearestAxis(window.axes, form.coefficients[tap]));
  int64_t plain = 1;
  for (auto [number, axis] : llvm::enumerate(window.axes)) {
    int64_t distance = axis.unit;
    for (auto [tap, own] : llvm::zip_equal(window.taps, axisOf))
      if (own == number)
        axis.unit = std::gcd(axis.unit, int64_t(form.coefficients[tap]));
    axis.apart = distance / axis.unit;
    axis.positions = (tile.dims[axis.dim].block - 1) * axis.apart + 1;
    for (auto [tap, own] : llvm::zip_equal(window.taps, axisOf))
      if (own == number)
        axis.positions += (tile.dims[tap].extent - 1) * (form.coefficients[tap] / axis.unit);
    plain *= tile.dims[axis.dim].block;
  }
  for (unsigned tap : window.taps)
    plain *= tile.dims[tap].extent;
  if (window.positions() >= plain)
    return std::nullopt;
  int64_t vector = rowBytes / bytesOf(node.type);
  if (!tile.usesGroups)
    placeAxes(window, tile, vector);
  else if (!placePlanes(window, tile, vector))
    return std::nullopt;
  window.ofTaps.assign(1, 0);
  SmallVector<SmallVector<int64_t>> positions(1, SmallVector<int64_t>(window.axes.size(), 0));
  for (auto [tap, own] : llvm::zip_equal(window.taps, axisOf)) {
    SmallVector<SmallVector<int64_t>> before = std::move(positions);
    positions.clear();
    for (const SmallVector<int64_t> &at : before)
      for (int64_t step = 0; step < tile.dims[tap].extent; ++step) {
        positions.push_back(at);
        positions.back()[own] += step * (form.coefficients[tap] / window.axes[own].unit);
      }
  }
  window.ofTaps.clear();
  for (const SmallVector<int64_t> &at : positions) {
    int64_t &offset = window.ofTaps.emplace_back(0);
    for (auto [axis, position] : llvm::zip_equal(window.axes, at))
      offset += axis.placeOf(position) * axis.stride;
  }
  return window;
}

std::optional<Window> findWindow(const Node &node, const LoopNest &nest, const BlockTile &tile) {
  SmallVector<unsigned> dims = fetchedDims(node, nest);
  int64_t vector = rowBytes / bytesOf(node.type);
  if (!tile.usesTensor || !tile.hasEvenPoints(nest) || dims.empty() || !nest.dims[dims.front()].reduction ||
      fetchWidth(node, nest, tile, dims) != vector)
    return std::nullopt;
  Window window;
  window.depth = dims.front();
  for (auto [dim, tiled] : llvm::enumerate(tile.dims)) {
    if (dim == window.depth || !node.address.dependsOn(dim))
      continue;
    int64_t distance = node.address.coefficients[dim];
    if (distance < 0)
      return std::nullopt;
    if (!nest.dims[dim].reduction)
      window.axes.push_back({static_cast<unsigned>(dim), distance, 1, 1, 1});
    else if (tiled.block == tiled.extent && tiled.extent > 1)
      window.taps.push_back(dim);
    else if (tiled.block > 1)
      return std::nullopt;
  }
  if (window.taps.empty() || window.axes.empty())
    return std::nullopt;
  return layOut(node, nest, tile, std::move(window));
}

/// Whether the steps along `taps` are equally far apart in `node`, in their order.
static bool hasEvenTaps(const Node &node, const BlockTile &tile, ArrayRef<unsigned> taps) {
  const LinearForm &form = node.address;
  for (auto [tap, next] : llvm::zip(taps, taps.drop_front()))
    if (form.coefficients[tap] != form.coefficients[next] * tile.dims[next].extent)
      return false;
  return true;
}

std::optional<Window> findWindow(const LoopNest &nest, const BlockTile &tile) {
  std::optional<Window> found;
  SmallVector<NodeId> others;
  for (NodeId id : nest.loads(/*insideReduction=*/true)) {
    const Node &node = nest.nodes[id];
    std::optional<Window> own = node.kind == Node::Kind::Load ? findWindow(node, nest, tile) : std::nullopt;
    if (own && found)
      return std::nullopt;
    if (own)
      found = std::move(own);
    else
      others.push_back(id);
  }
  if (found && llvm::all_of(others, [&](NodeId id) { return hasEvenTaps(nest.nodes[id], tile, found->taps); }))
    return found;
  return std::nullopt;
}

} // namespace cameo::schedule
