// Registration of the task dialect, and its attributes.
#include "dialects/Task/TaskDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cameo::task;

#include "dialects/Task/TaskOpsDialect.cpp.inc"

/// `[target, source, [sizes], [target strides], [source strides]]`, appended to `nests`.
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
  return parser.parseRSquare();
}

static ParseResult parseNests(AsmParser &parser, SmallVectorImpl<int64_t> &nests) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] { return parseNest(parser, nests); });
}

static void printNests(AsmPrinter &printer, ArrayRef<int64_t> nests) {
  auto printList = [&](ArrayRef<int64_t> list) {
    printer << ", [";
    llvm::interleaveComma(list, printer);
    printer << "]";
  };
  printer << "[";
  for (ArrayRef<int64_t> rest = nests; !rest.empty();) {
    int64_t rank = rest[2];
    printer << "[" << rest[0] << ", " << rest[1];
    for (int64_t list = 0; list < 3; ++list)
      printList(rest.slice(3 + list * rank, rank));
    rest = rest.drop_front(3 + 3 * rank);
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
}

SmallVector<RelayoutAttr::Nest> RelayoutAttr::getNestList() const {
  SmallVector<Nest> list;
  for (ArrayRef<int64_t> rest = getNests(); !rest.empty();) {
    int64_t rank = rest[2];
    list.push_back({rest[0], rest[1], rest.slice(3, rank), rest.slice(3 + rank, rank), rest.slice(3 + 2 * rank, rank)});
    rest = rest.drop_front(3 + 3 * rank);
  }
  return list;
}

/// Smallest and largest index a strided walk touches.
static std::pair<int64_t, int64_t> reachOf(int64_t begin, ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  std::pair<int64_t, int64_t> reach = {begin, begin};
  for (auto [size, stride] : llvm::zip_equal(sizes, strides))
    (stride < 0 ? reach.first : reach.second) += (size - 1) * stride;
  return reach;
}

int64_t RelayoutAttr::getSourceElements() const {
  int64_t elements = 0;
  for (const Nest &nest : getNestList())
    elements = std::max(elements, reachOf(nest.source, nest.sizes, nest.sourceStrides).second + 1);
  return elements;
}

LogicalResult RelayoutAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError, int64_t elements,
                                   ArrayRef<int64_t> nests) {
  if (elements < 0)
    return emitError() << "expected a size of at least 0 elements, got " << elements;
  for (ArrayRef<int64_t> rest = nests; !rest.empty();) {
    if (rest.size() < 3 || rest[2] < 0 || rest[2] > 64 || static_cast<int64_t>(rest.size()) < 3 + 3 * rest[2])
      return emitError() << "expected sizes and strides of one rank";
    int64_t rank = rest[2];
    ArrayRef<int64_t> sizes = rest.slice(3, rank);
    if (llvm::any_of(sizes, [](int64_t size) { return size < 1; }))
      return emitError() << "expected nest sizes of at least 1";
    auto [first, last] = reachOf(rest[0], sizes, rest.slice(3 + rank, rank));
    if (first < 0 || last >= elements)
      return emitError() << "expected a nest inside of " << elements << " elements, got one that reaches "
                         << (first < 0 ? first : last);
    if (reachOf(rest[1], sizes, rest.slice(3 + 2 * rank, rank)).first < 0)
      return emitError() << "expected a nest that reads from element 0 on";
    rest = rest.drop_front(3 + 3 * rank);
  }
  return success();
}

/// def_c6: one expression per dimension that the type leaves open.
static LogicalResult verifyDims(Operation *op, Type type, Attribute attribute) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto dims = dyn_cast<ArrayAttr>(attribute);
  if (!tensor || !dims || !llvm::all_of(dims, llvm::IsaPred<StringAttr>) || tensor.getRank() != static_cast<int64_t>(dims.size()))
    return op->emitOpError("expected task.dims to be one string per dimension of a tensor, got ") << attribute << " on " << type;
  for (auto [size, dim] : llvm::zip_equal(tensor.getShape(), dims.getAsRange<StringAttr>()))
    if (ShapedType::isDynamic(size) == dim.getValue().empty())
      return op->emitOpError("expected task.dims to name exactly the dimensions of unknown size of ") << type << ", got " << attribute;
  return success();
}

/// Attributes of the buffers of a definition.
static LogicalResult verifyBufferAttribute(DefOp def, MemRefType type, NamedAttribute attribute) {
  if (attribute.getName() == TaskDialect::getRelayoutName()) {
    auto relayout = dyn_cast<RelayoutAttr>(attribute.getValue());
    if (!relayout)
      return def.emitOpError("expected task.relayout to be a #task.relayout");
    if (!type.hasStaticShape())
      return def.emitOpError("expected a relayout to a buffer of static size, got ") << type;
    if (relayout.getElements() != type.getNumElements())
      return def.emitOpError("expected a relayout to ") << type.getNumElements() << " elements, got " << relayout.getElements();
    return success();
  }
  if (attribute.getName() == TaskDialect::getInplaceName()) {
    auto result = dyn_cast<IntegerAttr>(attribute.getValue());
    if (!result || result.getValue().isNegative())
      return def.emitOpError("expected task.inplace to be the number of a result");
    return success();
  }
  if (attribute.getName() == TaskDialect::getElementsName()) {
    auto elements = dyn_cast<StringAttr>(attribute.getValue());
    if (!elements || elements.empty())
      return def.emitOpError("expected task.elements to be an expression, got ") << attribute.getValue();
    return success();
  }
  return def.emitOpError("expected no argument attribute named ") << attribute.getName();
}

LogicalResult TaskDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned argument, NamedAttribute attribute) {
  if (attribute.getName() == getTensorName())
    return isa<TypeAttr>(attribute.getValue()) ? success() : op->emitOpError("expected task.tensor to be a type");
  auto def = dyn_cast<DefOp>(op);
  if (def && attribute.getName() == getDimsName())
    return verifyDims(op, def.getArgumentTypes()[argument], attribute.getValue());
  if (!def || !def.isBufferForm())
    return op->emitOpError("expected ") << attribute.getName() << " on a task.def in buffer form";
  return verifyBufferAttribute(def, cast<MemRefType>(def.getArgumentTypes()[argument]), attribute);
}

LogicalResult TaskDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned result, NamedAttribute attribute) {
  auto def = dyn_cast<DefOp>(op);
  if (!def || attribute.getName() != getDimsName())
    return op->emitOpError("expected no result attribute named ") << attribute.getName();
  return verifyDims(op, def.getResultTypes()[result], attribute.getValue());
}

unsigned cameo::task::getElementBytes(Type element) { return llvm::divideCeil(element.getIntOrFloatBitWidth(), 8u); }
