#include "dialects/Dim/DimReal.h"

#include "dialects/Dim/DimLimits.h"
#include "dialects/Dim/DimText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"

#include <charconv>
#include <cmath>

using namespace mlir;
using namespace cameo;

namespace {

/// Limit of operations; beyond it a number is unknown. The interpolation of positions between two sizes takes three.
constexpr size_t kMaxOperations = 32;

/// Largest integer below which f32 represents all integers. No size that a model converts to float is larger.
constexpr int64_t kMaxWhole = int64_t(1) << 24;

FloatType typeOf(Attribute real) {
  auto number = dyn_cast<FloatAttr>(real);
  return number ? cast<FloatType>(number.getType()) : cast<DimRealAttr>(real).getType();
}

double roundTo(FloatType type, double number) {
  return type.isF32() ? static_cast<double>(static_cast<float>(number)) : number;
}

/// Returns null for a number that is not finite.
Attribute makeNumber(double number, FloatType type) {
  number = roundTo(type, number);
  return std::isfinite(number) ? FloatAttr::get(type, number) : Attribute();
}

std::optional<double> numberOf(Attribute real) {
  auto number = dyn_cast<FloatAttr>(real);
  return number ? std::optional(number.getValueAsDouble()) : std::nullopt;
}

bool isOf(Attribute real, DimRealKind kind) {
  auto computed = dyn_cast<DimRealAttr>(real);
  return computed && computed.getKind() == kind;
}

/// Returns the size if the number is an exact integer, otherwise unknown.
Dim wholeOf(Attribute real) {
  if (isOf(real, DimRealKind::Size))
    return Dim(cast<DimExprAttr>(cast<DimRealAttr>(real).getOperands()[0]));
  std::optional<double> number = numberOf(real);
  bool isWhole = number && std::abs(*number) <= double(kMaxWhole) && *number == std::trunc(*number);
  return isWhole ? Dim(static_cast<int64_t>(*number)) : Dim::unknown();
}

size_t countOperations(Attribute real) {
  auto computed = dyn_cast<DimRealAttr>(real);
  if (!computed || computed.getKind() == DimRealKind::Size)
    return 0;
  size_t count = 1;
  for (Attribute operand : computed.getOperands())
    count += countOperations(operand);
  return count;
}

/// Sums, minima and maxima of integers, and their products with an integer, are integers. Floats represent them
/// exactly.
Attribute computeWhole(DimRealKind kind, Attribute a, Attribute b) {
  Dim left = wholeOf(a), right = wholeOf(b);
  if (left.isUnknown() || right.isUnknown())
    return {};
  switch (kind) {
  case DimRealKind::Add:
    return makeReal(left + right, typeOf(a));
  case DimRealKind::Sub:
    return makeReal(left - right, typeOf(a));
  case DimRealKind::Min:
    return makeReal(minDims(left, right), typeOf(a));
  case DimRealKind::Max:
    return makeReal(maxDims(left, right), typeOf(a));
  case DimRealKind::Mul:
    return left.isStatic() || right.isStatic() ? makeReal(left * right, typeOf(a)) : Attribute();
  default:
    return {};
  }
}

/// Returns null if the number takes too many operations.
Attribute makeOperation(DimRealKind kind, FloatType type, ArrayRef<Attribute> operands) {
  auto real = DimRealAttr::get(type.getContext(), type, kind, operands);
  return countOperations(real) > kMaxOperations ? Attribute() : real;
}

/// A size multiplied or divided by a number or by a size.
struct ScaledSize {
  Dim size, divisor = 1;
  double number = 1;
  bool isQuotient = false;
  FloatType type;

