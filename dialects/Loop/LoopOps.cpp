// Parsing, printing and verification of the operations of the loop dialect.
#include "dialects/Loop/LoopDialect.h"

#include "mlir/IR/Builders.h"

#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace cameo;
using namespace cameo::loop;

static bool isNumber(Attribute size, int64_t value) {
  auto number = dyn_cast<IntegerAttr>(size);
  return number && number.getInt() == value;
}

/// Parses `[%d0 * 64 + %d1 + 5]`. Strides of 1 and an offset of 0 are omitted.
static ParseResult parseAddress(OpAsmParser &parser, SmallVectorImpl<OpAsmParser::UnresolvedOperand> &indices,
                                ArrayAttr &strides, Attribute &offset) {
  Builder &builder = parser.getBuilder();
  SmallVector<Attribute> list;
  offset = builder.getI64IntegerAttr(0);
  if (parser.parseLSquare())
    return failure();
  bool isLast = false;
  while (!isLast) {
    OpAsmParser::UnresolvedOperand index;
    OptionalParseResult isIndex = parser.parseOptionalOperand(index);
    if (isIndex.has_value()) {
      if (failed(*isIndex))
        return failure();
      indices.push_back(index);
      list.push_back(builder.getI64IntegerAttr(1));
      if (succeeded(parser.parseOptionalStar()) && parseSize(parser, list.back()))
        return failure();
      isLast = failed(parser.parseOptionalPlus());
    } else {
      if (parseSize(parser, offset))
        return failure();
      isLast = true;
    }
  }
  strides = builder.getArrayAttr(list);
  return parser.parseRSquare();
}

static void printAddress(OpAsmPrinter &printer, Operation *, OperandRange indices, ArrayAttr strides,
                         Attribute offset) {
  printer << '[';
  for (auto [number, index, stride] : llvm::enumerate(indices, strides)) {
    printer << (number > 0 ? " + " : "") << index;
    if (!isNumber(stride, 1)) {
      printer << " * ";
      printSize(printer, stride);
    }
  }
  if (indices.empty() || !isNumber(offset, 0)) {
    printer << (indices.empty() ? "" : " + ");
    printSize(printer, offset);
  }
  printer << ']';
}

#define GET_OP_CLASSES
#include "dialects/Loop/LoopOps.cpp.inc"

// ---- program and buffers ----

LogicalResult ProgramOp::verifyRegions() {
  bool hasGroups = false;
  llvm::SmallBitVector results(getNumResults()), inputs(getInputs().size());
  for (Operation &op : getBody().front()) {
    auto buffer = dyn_cast<BufferOp>(op);
    if (!buffer && !isa<GroupOp>(op)) // program_c1
      return op.emitOpError("expected buffers and groups in a loop.program");
    hasGroups |= !buffer;
    if (!buffer)
      continue;
    if (hasGroups) // program_c1
      return op.emitOpError("expected buffers before the first group");
    if (buffer.getRole() != Role::Argument && buffer.getRole() != Role::Result)
      continue;
    bool isResult = buffer.getRole() == Role::Result;
    llvm::SmallBitVector &seen = isResult ? results : inputs;
    uint64_t number = *buffer.getNumber();
    if (number >= seen.size()) // program_c2
      return op.emitOpError("expected one of ")
             << seen.size() << (isResult ? " outputs" : " inputs") << ", got number " << number;
    if (seen.test(number)) // program_c2
      return op.emitOpError("expected one buffer for ") << (isResult ? "output " : "input ") << number;
    seen.set(number);
  }
  if (int missing = results.find_first_unset(); missing >= 0) // program_c2
    return emitOpError("expected a buffer for output ") << missing;
  return success();
}

void BufferOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  switch (getRole()) {
  case Role::Argument:
    return setName(getMemory(), "in" + std::to_string(getNumber().value_or(0)));
  case Role::Result:
    return setName(getMemory(), "out" + std::to_string(getNumber().value_or(0)));
  case Role::Temporary:
    return setName(getMemory(), getPerRow() ? "row" : "scratch");
  case Role::Table:
    return setName(getMemory(), "table");
  }
}

