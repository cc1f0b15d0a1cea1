// Registration of the task dialect, and its attributes.
#include "dialects/Onnx/OnnxDialect.h"
#include "dialects/Task/TaskClusterOps.h"
#include "dialects/Task/TaskCounterOps.h"
#include "dialects/Task/TaskExternOps.h"
#include "dialects/Task/TaskMatrixOps.h"
#include "dialects/Task/TaskStringOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cameo;
using namespace cameo::task;

#include "dialects/Task/TaskOpsDialect.cpp.inc"

/// Parses `[dimension, denominator, [row], ...]` and appends it to `nests` with the number of columns.
static ParseResult parseMatrix(AsmParser &parser, ArrayRef<int64_t> sizes, SmallVectorImpl<int64_t> &nests) {
  int64_t dim = 0, denominator = 0;
  size_t columns = 0;
  SmallVector<int64_t> entries;
  llvm::SMLoc start = parser.getCurrentLocation();
  if (parser.parseLSquare() || parser.parseInteger(dim) || parser.parseComma() || parser.parseInteger(denominator))
    return failure();
  while (succeeded(parser.parseOptionalComma())) {
    size_t before = entries.size();
    auto parseEntry = [&] { return parser.parseInteger(entries.emplace_back()); };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseEntry))
      return failure();
    if (before > 0 && entries.size() - before != columns)
      return parser.emitError(start, "expected rows of equal length");
    columns = entries.size() - before;
  }
  // The flat form does not store the number of rows, which follows from the size of the dimension.
  if (dim < 0 || dim >= static_cast<int64_t>(sizes.size()))
    return parser.emitError(start) << "expected a matrix for one of " << sizes.size() << " dimensions, got " << dim;
  if (entries.empty() || entries.size() != columns * sizes[dim])
    return parser.emitError(start) << "expected a matrix of " << sizes[dim] << " rows";
  nests.append({dim, static_cast<int64_t>(columns), denominator});
  nests.append(entries);
  return parser.parseRSquare();
}

/// Parses `[target, source, [sizes], [target strides], [source strides], matrix, ...]` and appends it to `nests`.
static ParseResult parseNest(AsmParser &parser, SmallVectorImpl<int64_t> &nests) {
  int64_t target = 0, source = 0;
  SmallVector<int64_t> lists[3];
  if (parser.parseLSquare() || parser.parseInteger(target) || parser.parseComma() || parser.parseInteger(source))
    return failure();
  llvm::SMLoc start = parser.getCurrentLocation();
  for (SmallVector<int64_t> &list : lists) {
    auto parseElement = [&] { return parser.parseInteger(list.emplace_back()); };
    if (parser.parseComma() || parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseElement))
      return failure();
  }
  if (lists[0].size() != lists[1].size() || lists[0].size() != lists[2].size())
    return parser.emitError(start, "expected sizes and strides of one rank");
  nests.append({target, source, static_cast<int64_t>(lists[0].size())});
  for (const SmallVector<int64_t> &list : lists)
    nests.append(list);
  size_t count = nests.size();
  nests.push_back(0);
  while (succeeded(parser.parseOptionalComma())) {
    if (parseMatrix(parser, lists[0], nests))
      return failure();
    ++nests[count];
  }
  return parser.parseRSquare();
}

static ParseResult parseNests(AsmParser &parser, SmallVectorImpl<int64_t> &nests) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] { return parseNest(parser, nests); });
}

static PackingAttr::Nest takeNest(ArrayRef<int64_t> &rest);

static void printNests(AsmPrinter &printer, ArrayRef<int64_t> nests) {
  auto printList = [&](ArrayRef<int64_t> list) {
    printer << ", [";
    llvm::interleaveComma(list, printer);
    printer << "]";
  };
  printer << "[";
  for (ArrayRef<int64_t> rest = nests; !rest.empty();) {
    PackingAttr::Nest nest = takeNest(rest);
    printer << "[" << nest.target << ", " << nest.source;
    for (ArrayRef<int64_t> list : {nest.sizes, nest.targetStrides, nest.sourceStrides})
      printList(list);
    for (const PackingAttr::Matrix &matrix : nest.matrices) {
      printer << ", [" << matrix.dim << ", " << matrix.denominator;
      for (ArrayRef<int64_t> rows = matrix.entries; !rows.empty(); rows = rows.drop_front(matrix.columns))
        printList(rows.take_front(matrix.columns));
      printer << "]";
    }
    printer << (rest.empty() ? "]" : "], ");
  }
  printer << "]";
}

#define GET_ATTRDEF_CLASSES
#include "dialects/Task/TaskAttributes.cpp.inc"

void TaskDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Task/TaskAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Task/TaskOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Task/TaskClusterOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Task/TaskCounterOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Task/TaskExternOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Task/TaskMatrixOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Task/TaskStringOps.cpp.inc"
      >();
}