  double of(int64_t value) const {
    return std::floor(roundTo(type, isQuotient ? double(value) / number : double(value) * number));
  }
};

std::optional<ScaledSize> readScaled(Attribute real) {
  auto computed = dyn_cast<DimRealAttr>(real);
  if (!computed || (computed.getKind() != DimRealKind::Mul && computed.getKind() != DimRealKind::Div))
    return std::nullopt;
  ScaledSize scaled;
  scaled.type = computed.getType();
  scaled.isQuotient = computed.getKind() == DimRealKind::Div;
  Attribute a = computed.getOperands()[0], b = computed.getOperands()[1];
  if (!scaled.isQuotient && isOf(b, DimRealKind::Size))
    std::swap(a, b);
  if (!isOf(a, DimRealKind::Size) && !(scaled.isQuotient && isOf(b, DimRealKind::Size)))
    return std::nullopt;
  scaled.size = wholeOf(a);
  if (std::optional<double> number = numberOf(b))
    scaled.number = *number;
  else if (scaled.isQuotient)
    scaled.divisor = wholeOf(b);
  else
    return std::nullopt;
  return scaled.size.isUnknown() || scaled.divisor.isUnknown() || scaled.number <= 0 ? std::nullopt
                                                                                     : std::optional(scaled);
}

/// Returns floor(scaled) as an integer quotient, if the number is a fraction in its type. Returns unknown if it is not,
/// or if rounding the product can give another size than the quotient. A rounded quotient of two integers never reaches
/// the next integer, because its distance from it is more than the last bit.
Dim floorOfFraction(const ScaledSize &scaled) {
  constexpr int64_t kMaxParts = 1000, kMaxFactor = 1000000, kMaxSize = 1 << 16;
  for (int64_t parts = 1; parts <= kMaxParts && scaled.number * double(parts) < kMaxFactor; ++parts) {
    int64_t factor = std::llround(scaled.number * double(parts));
    if (factor == 0 || roundTo(scaled.type, double(factor) / double(parts)) != scaled.number)
      continue;
    int64_t dividend = scaled.isQuotient ? parts : factor, divisor = scaled.isQuotient ? factor : parts;
    bool isExact = llvm::isPowerOf2_64(parts) && !scaled.isQuotient, mayBeNegative = !isNeverNegative(scaled.size);
    for (int64_t size = 1; size <= kMaxSize && !isExact; ++size)
      if (scaled.of(size) != double(size * dividend / divisor) ||
          (mayBeNegative && scaled.of(-size) != double(llvm::divideFloorSigned(-size * dividend, divisor))))
        return Dim::unknown();
    return floorDivDim(scaled.size * dividend, divisor);
  }
  return Dim::unknown();
}

std::string shortest(FloatAttr number) {
  char text[32];
  double value = number.getValueAsDouble();
  char *end = number.getType().isF32() ? std::to_chars(std::begin(text), std::end(text), float(value)).ptr
                                       : std::to_chars(std::begin(text), std::end(text), value).ptr;
  return std::string(text, end);
}

constexpr std::pair<DimRealKind, StringLiteral> operators[] = {
    {DimRealKind::Add, " + "}, {DimRealKind::Sub, " - "}, {DimRealKind::Mul, "*"}, {DimRealKind::Div, "/"}};
constexpr std::pair<DimRealKind, StringLiteral> functions[] = {
    {DimRealKind::Min, "min("}, {DimRealKind::Max, "max("}, {DimRealKind::Round, "round("}};

template <typename Table> auto *findKind(Table &table, DimRealKind kind) {
  auto *found = llvm::find_if(table, [&](const auto &each) { return each.first == kind; });
  return found == std::end(table) ? nullptr : found;
}

} // namespace

Attribute cameo::makeReal(const Dim &size, FloatType type) {
  if (size.isStatic())
    return makeNumber(double(size.getSize()), type);
  return size.isNamed() ? DimRealAttr::get(type.getContext(), type, DimRealKind::Size, {size.getExpr()}) : Attribute();
}

Attribute cameo::makeReal(double number, FloatType type) { return makeNumber(number, type); }

double cameo::computeReal(DimRealKind kind, double a, double b) {
  switch (kind) {
  case DimRealKind::Add:
    return a + b;
  case DimRealKind::Sub:
    return a - b;
  case DimRealKind::Mul:
    return a * b;
  case DimRealKind::Div:
    return a / b;
  case DimRealKind::Min:
    return a < b || std::isnan(a) ? a : b;
  case DimRealKind::Max:
    return a > b || std::isnan(a) ? a : b;
  case DimRealKind::Size:
  case DimRealKind::Round:
    break;
  }
  llvm_unreachable("no operation on two numbers");
}

Attribute cameo::computeReal(DimRealKind kind, Attribute a, Attribute b) {
  if (!a || !b)
    return {};
  FloatType type = typeOf(a);
  assert(type == typeOf(b) && "operands of one type");
  std::optional<double> left = numberOf(a), right = numberOf(b);
  // Rounding an f64 sum, product or quotient of f32 numbers to f32 gives the correctly rounded f32 result.
  if (left && right)
    return makeNumber(computeReal(kind, *left, *right), type);
  if (Attribute whole = computeWhole(kind, a, b))
    return whole;
  bool isScale = kind == DimRealKind::Mul || kind == DimRealKind::Div;
  bool isSum = kind == DimRealKind::Add || kind == DimRealKind::Sub;
  if ((isScale && right == 1) || (isSum && right == 0))
    return a;
  if ((kind == DimRealKind::Mul && left == 1) || (kind == DimRealKind::Add && left == 0))
    return b;
  if (a == b && (kind == DimRealKind::Min || kind == DimRealKind::Max))
    return a;
  return makeOperation(kind, type, {a, b});
}