LogicalResult BufferOp::verify() {
  bool isOutside = getRole() == Role::Argument || getRole() == Role::Result;
  MemRefType type = getMemory().getType();
  if (isOutside ? !getNumber() || static_cast<int64_t>(*getNumber()) < 0 : getNumber().has_value()) // buffer_c1
    return emitOpError("expected a number of 0 or more if and only if the buffer is an argument or a result");
  auto space = dyn_cast_or_null<SpaceAttr>(type.getMemorySpace());
  if (getRole() == Role::Temporary ? !space || space.getValue() == Space::Global
                                   : bool(type.getMemorySpace())) // buffer_c2
    return emitOpError("expected the arena, the stack or shared memory if and only if the buffer is a temporary, got ")
           << type;
  if ((getRole() == Role::Table) != getTable().has_value()) // buffer_c3
    return emitOpError("expected constants if and only if the buffer is a table");
  if (getTable() && (!type.hasStaticShape() || getTable()->getNumElements() != type.getNumElements() ||
                     getTable()->getElementType() != type.getElementType()))
    return emitOpError("expected a buffer of the table's elements, got ") << type; // buffer_c3
  if (type.hasStaticShape() == getElements().has_value())                          // buffer_c4
    return emitOpError("expected elements if and only if the buffer has unknown size, got ") << type;
  if (getRole() == Role::Temporary ? space.getValue() != Space::Arena && !getPerRow() : getPerRow()) // buffer_c5
    return emitOpError("expected per_row for a temporary on the stack or in shared memory, and for temporaries only");
  return success();
}

// ---- groups and nests ----

LogicalResult GroupOp::verifyRegions() {
  auto nests = getBody().front().getOps<NestOp>();
  if (nests.empty() || llvm::range_size(nests) != getBody().front().getOperations().size()) // group_c1
    return emitOpError("expected at least one nest, and nothing else");
  int64_t rows = getRows(), ordered = getOrdered();
  if (rows < 0 || ordered < 0 || ordered > rows) // group_c3
    return emitOpError("expected at most ") << rows << " ordered dimensions, got " << ordered;
  NestOp first = *nests.begin();
  for (NestOp nest : nests) {
    if (nest.getDimCount() < rows) // group_c2
      return nest.emitOpError("expected at least the ")
             << rows << " dimensions of the group's rows, got " << nest.getDimCount();
    for (int64_t dim = 0; dim < rows; ++dim)
      if (nest.getExtents()[dim] != first.getExtents()[dim] || nest.getReductions()[dim]) // group_c2
        return nest.emitOpError("expected dimension ")
               << dim << " to be that of the group's rows, with " << first.getExtents()[dim] << " points";
  }
  return success();
}

void NestOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  for (auto [number, argument] : llvm::enumerate(region.getArguments()))
    setName(argument, "d" + std::to_string(number));
}

ParseResult NestOp::parse(OpAsmParser &parser, OperationState &result) {
  Builder &builder = parser.getBuilder();
  StringAttr name;
  SmallVector<OpAsmParser::Argument> dims;
  SmallVector<Attribute> extents;
  SmallVector<bool> reductions;
  auto parseDim = [&]() -> ParseResult {
    if (parser.parseArgument(dims.emplace_back()) || parser.parseColon())
      return failure();
    dims.back().type = builder.getIndexType();
    reductions.push_back(succeeded(parser.parseOptionalKeyword("reduce")));
    return parseSize(parser, extents.emplace_back());
  };
  if (parser.parseAttribute(name, getNameAttrName(result.name), result.attributes) ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseDim))
    return failure();
  OrderAttr order;
  if (succeeded(parser.parseOptionalKeyword("order")) &&
      (parser.parseCustomAttributeWithFallback(order, Type(), getOrderAttrName(result.name), result.attributes)))
    return failure();
  result.addAttribute(getExtentsAttrName(result.name), builder.getArrayAttr(extents));
  result.addAttribute(getReductionsAttrName(result.name), builder.getDenseBoolArrayAttr(reductions));
  return failure(parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
                 parser.parseRegion(*result.addRegion(), dims));
}

void NestOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getNameAttr() << " (";
  for (auto [number, argument, extent, isReduction] :
       llvm::enumerate(getBody().getArguments(), getExtents(), getReductions())) {
    printer << (number > 0 ? ", " : "") << argument << (isReduction ? ": reduce " : ": ");
    printSize(printer, extent);
  }
  printer << ") ";
  if (OrderAttr order = getOrderAttr()) {
    printer << "order ";
    printer.printStrippedAttrOrType(order);
    printer << ' ';
  }
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(), {getNameAttrName(), getExtentsAttrName(), getReductionsAttrName(), getOrderAttrName()});
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

/// Verifies the uses of dimensions.
static LogicalResult verifyDims(NestOp nest) {
  for (auto [argument, isReduction] : llvm::zip_equal(nest.getBody().getArguments(), nest.getReductions()))
    for (Operation *user : argument.getUsers()) {
      if (isReduction && !user->getParentOfType<ReduceOp>()) // nest_c4
        return user->emitOpError("expected no dimension of the reduction outside of a loop.reduce, got dimension ")
               << argument.getArgNumber();
      auto store = dyn_cast<StoreOp>(user);
      if (!isa<LoadOp, StoreOp, IndexOp>(user) || (store && store.getValue() == argument)) // nest_c9
        return user->emitOpError("expected a loop.index of dimension ")
               << argument.getArgNumber() << ", which is used only in addresses";
    }
  return success();
}