/// Removes the first nest from `rest` and returns it.
static PackingAttr::Nest takeNest(ArrayRef<int64_t> &rest) {
  int64_t rank = rest[2];
  PackingAttr::Nest nest{
      rest[0], rest[1], rest.slice(3, rank), rest.slice(3 + rank, rank), rest.slice(3 + 2 * rank, rank), {}};
  int64_t matrices = rest[3 + 3 * rank];
  rest = rest.drop_front(4 + 3 * rank);
  for (; matrices > 0; --matrices) {
    int64_t entries = nest.sizes[rest[0]] * rest[1];
    nest.matrices.push_back({rest[0], rest[1], rest[2], rest.slice(3, entries)});
    rest = rest.drop_front(3 + entries);
  }
  return nest;
}

SmallVector<PackingAttr::Nest> PackingAttr::getNestList() const {
  SmallVector<Nest> list;
  for (ArrayRef<int64_t> rest = getNests(); !rest.empty();)
    list.push_back(takeNest(rest));
  return list;
}

SmallVector<int64_t> PackingAttr::Nest::getSourceSizes() const {
  SmallVector<int64_t> sourceSizes(sizes);
  for (const Matrix &matrix : matrices)
    sourceSizes[matrix.dim] = matrix.columns;
  return sourceSizes;
}

bool PackingAttr::hasMatrices() const {
  return llvm::any_of(getNestList(), [](const Nest &nest) { return !nest.matrices.empty(); });
}

/// Returns the smallest and the largest index of a strided access.
static std::pair<int64_t, int64_t> reachOf(int64_t begin, ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  std::pair<int64_t, int64_t> reach = {begin, begin};
  for (auto [size, stride] : llvm::zip_equal(sizes, strides))
    (stride < 0 ? reach.first : reach.second) += (size - 1) * stride;
  return reach;
}

int64_t PackingAttr::getSourceElements() const {
  int64_t elements = 0;
  for (const Nest &nest : getNestList())
    elements = std::max(elements, reachOf(nest.source, nest.getSourceSizes(), nest.sourceStrides).second + 1);
  return elements;
}

/// packing_c5 to packing_c8: verifies the matrices of a nest and removes them from `rest`, which begins with their
/// number.
static LogicalResult verifyMatrices(llvm::function_ref<InFlightDiagnostic()> emitError, ArrayRef<int64_t> sizes,
                                    ArrayRef<int64_t> &rest) {
  int64_t matrices = rest[0];
  llvm::SmallDenseSet<int64_t> transformed;
  rest = rest.drop_front();
  for (; matrices > 0; --matrices) {
    if (rest.size() < 3 || rest[0] < 0 || rest[0] >= static_cast<int64_t>(sizes.size()))
      return emitError() << "expected a matrix for one of " << sizes.size() << " dimensions";
    int64_t dim = rest[0], columns = rest[1];
    if (!transformed.insert(dim).second)
      return emitError() << "expected one matrix for dimension " << dim;
    if (rest[2] < 1)
      return emitError() << "expected a denominator of at least 1, got " << rest[2];
    rest = rest.drop_front(3);
    if (columns < 1 || static_cast<int64_t>(rest.size()) / columns < sizes[dim])
      return emitError() << "expected a matrix of " << sizes[dim] << " rows for dimension " << dim;
    rest = rest.drop_front(sizes[dim] * columns);
  }
  return success();
}

LogicalResult BlockAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError, int64_t threads, int64_t cluster) {
  constexpr int64_t most = 1024, mostOfCluster = 8;
  if (threads < 1 || threads > most) // block_c1
    return emitError() << "expected 1 to " << most << " threads of a block, got " << threads;
  if (cluster < 1 || cluster > mostOfCluster) // block_c2
    return emitError() << "expected 1 to " << mostOfCluster << " blocks of a cluster, got " << cluster;
  return success();
}

LogicalResult PackingAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError, int64_t elements,
                                  ArrayRef<int64_t> nests) {
  if (elements < 0)
    return emitError() << "expected a size of at least 0 elements, got " << elements;
  for (ArrayRef<int64_t> rest = nests; !rest.empty();) {
    ArrayRef<int64_t> whole = rest;
    if (rest.size() < 3 || rest[2] < 0 || rest[2] > 64 || static_cast<int64_t>(rest.size()) < 4 + 3 * rest[2])
      return emitError() << "expected sizes and strides of one rank";
    ArrayRef<int64_t> sizes = rest.slice(3, rest[2]);
    if (llvm::any_of(sizes, [](int64_t size) { return size < 1; }))
      return emitError() << "expected nest sizes of at least 1";
    rest = rest.drop_front(3 + 3 * rest[2]);
    if (failed(verifyMatrices(emitError, sizes, rest)))
      return failure();
    Nest nest = takeNest(whole);
    auto [first, last] = reachOf(nest.target, sizes, nest.targetStrides);
    if (first < 0 || last >= elements)
      return emitError() << "expected a nest within " << elements << " elements, got one that reaches element "
                         << (first < 0 ? first : last);
    if (reachOf(nest.source, nest.getSourceSizes(), nest.sourceStrides).first < 0)
      return emitError() << "expected a nest that reads from element 0 on";
  }
  return success();
}