Attribute cameo::convertReal(Attribute real, FloatType type) {
  if (!real || typeOf(real) == type)
    return real;
  return isOf(real, DimRealKind::Size) ? makeReal(wholeOf(real), type) : Attribute();
}

Dim cameo::floorReal(Attribute real) {
  if (!real)
    return Dim::unknown();
  if (std::optional<double> number = numberOf(real)) {
    constexpr double kLimit = 9.0e18;
    return std::abs(*number) < kLimit ? Dim(static_cast<int64_t>(std::floor(*number))) : Dim::unknown();
  }
  if (isOf(real, DimRealKind::Size))
    return wholeOf(real);
  if (std::optional<ScaledSize> scaled = readScaled(real)) {
    Dim quotient = scaled->divisor == Dim(1) ? floorOfFraction(*scaled) : floorDivDims(scaled->size, scaled->divisor);
    if (!quotient.isUnknown())
      return quotient;
  }
  return Dim::atom(DimFloorAttr::get(real.getContext(), cast<DimRealAttr>(real)));
}

/// Computes -floor(-x), with the sign on the size that is scaled.
Dim cameo::ceilReal(Attribute real) {
  if (!real)
    return Dim::unknown();
  Attribute zero = makeReal(0.0, typeOf(real)), negative = computeReal(DimRealKind::Sub, zero, real);
  if (std::optional<ScaledSize> scaled = readScaled(real); scaled && scaled->divisor == Dim(1))
    negative = computeReal(scaled->isQuotient ? DimRealKind::Div : DimRealKind::Mul,
                           makeReal(Dim(0) - scaled->size, scaled->type), makeReal(scaled->number, scaled->type));
  return Dim(0) - floorReal(negative);
}

Dim cameo::truncReal(Attribute real) {
  auto computed = dyn_cast_or_null<DimRealAttr>(real);
  bool isWhole = computed && computed.getKind() == DimRealKind::Size;
  return !computed || isWhole || isNeverNegative(computed) ? floorReal(real) : Dim::unknown();
}

Dim cameo::roundReal(Attribute real) {
  if (!real)
    return Dim::unknown();
  if (std::optional<double> number = numberOf(real))
    return floorReal(makeNumber(std::nearbyint(*number), typeOf(real)));
  return isOf(real, DimRealKind::Size) ? wholeOf(real)
                                       : floorReal(makeOperation(DimRealKind::Round, typeOf(real), {real}));
}

bool cameo::isNeverNegative(DimRealAttr real) {
  auto isNever = [](Attribute operand) {
    std::optional<double> number = numberOf(operand);
    return number ? *number >= 0 : isNeverNegative(cast<DimRealAttr>(operand));
  };
  if (real.getKind() == DimRealKind::Size)
    return isNeverNegative(wholeOf(real));
  if (real.getKind() == DimRealKind::Max)
    return llvm::any_of(real.getOperands(), isNever);
  return real.getKind() != DimRealKind::Sub && llvm::all_of(real.getOperands(), isNever);
}

Attribute cameo::replaceSizes(Attribute real, function_ref<Dim(const Dim &size)> replace) {
  auto computed = dyn_cast_or_null<DimRealAttr>(real);
  if (!computed)
    return real;
  if (computed.getKind() == DimRealKind::Size)
    return makeReal(replace(wholeOf(real)), computed.getType());
  Attribute first = replaceSizes(computed.getOperands()[0], replace);
  if (computed.getKind() == DimRealKind::Round)
    return makeReal(roundReal(first), computed.getType());
  return computeReal(computed.getKind(), first, replaceSizes(computed.getOperands()[1], replace));
}