static bool isDim(NestOp nest, Value index) {
  auto argument = dyn_cast<BlockArgument>(index);
  return argument && argument.getOwner() == &nest.getBody().front();
}

static LogicalResult verifyIndices(NestOp nest, IndexOp index) {
  if (!llvm::all_of(index.getIndices(), [&](Value each) { return isDim(nest, each); })) // index_c1
    return index.emitOpError("expected dimensions of the nest");
  return success();
}

static LogicalResult verifyIndices(NestOp nest, StoreOp store) {
  unsigned computed = 0;
  for (auto [index, stride] : llvm::zip_equal(store.getIndices(), store.getStrideList()))
    if (!isDim(nest, index) && (++computed > 1 || !isa<IntegerAttr>(stride))) // store_c1
      return store.emitOpError("expected one computed index at most, with a number as its stride");
  return success();
}

/// nest_c7. Indices that are computed can be anything.
static LogicalResult verifyReach(NestOp nest, Operation *op, MemRefType buffer, OperandRange indices,
                                 ArrayRef<Attribute> strides, Attribute offset) {
  auto start = dyn_cast<IntegerAttr>(offset);
  if (!buffer.hasStaticShape() || !start)
    return success();
  int64_t least = start.getInt(), greatest = least;
  for (auto [index, stride] : llvm::zip_equal(indices, strides)) {
    auto step = dyn_cast<IntegerAttr>(stride);
    auto extent = isDim(nest, index)
                      ? dyn_cast<IntegerAttr>(nest.getExtents()[cast<BlockArgument>(index).getArgNumber()])
                      : nullptr;
    if (!step || !extent || extent.getInt() == 0)
      return success();
    std::optional<int64_t> along = llvm::checkedMul(step.getInt(), extent.getInt() - 1);
    std::optional<int64_t> end = along ? llvm::checkedAdd(*along < 0 ? least : greatest, *along) : std::nullopt;
    if (!end)
      return op->emitOpError("expected addresses of 64 bits");
    (*along < 0 ? least : greatest) = *end;
  }
  if (least < 0 || greatest >= buffer.getNumElements())
    return op->emitOpError("expected addresses within ")
           << buffer.getNumElements() << " elements, got " << (least < 0 ? least : greatest);
  return success();
}

/// load_c1: attributes with an entry for each dimension.
static LogicalResult verifyLayouts(NestOp nest, LoadOp load) {
  unsigned dims = nest.getDimCount();
  if (load.getRun() && load.getRun()->getStrides().size() != dims)
    return load.emitOpError("expected runs with a stride for each of ") << dims << " dimensions";
  if (load.getPacked() && load.getPacked()->getFixed().size() != dims)
    return load.emitOpError("expected a packed layout with a stride for each of ") << dims << " dimensions";
  if (std::optional<ArrayAttr> transforms = load.getTransforms())
    for (auto transform : transforms->getAsRange<TransformAttr>())
      if (transform.getDim() >= dims)
        return load.emitOpError("expected a transform along one of ")
               << dims << " dimensions, got " << transform.getDim();
  return success();
}

static LogicalResult verifyBody(NestOp nest, Block &body) {
  for (Operation &op : body) {
    if (isa<ReduceOp>(op) && &body == &nest.getBody().front())
      continue;
    if (isa<YieldOp>(op))
      continue;
    LogicalResult isInside = success();
    if (auto load = dyn_cast<LoadOp>(op)) {
      if (failed(verifyLayouts(nest, load)))
        return failure();
      // Other loads do not read at this address: packed operands have their own layout, runs read at lower addresses,
      // and a transform reads as many elements as its matrix has columns, not rows.
      if (!load.getPacked() && !load.getRun() && !load.getTransforms())
        isInside = verifyReach(nest, load, load.getBuffer().getType(), load.getIndices(), load.getStrideList(),
                               load.getOffset());
    } else if (auto store = dyn_cast<StoreOp>(op)) {
      if (&body != &nest.getBody().front())
        return store.emitOpError("expected stores after the loop.reduce");
      if (failed(verifyIndices(nest, store)))
        return failure();
      isInside = verifyReach(nest, store, store.getBuffer().getType(), store.getIndices(), store.getStrideList(),
                             store.getOffset());
    } else if (auto index = dyn_cast<IndexOp>(op)) {
      isInside = verifyIndices(nest, index);
    } else if (op.getNumResults() != 1 || op.getNumRegions() != 0 || !isMemoryEffectFree(&op)) { // nest_c6
      return op.emitOpError("expected a scalar operation without side effects in a loop nest");
    }
    if (failed(isInside))
      return failure();
  }
  return success();
}

