// The loop nest is ordered from the largest target stride inwards, and each loop is restricted to the iterations that
// write to the piece. So all pieces together cost little more than packing the whole constant at once.
#include "passes/Codegen/Weights/WritePacking.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>
#include <tuple>

using namespace llvm;

namespace cameo {
namespace {

/// A run of elements at a constant distance in memory.
struct ElementRun {
  int64_t begin, stride, count;
};

/// Returns the run that begins at element number `at` and continues at logical distances of `stride`. It has at most
/// `most` elements and does not leave one dimension.
ElementRun findRun(const onnx::StridedRead &order, int64_t at, int64_t stride, int64_t most) {
  ElementRun run{order.offset, 0, stride == 0 ? most : 1};
  int64_t inner = 1;
  for (size_t dim = order.shape.size(); dim-- > 0; inner *= order.shape[dim]) {
    int64_t index = at / inner % order.shape[dim];
    run.begin += index * order.strides[dim];
    // Finds the outermost dimension whose size divides `stride` and that the run does not leave in one step.
    if (stride <= 0 || stride % inner != 0 || stride / inner >= order.shape[dim])
      continue;
    run.stride = stride / inner * order.strides[dim];
    run.count = std::min(most, divideCeilSigned(order.shape[dim] - index, stride / inner));
  }
  return run;
}

class NestCopier {
public:
  NestCopier(const task::PackingAttr::Nest &nest, const ConstantElements &from, int64_t begin,
             MutableArrayRef<char> to);
  void run() { copy(0, target, source); }

private:
  struct Loop {
    int64_t size, targetStride, sourceStride;
    size_t number;
    int64_t lowest = 0, highest = 0;                   ///< bounds of the target offset that the inner loops add
    const task::PackingAttr::Matrix *matrix = nullptr; ///< matrix of the dimension, or null
    int64_t row = 0;                                   ///< current row of the matrix
  };
  /// An element that is a term of the current sum.
  struct Term {
    int64_t offset;
    double factor;
  };
  std::pair<int64_t, int64_t> rangeOf(const Loop &loop, int64_t at) const;
  void copy(size_t depth, int64_t at, int64_t read);
  void copyLoop(const Loop &loop, int64_t at, int64_t read, int64_t first, int64_t last);
  void copyOrdered(const Loop &loop, int64_t at, int64_t read, int64_t first, int64_t last);
  template <typename Element> void copyRow(const Loop &loop, int64_t at, int64_t read, int64_t first, int64_t last);
  void transformRow(const Loop &loop, int64_t at, int64_t read, int64_t first, int64_t last);
  void setTerms();