bool cameo::growsWith(Attribute real, function_ref<bool(const Dim &size)> isVaried) {
  auto computed = dyn_cast<DimRealAttr>(real);
  if (!computed)
    return true;
  bool varies = false;
  visitSizes(real, [&](const Dim &size) { varies |= isVaried(size); });
  if (!varies || computed.getKind() == DimRealKind::Size)
    return true;
  DimRealKind kind = computed.getKind();
  if (kind == DimRealKind::Sub || kind == DimRealKind::Div) { // number - x, or number / x
    std::optional<double> number = numberOf(computed.getOperands()[1]);
    return growsWith(computed.getOperands()[0], isVaried) && number && (kind == DimRealKind::Sub || *number > 0);
  }
  auto grows = [&](Attribute operand) { return growsWith(operand, isVaried); };
  return (kind != DimRealKind::Mul || isNeverNegative(computed)) && llvm::all_of(computed.getOperands(), grows);
}

void cameo::visitSizes(Attribute real, function_ref<void(const Dim &size)> visit) {
  auto computed = dyn_cast<DimRealAttr>(real);
  if (computed && computed.getKind() == DimRealKind::Size)
    visit(wholeOf(real));
  else if (computed)
    for (Attribute operand : computed.getOperands())
      visitSizes(operand, visit);
}

double cameo::estimateReal(Attribute real, function_ref<double(const Dim &size)> estimate) {
  if (std::optional<double> number = numberOf(real))
    return *number;
  auto computed = cast<DimRealAttr>(real);
  if (computed.getKind() == DimRealKind::Size)
    return estimate(wholeOf(real));
  double first = estimateReal(computed.getOperands()[0], estimate);
  return computed.getKind() == DimRealKind::Round
             ? first
             : computeReal(computed.getKind(), first, estimateReal(computed.getOperands()[1], estimate));
}

std::string cameo::spellReal(Attribute real) {
  if (auto number = dyn_cast<FloatAttr>(real))
    return shortest(number);
  auto computed = cast<DimRealAttr>(real);
  if (computed.getKind() == DimRealKind::Size)
    return (computed.getType().isF32() ? "float(" : "double(") + wholeOf(real).getText() + ")";
  ArrayRef<Attribute> operands = computed.getOperands();
  if (const auto *function = findKind(functions, computed.getKind()))
    return function->second.str() + llvm::join(llvm::map_range(operands, spellReal), ", ") + ")";
  auto spellOperand = [](Attribute operand) {
    auto inner = dyn_cast<DimRealAttr>(operand);
    return inner && findKind(operators, inner.getKind()) ? "(" + spellReal(operand) + ")" : spellReal(operand);
  };
  return spellOperand(operands[0]) + findKind(operators, computed.getKind())->second.str() + spellOperand(operands[1]);
}

/// Parses an operand. It has at most one operator outside of parentheses.
static Attribute parseRealOf(StringRef text, FloatType type) {
  for (auto [kind, sign] : operators)
    if (SmallVector<StringRef> parts = splitOutside(text, sign); parts.size() == 2) {
      for (StringRef &part : parts)
        if (StringRef inside = part; inside.consume_front("(") && inside.consume_back(")"))
          part = inside;
      return computeReal(kind, parseRealOf(parts[0], type), parseRealOf(parts[1], type));
    }
  for (auto [kind, name] : functions) {
    StringRef inside = text;
    if (!inside.consume_front(name) || !inside.consume_back(")"))
      continue;
    SmallVector<StringRef> parts = splitOutside(inside, ", ");
    Attribute first = parseRealOf(parts.front(), type);
    if (parts.size() != (kind == DimRealKind::Round ? 1 : 2) || !first)
      return {};
    return kind == DimRealKind::Round ? makeReal(roundReal(first), type)
                                      : computeReal(kind, first, parseRealOf(parts[1], type));
  }
  StringRef inside = text;
  if (inside.consume_front(type.isF32() ? "float(" : "double(") && inside.consume_back(")")) {
    std::optional<Dim> size = parseDim(inside, type.getContext());
    return size ? makeReal(*size, type) : Attribute();
  }
  APFloat number(type.getFloatSemantics());
  auto status = number.convertFromString(text, APFloat::rmNearestTiesToEven);
  if (!status) {
    consumeError(status.takeError());
    return {};
  }
  return number.isFinite() ? FloatAttr::get(type, number) : Attribute();
}

std::optional<Attribute> cameo::parseReal(StringRef text, MLIRContext *context) {
  for (FloatType type : {FloatType(Float32Type::get(context)), FloatType(Float64Type::get(context))})
    if (Attribute real = text.contains(type.isF32() ? "float(" : "double(") ? parseRealOf(text, type) : Attribute())
      return real;
  return std::nullopt;
}
