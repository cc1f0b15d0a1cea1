// Fourier transforms of known length become products with constant matrices.
//
// A length N = f * M goes in passes (Cooley and Tukey, "An algorithm for the machine calculation of complex Fourier
// series", 1965; in the order of Stockham, which needs no permutation): with n = n1 * M + n2 and k = k1 + f * k2,
//
//   X[k] = sum over n2 of w(M)^(n2 k2) * w(N)^(n2 k1) * (sum over n1 of w(f)^(n1 k1) * x[n]),   w(N) = exp(-2 pi i /
//   N).
//
// The inner sum is a product with an f x f matrix, followed by a multiplication with the twiddle factors w(N)^(n2 k1);
// the outer sum is a transform of length M for each k1. Between passes, a signal is n2, part (real, imaginary), k1, so
// that the vectors of later passes are along what the earlier ones computed.
#include "passes/Graph/Decompose/DecomposePatterns.h"
#include "passes/Graph/OnnxBuilder.h"

#include "dialects/Onnx/DimList.h"
#include "dialects/Onnx/KnownTensor.h"

#include "llvm/Support/MathExtras.h"

#include <complex>
#include <numbers>

using namespace mlir;

namespace cameo::graph {
namespace {

using Complex = std::complex<double>;

/// A larger matrix would not fit the cache, and makes the object large.
constexpr int64_t kMaxFactor = 256;
/// What a pass costs besides its multiply-adds, in factors: reading, writing and the twiddle factors.
constexpr int64_t kPassCost = 24;

/// Returns exp(-2 pi i * turns / length), of the remainder of turns, which is exact.
Complex unitRoot(int64_t turns, int64_t length, bool isInverse) {
  double angle = 2 * std::numbers::pi * static_cast<double>(turns % length) / static_cast<double>(length);
  return {std::cos(angle), isInverse ? std::sin(angle) : -std::sin(angle)};
}

/// Returns factors of `length`, each a pass, which cost the least together; none if one of them would be too large.
SmallVector<int64_t> chooseFactors(int64_t length) {
  if (length == 1)
    return {1};
  // best[d]: the cost of a transform of length d, and its first factor.
  DenseMap<int64_t, std::pair<int64_t, int64_t>> best;
  SmallVector<int64_t> divisors;
  for (int64_t d = 1; d * d <= length; ++d)
    if (length % d == 0) {
      divisors.push_back(d);
      if (d * d != length)
        divisors.push_back(length / d);
    }
  llvm::sort(divisors);
  best[1] = {0, 1};
  for (int64_t whole : ArrayRef(divisors).drop_front())
    for (int64_t factor : llvm::reverse(divisors)) { // Of equal costs, fewer passes.
      auto rest = factor > 1 && factor <= kMaxFactor && whole % factor == 0 ? best.find(whole / factor) : best.end();
      if (rest == best.end())
        continue;
      int64_t cost = rest->second.first + factor + kPassCost;
      auto [entry, isNew] = best.try_emplace(whole, cost, factor);
      if (!isNew && cost < entry->second.first)
        entry->second = {cost, factor};
    }
  SmallVector<int64_t> factors;
  for (int64_t rest = length; rest > 1; rest /= factors.back()) {
    auto found = best.find(rest);
    if (found == best.end())
      return {};
    factors.push_back(found->second.second);
  }
  // Later passes have vectors of what the earlier ones computed.
  llvm::sort(factors, std::greater<>());
  return factors;
}

/// A transform of `terms` elements with one or two parts each (real, imaginary) to `frequencies` elements.
struct Transform {
  int64_t length, terms, partsIn, frequencies, partsOut;
  bool isInverse;
  /// Whether the input is the first half of a symmetric spectrum.
  bool isMirrored;
};

/// The order of frequency and part in the result of a matrix.
enum class PartOrder { Inner, Outer };

/// Returns the matrix of a transform, whose rows are the terms and their parts.
SmallVector<double> transformMatrix(const Transform &t, PartOrder order, double scale) {
  int64_t columns = t.frequencies * t.partsOut;
  SmallVector<double> elements(t.terms * t.partsIn * columns);
  for (int64_t n = 0; n < std::min(t.terms, t.length); ++n)
    for (int64_t k = 0; k < t.frequencies; ++k) {
      Complex root = scale * unitRoot(n * k, t.length, t.isInverse);
      if (t.isMirrored && 2 * n % t.length != 0)
        root *= 2; // The other half of the spectrum adds the conjugate.
      for (int64_t in = 0; in < t.partsIn; ++in)
        for (int64_t out = 0; out < t.partsOut; ++out) {
          int64_t column = order == PartOrder::Inner ? k * t.partsOut + out : out * t.frequencies + k;
          elements[(n * t.partsIn + in) * columns + column] = in == out ? root.real()
                                                              : in == 0 ? root.imag()
                                                                        : -root.imag();
        }
    }
  return elements;
}

/// Transforms the last dimension but one of a tensor, whose last dimension has the parts.
class TransformWriter {
public:
  TransformWriter(OnnxBuilder &b, const Transform &transform, Value x)
      : b(b), t(transform), type(getElementTypeOrSelf(x.getType())), kept(onnx::getDims(x)->size() - 2, 0), x(x) {}