/// def_c6: one expression per dynamic dimension of the type.
static LogicalResult verifyDims(Operation *op, Type type, Attribute attribute) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto dims = dyn_cast<onnx::DimsAttr>(attribute);
  if (!tensor || !dims || tensor.getRank() != static_cast<int64_t>(dims.getExprs().size()))
    return op->emitOpError("expected task.dims to be one expression per dimension of a tensor, got ")
           << attribute << " on " << type;
  for (auto [size, expr] : llvm::zip_equal(tensor.getShape(), dims.getExprs()))
    if (ShapedType::isDynamic(size) != (expr != nullptr))
      return op->emitOpError("expected task.dims to name exactly the dimensions of unknown size of ")
             << type << ", got " << attribute;
  return success();
}

/// Verifies an attribute of a buffer of the definition.
static LogicalResult verifyBufferAttribute(DefOp def, MemRefType type, NamedAttribute attribute) {
  if (attribute.getName() == TaskDialect::getPackingName()) {
    auto packing = dyn_cast<PackingAttr>(attribute.getValue());
    if (!packing)
      return def.emitOpError("expected task.packing to be a #task.packing");
    if (!type.hasStaticShape())
      return def.emitOpError("expected a packing to a buffer of static size, got ") << type;
    if (packing.getElements() != type.getNumElements())
      return def.emitOpError("expected a packing to ")
             << type.getNumElements() << " elements, got " << packing.getElements();
    return success();
  }
  if (attribute.getName() == TaskDialect::getInplaceName()) {
    auto result = dyn_cast<IntegerAttr>(attribute.getValue());
    if (!result || result.getValue().isNegative())
      return def.emitOpError("expected task.inplace to be the number of a result");
    return success();
  }
  if (attribute.getName() == TaskDialect::getElementsName()) {
    if (!isa<DimExprAttr>(attribute.getValue()))
      return def.emitOpError("expected task.elements to be an expression, got ") << attribute.getValue();
    return success();
  }
  return def.emitOpError("expected no argument attribute named ") << attribute.getName();
}

static LogicalResult verifyMark(Operation *op, NamedAttribute attribute) {
  if (isa<UnitAttr>(attribute.getValue()))
    return success();
  return op->emitOpError("expected ") << attribute.getName().strref() << " to be a unit attribute, got "
                                      << attribute.getValue();
}

LogicalResult TaskDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned argument,
                                                    NamedAttribute attribute) {
  if (attribute.getName() == getTensorName())
    return isa<TypeAttr>(attribute.getValue()) ? success() : op->emitOpError("expected task.tensor to be a type");
  if (attribute.getName() == getPerSampleName() || attribute.getName() == stringsName ||
      attribute.getName() == textAreaName || attribute.getName() == countersName)
    return verifyMark(op, attribute);
  if (attribute.getName() == getSlotName() || attribute.getName() == getSizesName()) {
    auto expressions = dyn_cast<ArrayAttr>(attribute.getValue());
    if (!expressions || !llvm::all_of(expressions, isSize))
      return op->emitOpError("expected ") << attribute.getName().strref()
                                          << " to be a list of numbers and expressions, got " << attribute.getValue();
    return success();
  }
  auto def = dyn_cast<DefOp>(op);
  if (def && attribute.getName() == getDimsName())
    return verifyDims(op, def.getArgumentTypes()[argument], attribute.getValue());
  if (!def || !def.isBufferForm())
    return op->emitOpError("expected ") << attribute.getName() << " on a task.def in buffer form";
  return verifyBufferAttribute(def, cast<MemRefType>(def.getArgumentTypes()[argument]), attribute);
}

LogicalResult TaskDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned result,
                                                       NamedAttribute attribute) {
  if (attribute.getName() == getPerSampleName())
    return verifyMark(op, attribute);
  auto def = dyn_cast<DefOp>(op);
  if (!def || attribute.getName() != getDimsName())
    return op->emitOpError("expected no result attribute named ") << attribute.getName();
  return verifyDims(op, def.getResultTypes()[result], attribute.getValue());
}

unsigned cameo::task::getElementBytes(Type element) { return llvm::divideCeil(element.getIntOrFloatBitWidth(), 8u); }
