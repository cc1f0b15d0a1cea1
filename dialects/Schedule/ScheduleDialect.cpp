// Registration of the dialect, and verification of single steps. Whether a step fits a task is verified when it is
// applied.
#include "dialects/Schedule/ScheduleDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cameo::schedule;

#include "dialects/Schedule/ScheduleDialect.cpp.inc"
#include "dialects/Schedule/ScheduleEnums.cpp.inc"
#include "dialects/Schedule/StepInterface.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Schedule/ScheduleSteps.cpp.inc"

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

void ScheduleDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Schedule/ScheduleSteps.cpp.inc"
      >();
}

static LogicalResult verifySize(EmitError emitError, int64_t size) {
  if (size < 1)
    return emitError() << "expected a size of at least 1, got " << size;
  if (size > maxTileSize)
    return emitError() << "expected a size of at most " << maxTileSize << ", got " << size;
  return success();
}

LogicalResult TileAttr::verify(EmitError emitError, unsigned, unsigned, int64_t size) {
  return verifySize(emitError, size);
}

LogicalResult ParallelAttr::verify(EmitError emitError, unsigned, unsigned loops, unsigned) {
  if (loops < 1)
    return emitError() << "expected at least 1 parallel loop";
  return success();
}

LogicalResult VectorizeAttr::verify(EmitError emitError, unsigned, unsigned, unsigned lanes) {
  if (lanes < 2 || !llvm::isPowerOf2_32(lanes))
    return emitError() << "expected a power of two of at least 2 lanes, got " << lanes;
  if (lanes > maxLanes)
    return emitError() << "expected at most " << maxLanes << " lanes, got " << lanes;
  return success();
}

LogicalResult PackAttr::verify(EmitError emitError, unsigned, unsigned, int64_t width) {
  if (width < 0)
    return emitError() << "expected a width of at least 0, got " << width;
  return success();
}

LogicalResult WinogradAttr::verify(EmitError emitError, unsigned, int64_t outputs, int64_t rows, int64_t columns,
                                   int64_t channels, int64_t depth) {
  if (outputs != 2 && outputs != 4)
    return emitError() << "expected 2 or 4 outputs, got " << outputs;
  if (rows < 1 || columns < 1)
    return emitError() << "expected blocks of at least 1 x 1 tiles, got " << rows << " x " << columns;
  if ((channels < 1 || depth < 1) && (channels != 0 || depth != 0))
    return emitError() << "expected blocks of the filter of at least 1 x 1 channels, got " << channels << " x "
                       << depth;
  if (int64_t largest = std::max({rows, columns, channels, depth}); largest > maxWinogradSize)
    return emitError() << "expected sizes of at most " << maxWinogradSize << ", got " << largest;
  return success();
}

LogicalResult FuseAttr::verify(EmitError emitError, unsigned nest, unsigned last, int64_t size) {
  if (last <= nest)
    return emitError() << "expected a last nest after " << nest << ", got " << last;
  return verifySize(emitError, size);
}

LogicalResult CacheAttr::verify(EmitError emitError, unsigned, unsigned, unsigned stages, Copy copy) {
  if (stages < 1 || stages > maxStages)
    return emitError() << "expected 1 to " << maxStages << " stages, got " << stages;
  if (copy == Copy::Vector && stages > maxVectorStages)
    return emitError() << "expected at most " << maxVectorStages << " stages of vector copies, got " << stages;
  return success();
}

LogicalResult UnrollAttr::verify(EmitError emitError, unsigned, int64_t factor) {
  if (factor < 1 || factor > maxUnroll)
    return emitError() << "expected a factor of 1 to " << maxUnroll << ", got " << factor;
  return success();
}

LogicalResult TensorAttr::verify(EmitError emitError, unsigned, TensorKind kind, int64_t m, int64_t n, int64_t k) {
  if (kind == TensorKind::Wgmma) {
    constexpr int64_t halvesOfDepth = mmaDepthBytes / 2;
    if (m != wgmmaRows || n < leastWgmmaColumns || n > mostWgmmaColumns || !llvm::isPowerOf2_64(n) ||
        k != halvesOfDepth)
      return emitError() << "expected " << wgmmaRows << " x n x " << halvesOfDepth
                         << " of wgmma, where n is a power of "
                         << "two from " << leastWgmmaColumns << " to " << mostWgmmaColumns << ", got " << m << " x "
                         << n << " x " << k;
    return success();
  }
  bool isTf32 = kind == TensorKind::MmaTf32 || kind == TensorKind::Mma3xTf32;
  int64_t depth = mmaDepthBytes / (isTf32 ? 4 : 2);
  bool isOfBytes = kind == TensorKind::Mma && k == mmaDepthBytes;
  if (m != mmaRows || n != mmaColumns || (k != depth && !isOfBytes))
    return emitError() << "expected " << mmaRows << " x " << mmaColumns << " x " << depth << " of "
                       << stringifyTensorKind(kind) << (kind == TensorKind::Mma ? ", or x 32 of bytes" : "") << ", got "
                       << m << " x " << n << " x " << k;
  return success();
}

LogicalResult OnlineAttr::verify(EmitError emitError, unsigned, int64_t rows, int64_t keys) {
  if (rows < 1 || keys < 1)
    return emitError() << "expected at least 1 row and 1 key, got " << rows << " and " << keys;
  return success();
}

LogicalResult StepsAttr::verify(EmitError emitError, ArrayRef<Attribute> steps) {
  SmallVector<std::pair<unsigned, unsigned>> replaced;
  bool replacing = true;
  for (Attribute attr : steps) {
    auto step = dyn_cast<StepAttrInterface>(attr);
    if (!step)
      return emitError() << "expected schedule steps, got " << attr;
    if (!step.replacesNests()) {
      replacing = false;
      continue;
    }
    if (!replacing)
      return emitError() << "expected steps that replace nests before all others, got " << attr;
    for (auto [first, last] : replaced)
      if (step.getNest() <= last && first <= step.getLastNest())
        return emitError() << "expected one step that replaces nest " << std::max(first, step.getNest());
    replaced.emplace_back(step.getNest(), step.getLastNest());
  }
  return success();
}

Attribute StepsAttr::parse(AsmParser &parser, Type) {
  SmallVector<Attribute> steps;
  auto parseStep = [&] { return parser.parseAttribute(steps.emplace_back()); };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, parseStep))
    return {};
  auto emitError = [&] { return parser.emitError(parser.getNameLoc()); };
  if (steps.size() > maxSteps) {
    emitError() << "expected at most " << maxSteps << " steps, got " << steps.size();
    return {};
  }
  return StepsAttr::getChecked(emitError, parser.getContext(), steps);
}

void StepsAttr::print(AsmPrinter &printer) const {
  printer << '<';
  llvm::interleaveComma(getSteps(), printer, [&](Attribute step) { printer.printAttribute(step); });
  printer << '>';
}