  Value write(ArrayRef<int64_t> factors) { return factors.size() == 1 ? writeProduct() : writePasses(factors); }

private:
  Value writeProduct();
  Value writePasses(ArrayRef<int64_t> factors);
  void completeSignal();
  void multiplyTwiddles(int64_t rest, int64_t factor);

  Value constant(ArrayRef<int64_t> shape, ArrayRef<double> numbers);
  Value product(Value left, Value right) { return b.make<onnx::MatMulOp>({left, right}); }
  /// Reshapes x; dimensions before the signal stay.
  void reshape(ArrayRef<int64_t> signal) {
    x = b.reshape(x, llvm::to_vector(llvm::concat<const int64_t>(kept, signal)));
  }
  /// Permutes the dimensions of the signal.
  void transpose(ArrayRef<int64_t> signal);
  Value reversed(int64_t axis, int64_t first);

  OnnxBuilder &b;
  const Transform &t;
  Type type;
  /// A zero for each dimension before the signal, with which Reshape keeps it.
  SmallVector<int64_t> kept;
  Value x;
};

Value TransformWriter::constant(ArrayRef<int64_t> shape, ArrayRef<double> numbers) {
  auto tensor = RankedTensorType::get(shape, type);
  if (type.isF64())
    return onnx::makeConstant(b, b.getLoc(), tensor, numbers);
  SmallVector<float> rounded(numbers);
  return onnx::makeConstant(b, b.getLoc(), tensor, ArrayRef<float>(rounded));
}

void TransformWriter::transpose(ArrayRef<int64_t> signal) {
  SmallVector<int64_t> perm = llvm::to_vector(llvm::seq<int64_t>(kept.size()));
  for (int64_t dim : signal)
    perm.push_back(kept.size() + dim);
  x = b.transpose(x, perm);
}

/// Returns the elements `first`, `first` - 1, ... of dimension `axis` of the signal.
Value TransformWriter::reversed(int64_t axis, int64_t first) {
  return b.make<onnx::SliceOp>(
      {x, b.ints(first), b.ints(std::numeric_limits<int64_t>::min()), b.ints(kept.size() + axis), b.ints(-1)});
}

Value TransformWriter::writeProduct() {
  SmallVector<double> matrix = transformMatrix(t, PartOrder::Inner, t.isInverse ? 1.0 / t.length : 1.0);
  int64_t rows = t.terms * t.partsIn, columns = t.frequencies * t.partsOut;
  reshape({rows});
  x = product(x, constant({rows, columns}, matrix));
  reshape({t.frequencies, t.partsOut});
  return x;
}

/// Gives the signal all elements of the transform: zeros behind a short one, the mirror image behind half a spectrum.
void TransformWriter::completeSignal() {
  int64_t axis = kept.size(), wanted = t.isMirrored ? t.length / 2 + 1 : t.length;
  if (t.terms > wanted)
    x = b.slice(x, axis, b.ints(0), b.ints(wanted));
  if (t.terms < wanted) {
    SmallVector<int64_t> pads(2 * (axis + 2), 0);
    pads[axis + 2 + axis] = wanted - t.terms;
    x = b.make<onnx::PadOp>({x, b.ints(pads)});
  }
  if (!t.isMirrored)
    return;
  // Elements (length - 1) / 2 to 1 have a counterpart.
  Value image = b.slice(reversed(0, (t.length - 1) / 2), axis, b.ints(0), b.ints((t.length - 1) / 2));
  x = b.concat({x, b.make<onnx::MulOp>({image, constant({2}, {1, -1})})}, axis);
}

/// Multiplies x, of the dimensions n2, part, k1 and what earlier passes computed, with w(rest * factor)^(n2 k1).
void TransformWriter::multiplyTwiddles(int64_t rest, int64_t factor) {
  SmallVector<double> real, crossed(2 * rest * factor);
  for (int64_t n = 0; n < rest; ++n)
    for (int64_t k = 0; k < factor; ++k) {
      Complex root = unitRoot(n * k, rest * factor, t.isInverse);
      real.push_back(root.real());
      crossed[2 * n * factor + k] = -root.imag();
      crossed[(2 * n + 1) * factor + k] = root.imag();
    }
  auto times = [&](Value value, int64_t parts, ArrayRef<double> numbers) {
    return b.make<onnx::MulOp>({value, constant({rest, parts, factor, 1}, numbers)});
  };
  x = b.make<onnx::AddOp>({times(x, 1, real), times(reversed(1, 1), 2, crossed)});
}

Value TransformWriter::writePasses(ArrayRef<int64_t> factors) {
  completeSignal();
  int64_t rest = t.length, done = 1, parts = t.partsIn;
  for (int64_t factor : factors) {
    rest /= factor;
    bool isLast = rest == 1;
    Transform pass{factor, factor, parts, factor, 2, t.isInverse, false};
    if (isLast) {
      pass.frequencies = llvm::divideCeil(t.frequencies, done);
      pass.partsOut = t.partsOut;
    }
    SmallVector<double> matrix = transformMatrix(pass, PartOrder::Outer, isLast && t.isInverse ? 1.0 / t.length : 1.0);
    int64_t rows = factor * parts, columns = pass.frequencies * pass.partsOut;
    if (done == 1) {
      reshape({factor, rest, parts});
      transpose({1, 0, 2});
      reshape({rest, rows});
      x = product(x, constant({rows, columns}, matrix));
    } else {
      reshape({factor, rest, parts, done});
      transpose({1, 0, 2, 3});
      reshape({rest, rows, done});
      Value transposed = b.transpose(constant({rows, columns}, matrix), {1, 0});
      x = product(transposed, x);
    }
    reshape({rest, pass.partsOut, pass.frequencies, done});
    if (!isLast)
      multiplyTwiddles(rest, factor);
    parts = pass.partsOut;
    done *= pass.frequencies;
  }
  reshape({parts, done});
  transpose({1, 0});
  return done == t.frequencies ? x : b.slice(x, kept.size(), b.ints(0), b.ints(t.frequencies));
}

/// Returns `x` in the type that transforms of such elements compute with.
Value widen(OnnxBuilder &b, Value x) {
  Type type = getElementTypeOrSelf(x.getType());
  return b.cast(x, type.isF64() ? type : Type(b.getF32Type()));
}

/// Returns the number that a scalar operand is, if it is known.
std::optional<int64_t> knownNumber(Value operand) {
  std::optional<SmallVector<int64_t>> numbers = onnx::getKnownInts(operand);
  return numbers && numbers->size() == 1 ? std::optional(numbers->front()) : std::nullopt;
}

struct DecomposeDft : OpRewritePattern<onnx::DFTOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::DFTOp op, PatternRewriter &rewriter) const override {
    std::optional<onnx::DimList> from = onnx::getDims(op.getInput()), to = onnx::getDims(op.getOutput());
    std::optional<int64_t> axis = from ? op.getKnownAxis(from->size()) : std::nullopt;
    if (!axis || !to || !(*from)[*axis].isStatic() || !(*to)[*axis].isStatic() || !from->back().isStatic())
      return failure();
    Transform t{};
    t.isInverse = op.getInverse() != 0;
    t.isMirrored = t.isInverse && op.getOnesided() != 0;
    t.terms = (*from)[*axis].getSize();
    t.frequencies = (*to)[*axis].getSize();
    t.partsIn = from->back().getSize();
    t.partsOut = to->back().getSize();
    std::optional<int64_t> length = t.isMirrored ? 2 * (t.terms - 1) : t.terms;
    if (!onnx::isAbsent(op.getDftLength()))
      length = knownNumber(op.getDftLength());
    if (!length || *length < 1)
      return failure();
    t.length = *length;
    SmallVector<int64_t> factors = chooseFactors(t.length);
    if (factors.empty() || (t.isMirrored && t.terms > t.length / 2 + 1))
      return failure();
    OnnxBuilder b(rewriter, op.getLoc());
    // The signal's dimension becomes the last one but one, and returns.
    SmallVector<int64_t> perm = llvm::to_vector(llvm::seq<int64_t>(from->size()));
    std::swap(perm[*axis], perm[from->size() - 2]);
    Value x = b.transpose(widen(b, op.getInput()), perm);
    x = b.transpose(TransformWriter(b, t, x).write(factors), perm);
    rewriter.replaceOp(op, b.as(b.cast(x, getElementTypeOrSelf(op.getType())), op.getType()));
    return success();
  }
};

