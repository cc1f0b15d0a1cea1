// Values are sorted by two hashes: of the ops that compute the value and of the ops that use it, refined once. Values
// with equal hashes are taken to be interchangeable. The hashes only give the order; equality of tasks is decided by
// the text.
#include "passes/Partition/CanonicalTask.h"

#include "passes/Partition/OpRole.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/SHA1.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;

namespace cameo::partition {
namespace {

/// Part of every key. It changes when the meaning of the text changes, which then changes all keys.
constexpr StringLiteral keyVersion = "cameo-task-1\n";

uint64_t mix(ArrayRef<uint64_t> parts) {
  SmallVector<uint8_t> bytes(parts.size() * 8);
  for (auto [index, part] : llvm::enumerate(parts))
    llvm::support::endian::write64le(&bytes[index * 8], part);
  return llvm::xxh3_64bits(bytes);
}

/// Returns the op's name, attributes, result types and regions as text, without its operands.
std::string describe(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << op->getName().getStringRef() << '{';
  // The shape of the weights gives the kernel's shape, and exporters may leave the attribute out.
  bool dropsKernel = getOpType(op).starts_with("Conv");
  for (NamedAttribute attr : op->getAttrDictionary())
    if (!dropsKernel || attr.getName() != "kernel_shape")
      os << attr.getName().getValue() << '=' << attr.getValue() << ';';
  os << "}:" << op->getResultTypes();
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) { inner->print(os, OpPrintingFlags().useLocalScope()); });
  return text;
}

class Canonicalizer {
public:
  explicit Canonicalizer(Block &body) : body(body) {
    for (Operation &op : body.without_terminator())
      labels[&op] = describe(&op);
  }

  CanonicalOrder run();

private:
  void hashDown();
  void hashUp();
  SmallVector<uint64_t> hashOperands(Operation *op) const;
  SmallVector<unsigned> sortByHash(ValueRange values) const;
  void sortCommutativeOperands();
  void visit(Value value, CanonicalOrder &order);
  void write(CanonicalOrder &order);

  Block &body;
  DenseMap<Operation *, std::string> labels;
  DenseMap<Value, uint64_t> made; // hash of the ops that compute the value
  DenseMap<Value, uint64_t> used; // hash of the uses of the value
  DenseMap<Value, std::string> names;
};

SmallVector<uint64_t> Canonicalizer::hashOperands(Operation *op) const {
  SmallVector<uint64_t> hashes;
  for (Value operand : op->getOperands())
    hashes.push_back(made.lookup(operand));
  if (isCommutative(op))
    llvm::sort(hashes);
  return hashes;
}

/// Computes `made` from arguments to results. In the second round the uses of an argument distinguish it from others of
/// its type.
void Canonicalizer::hashDown() {
  for (BlockArgument argument : body.getArguments()) {
    std::string type;
    llvm::raw_string_ostream(type) << argument.getType();
    made[argument] = mix({llvm::xxh3_64bits(type), used.lookup(argument)});
  }
  for (Operation &op : body.without_terminator()) {
    SmallVector<uint64_t> parts = hashOperands(&op);
    parts.push_back(llvm::xxh3_64bits(labels[&op]));
    for (auto [index, result] : llvm::enumerate(op.getResults())) {
      parts.push_back(index);
      made[result] = mix(parts);
      parts.pop_back();
    }
  }
}

/// Computes `used` from results to arguments.
void Canonicalizer::hashUp() {
  auto hashUses = [&](Value value) {
    SmallVector<uint64_t> uses;
    for (OpOperand &use : value.getUses()) {
      Operation *user = body.findAncestorOpInBlock(*use.getOwner());
      if (user == body.getTerminator()) {
        uses.push_back(1);
        continue;
      }
      SmallVector<uint64_t> parts = {isCommutative(user) ? 0 : use.getOperandNumber()};
      for (Value result : user->getResults())
        parts.append({made[result], used[result]});
      uses.push_back(mix(parts));
    }
    llvm::sort(uses);
    used[value] = mix(uses);
  };
  for (Operation &op : llvm::reverse(body.without_terminator()))
    for (Value result : op.getResults())
      hashUses(result);
  for (BlockArgument argument : body.getArguments())
    hashUses(argument);
}

/// Returns the indices of `values` in canonical order: results of ops before arguments, as people write a residual sum.
/// Values with equal hashes keep their order.
SmallVector<unsigned> Canonicalizer::sortByHash(ValueRange values) const {
  auto order = llvm::to_vector(llvm::seq<unsigned>(0, values.size()));
  auto key = [&](unsigned index) {
    Value value = values[index];
    return std::tuple(isa<BlockArgument>(value), made.lookup(value), used.lookup(value), index);
  };
  llvm::sort(order, [&](unsigned a, unsigned b) { return key(a) < key(b); });
  return order;
}

void Canonicalizer::sortCommutativeOperands() {
  for (Operation &op : body.without_terminator()) {
    if (!isCommutative(&op))
      continue;
    SmallVector<Value> operands;
    for (unsigned index : sortByHash(op.getOperands()))
      operands.push_back(op.getOperand(index));
    op.setOperands(operands);
  }
}

/// Visits the operands in their order, then the op. The order of first visits is the canonical order of arguments and
/// ops.
void Canonicalizer::visit(Value value, CanonicalOrder &order) {
  if (names.contains(value))
    return;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    names[value] = "a" + std::to_string(order.arguments.size());
    order.arguments.push_back(argument.getArgNumber());
    return;
  }
  Operation *op = value.getDefiningOp();
  SmallVector<Value> captured;
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (operand.getParentBlock() == &body)
        captured.push_back(operand);
  });
  for (Value operand : captured)
    visit(operand, order);
  for (auto [index, result] : llvm::enumerate(op->getResults()))
    names[result] = "v" + std::to_string(order.ops.size()) + "." + std::to_string(index);
  order.ops.push_back(op);
}

void Canonicalizer::write(CanonicalOrder &order) {
  llvm::raw_string_ostream os(order.text);
  for (unsigned number : order.arguments)
    os << body.getArgument(number).getType() << '\n';
  for (Operation *op : order.ops) {
    os << labels[op] << '(';
    llvm::interleaveComma(op->getOperands(), os, [&](Value operand) { os << names[operand]; });
    os << ")\n";
  }
  for (unsigned number : order.results)
    os << names[body.getTerminator()->getOperand(number)] << '\n';
}

CanonicalOrder Canonicalizer::run() {
  hashDown();
  hashUp();
  hashDown();
  hashUp();
  sortCommutativeOperands();

  CanonicalOrder order;
  OperandRange returned = body.getTerminator()->getOperands();
  order.results = sortByHash(returned);
  for (unsigned number : order.results)
    visit(returned[number], order);
  // Ops without a path to a result, and unread arguments, come last in the order they have.
  for (Operation &op : body.without_terminator())
    for (Value result : op.getResults())
      visit(result, order);
  for (BlockArgument argument : body.getArguments())
    visit(argument, order);
  write(order);
  return order;
}

} // namespace

CanonicalOrder canonicalizeBody(Block &body) { return Canonicalizer(body).run(); }

std::string hashText(StringRef text) {
  llvm::SHA1 sha;
  sha.update(keyVersion);
  sha.update(text);
  std::array<uint8_t, 20> digest = sha.final();
  return llvm::toHex(ArrayRef(digest).take_front(16), /*LowerCase=*/true);
}

} // namespace cameo::partition