LogicalResult NestOp::verifyRegions() {
  if (getDimCount() > maxDims) // nest_c1
    return emitOpError("expected at most ") << maxDims << " dimensions, got " << getDimCount();
  if (getBody().getNumArguments() != getDimCount() || getReductions().size() != getDimCount() ||
      !llvm::all_of(getBody().getArgumentTypes(), [](Type type) { return type.isIndex(); })) // nest_c2
    return emitOpError("expected an extent for each of ") << getBody().getNumArguments() << " dimensions";
  for (Attribute extent : getExtents())
    if (!isSize(extent) || (isa<IntegerAttr>(extent) && cast<IntegerAttr>(extent).getInt() < 0)) // nest_c2
      return emitOpError("expected extents of 0 or more, or expressions, got ") << extent;
  auto reduces = getBody().front().getOps<ReduceOp>();
  if (llvm::range_size(reduces) > 1) // nest_c3
    return emitOpError("expected one loop.reduce at most");
  if (getBody().front().getOps<StoreOp>().empty()) // nest_c5
    return emitOpError("expected a loop.store");
  if (OrderAttr order = getOrderAttr()) { // nest_c8
    int64_t dims = getDimCount();
    for (size_t loop = 0; loop < order.getLoops().size(); loop += 2)
      if (order.getLoops()[loop] >= dims)
        return emitOpError("expected loops over one of ") << dims << " dimensions, got " << order.getLoops()[loop];
    if (order.getVector() >= dims || order.getDot() >= dims ||
        order.getPartial() >= static_cast<int64_t>(order.getLoops().size() / 2))
      return emitOpError("expected an order of existing dimensions and loops");
  }
  if (failed(verifyDims(*this)) || failed(verifyBody(*this, getBody().front())))
    return failure();
  return reduces.empty() ? success() : verifyBody(*this, (*reduces.begin()).getBody().front());
}

// ---- bodies ----

/// address_c1.
static LogicalResult verifyAddress(Operation *op, OperandRange indices, ArrayAttr strides) {
  if (indices.size() != strides.size())
    return op->emitOpError("expected a stride for each of ") << indices.size() << " indices, got " << strides.size();
  for (Attribute stride : strides)
    if (!isSize(stride))
      return op->emitOpError("expected numbers or expressions as strides, got ") << stride;
  return success();
}

LogicalResult LoadOp::verify() { return verifyAddress(*this, getIndices(), getStrides()); }
LogicalResult StoreOp::verify() { return verifyAddress(*this, getIndices(), getStrides()); }
LogicalResult IndexOp::verify() { return verifyAddress(*this, getIndices(), getStrides()); }

void ReduceOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  for (auto [number, argument] : llvm::enumerate(region.getArguments()))
    setName(argument, "acc" + std::to_string(number));
}

ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> running;
  SmallVector<OpAsmParser::UnresolvedOperand> initial;
  auto parseRunning = [&]() -> ParseResult {
    OpAsmParser::Argument &argument = running.emplace_back();
    return failure(parser.parseArgument(argument) || parser.parseEqual() ||
                   parser.parseOperand(initial.emplace_back()) || parser.parseColonType(argument.type));
  };
  llvm::SMLoc place = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseRunning))
    return failure();
  for (const OpAsmParser::Argument &argument : running)
    result.addTypes(argument.type);
  return failure(parser.resolveOperands(initial, result.types, place, result.operands) ||
                 parser.parseOptionalAttrDictWithKeyword(result.attributes) ||
                 parser.parseRegion(*result.addRegion(), running));
}

void ReduceOp::print(OpAsmPrinter &printer) {
  printer << '(';
  llvm::interleaveComma(llvm::zip_equal(getBody().getArguments(), getInitial()), printer, [&](auto pair) {
    printer << std::get<0>(pair) << " = " << std::get<1>(pair) << " : " << std::get<0>(pair).getType();
  });
  printer << ") ";
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult ReduceOp::verifyRegions() {
  TypeRange types = getValues().getTypes();
  auto yield = dyn_cast<YieldOp>(getBody().front().back());
  if (getInitial().getTypes() != types || getBody().getArgumentTypes() != types || !yield ||
      yield.getValues().getTypes() != types) // reduce_c1
    return emitOpError("expected initial, running and next values of the types of the results");
  return success();
}