struct DecomposeStft : OpRewritePattern<onnx::STFTOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(onnx::STFTOp op, PatternRewriter &rewriter) const override {
    std::optional<int64_t> step = knownNumber(op.getFrameStep()), length;
    bool hasWindow = !onnx::isAbsent(op.getWindow());
    if (!onnx::isAbsent(op.getFrameLength()))
      length = knownNumber(op.getFrameLength());
    else if (std::optional<onnx::DimList> window = onnx::getDims(op.getWindow()); window && window->front().isStatic())
      length = window->front().getSize();
    if (!onnx::getDims(op.getSignal()) || !step || !length)
      return failure();
    OnnxBuilder b(rewriter, op.getLoc());
    Value x = b.make<onnx::FramesOp>(widen(b, op.getSignal()), {b.attr("length", *length), b.attr("step", *step)});
    if (hasWindow)
      x = b.make<onnx::MulOp>({x, b.unsqueeze(widen(b, op.getWindow()), 1)});
    x = b.make<onnx::DFTOp>({x, b.none(), onnx::makeIntConstant(b, b.getLoc(), 2)},
                            b.attr("onesided", op.getOnesided()));
    rewriter.replaceOp(op, b.as(b.cast(x, getElementTypeOrSelf(op.getType())), op.getType()));
    return success();
  }
};

} // namespace

void populateDecomposeTransformPatterns(RewritePatternSet &patterns) {
  patterns.add<DecomposeDft, DecomposeStft>(patterns.getContext());
}

} // namespace cameo::graph