  SmallVector<Loop> loops;
  bool transforms = false;
  SmallVector<Term> terms;
  int64_t target, source, begin, end, elementBytes;
  const std::optional<onnx::StridedRead> &order;
  const char *from;
  char *to;
};

NestCopier::NestCopier(const task::PackingAttr::Nest &nest, const ConstantElements &from, int64_t begin,
                       MutableArrayRef<char> to)
    : target(nest.target), source(from.isSplat ? 0 : nest.source), begin(begin),
      end(begin + int64_t(to.size()) / from.elementBytes), elementBytes(from.elementBytes), order(from.order),
      from(from.bytes.data()), to(to.data()) {
  transforms = !nest.matrices.empty();
  for (size_t dim = 0; dim < nest.sizes.size(); ++dim) {
    const auto *matrix = llvm::find_if(nest.matrices, [&](const auto &matrix) { return matrix.dim == int64_t(dim); });
    Loop loop{nest.sizes[dim], nest.targetStrides[dim], from.isSplat ? 0 : nest.sourceStrides[dim], dim};
    loop.matrix = matrix == nest.matrices.end() ? nullptr : matrix;
    if (loop.size != 1 || loop.matrix)
      loops.push_back(loop);
  }
  llvm::sort(loops, [](const Loop &a, const Loop &b) {
    return std::tuple(-std::abs(a.targetStride), a.number) < std::tuple(-std::abs(b.targetStride), b.number);
  });
  if (loops.empty())
    loops.push_back({1, 1, 0, 0});
  for (size_t depth = loops.size() - 1; depth > 0; --depth) {
    const Loop &inner = loops[depth];
    int64_t reach = (inner.size - 1) * inner.targetStride;
    loops[depth - 1].lowest = inner.lowest + std::min<int64_t>(reach, 0);
    loops[depth - 1].highest = inner.highest + std::max<int64_t>(reach, 0);
  }
}

/// Returns the first and one past the last iteration of `loop` that write to the piece if the loop starts at target
/// offset `at`.
std::pair<int64_t, int64_t> NestCopier::rangeOf(const Loop &loop, int64_t at) const {
  int64_t stride = loop.targetStride;
  int64_t least = begin - at - loop.highest, most = end - 1 - at - loop.lowest; // bounds of i * stride
  if (stride == 0)
    return least <= 0 && most >= 0 ? std::pair(int64_t(0), loop.size) : std::pair(int64_t(0), int64_t(0));
  if (stride < 0) {
    std::swap(least, most);
    least = -least, most = -most, stride = -stride;
  }
  return {std::max<int64_t>(0, divideCeilSigned(least, stride)),
          std::min(loop.size, divideFloorSigned(most, stride) + 1)};
}

template <typename Element>
void NestCopier::copyRow(const Loop &loop, int64_t at, int64_t read, int64_t first, int64_t last) {
  const Element *in = reinterpret_cast<const Element *>(from) + read;
  Element *out = reinterpret_cast<Element *>(to) + (at - begin);
  for (int64_t i = first; i < last; ++i)
    out[i * loop.targetStride] = in[i * loop.sourceStride];
}

/// Computes the terms of the current rows of all matrices, which are the outer product of the rows.
void NestCopier::setTerms() {
  terms.assign(1, {0, 1.0});
  for (const Loop &loop : loops) {
    if (!loop.matrix)
      continue;
    SmallVector<Term> products;
    for (const Term &term : terms)
      for (int64_t column = 0; column < loop.matrix->columns; ++column)
        if (int64_t entry = loop.matrix->entries[loop.row * loop.matrix->columns + column])
          products.push_back(
              {term.offset + column * loop.sourceStride,
               term.factor * static_cast<double>(entry) / static_cast<double>(loop.matrix->denominator)});
    terms = std::move(products);
  }
}

void NestCopier::transformRow(const Loop &loop, int64_t at, int64_t read, int64_t first, int64_t last) {
  const float *in = reinterpret_cast<const float *>(from) + read;
  float *out = reinterpret_cast<float *>(to) + (at - begin);
  setTerms();
  for (int64_t i = first; i < last; ++i) {
    double sum = 0;
    for (const Term &term : terms)
      sum += term.factor * in[i * loop.sourceStride + term.offset];
    out[i * loop.targetStride] = static_cast<float>(sum);
  }
}

void NestCopier::copy(size_t depth, int64_t at, int64_t read) {
  Loop &loop = loops[depth];
  auto [first, last] = rangeOf(loop, at);
  bool innermost = depth + 1 == loops.size();
  if (loop.matrix || !innermost) {
    for (int64_t i = first; i < last; ++i) {
      loop.row = i;
      int64_t next = at + i * loop.targetStride, source = loop.matrix ? read : read + i * loop.sourceStride;
      if (innermost)
        transformRow({1, 1, 0, 0}, next, source, 0, 1);
      else
        copy(depth + 1, next, source);
    }
    return;
  }
  if (first >= last)
    return;
  if (transforms)
    return transformRow(loop, at, read, first, last);
  order ? copyOrdered(loop, at, read, first, last) : copyLoop(loop, at, read, first, last);
}

/// Copies a row in runs, each along one dimension of the constant.
void NestCopier::copyOrdered(const Loop &loop, int64_t at, int64_t read, int64_t first, int64_t last) {
  for (int64_t i = first; i < last;) {
    ElementRun run = findRun(*order, read + i * loop.sourceStride, loop.sourceStride, last - i);
    copyLoop({run.count, loop.targetStride, run.stride, 0}, at + i * loop.targetStride, run.begin, 0, run.count);
    i += run.count;
  }
}

void NestCopier::copyLoop(const Loop &loop, int64_t at, int64_t read, int64_t first, int64_t last) {
  if (loop.targetStride == 1 && loop.sourceStride == 1) {
    std::memcpy(to + (at + first - begin) * elementBytes, from + (read + first) * elementBytes,
                (last - first) * elementBytes);
    return;
  }
  switch (elementBytes) {
  case 1:
    return copyRow<char>(loop, at, read, first, last);
  case 2:
    return copyRow<uint16_t>(loop, at, read, first, last);
  case 4:
    return copyRow<uint32_t>(loop, at, read, first, last);
  case 8:
    return copyRow<uint64_t>(loop, at, read, first, last);
  }
  for (int64_t i = first; i < last; ++i)
    std::memcpy(to + (at + i * loop.targetStride - begin) * elementBytes,
                from + (read + i * loop.sourceStride) * elementBytes, elementBytes);
}

} // namespace

void writePackedPiece(task::PackingAttr packing, const ConstantElements &from, int64_t begin,
                      MutableArrayRef<char> piece) {
  std::fill(piece.begin(), piece.end(), 0);
  for (const task::PackingAttr::Nest &nest : packing.getNestList())
    NestCopier(nest, from, begin, piece).run();
}

} // namespace cameo
