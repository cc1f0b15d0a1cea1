// --require-sizes: code trusts that sizes which an operator joins are equal; whoever chooses the sizes must be held to it.
#include "passes/Graph/Passes.h"

#include "dialects/Onnx/EinsumEquation.h"
#include "dialects/Onnx/OnnxOps.h"
#include "dialects/Onnx/ShapeRules.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace cameo {

#define GEN_PASS_DEF_REQUIRESIZESPASS
#include "passes/Graph/Passes.h.inc"

namespace {

using onnx::Dim;
using onnx::DimList;

class Requirements {
public:
  explicit Requirements(func::FuncOp main) {
    for (BlockArgument input : main.getArguments())
      addNames(input);
    for (auto sized : main.getOps<onnx::DataSizedOp>())
      for (Value result : sized->getResults())
        addNames(result);
    for (auto prefix : main.getOps<onnx::PrefixOp>())
      addNames(prefix.getFirst());
  }

  void visit(Operation *op) {
    if (op->hasTrait<onnx::PointwiseOnnxOp>())
      return requireBroadcast(op);
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](onnx::ReshapeOp reshape) { requireSameElements(reshape.getData(), reshape.getResult()); })
        .Case([&](onnx::MatMulOp product) { requireProduct(product.getA(), product.getB(), product.getResult()); })
        .Case([&](onnx::MatMulIntegerOp product) { requireProduct(product.getA(), product.getB(), product.getResult()); })
        .Case([&](onnx::QLinearMatMulOp product) { requireProduct(product.getA(), product.getB(), product.getResult()); })
        .Case([&](onnx::EinsumOp sum) { requireIndices(sum); })
        .Case([&](onnx::ExpandOp expand) {
          requireBroadcast(expand.getInput(), expand.getResult());
          std::optional<DimList> request = onnx::getKnownDims(expand.getShape()), joint = onnx::getDims(expand.getResult());
          if (request && joint)
            requireBroadcast(ArrayRef(*request), *joint);
        })
        .Case([&](onnx::GemmOp product) {
          std::optional<DimList> a = onnx::getDims(product.getA()), b = onnx::getDims(product.getB());
          if (a && b && a->size() == 2 && b->size() == 2)
            requireEqual((*a)[product.getTransA() ? 0 : 1], (*b)[product.getTransB() ? 1 : 0]);
        })
        .Case<onnx::ConvOp, onnx::ConvIntegerOp, onnx::QLinearConvOp, onnx::DeformConvOp>([&](auto conv) {
          std::optional<DimList> x = onnx::getDims(conv.getX()), w = onnx::getDims(conv.getW());
          if (x && w && x->size() > 2 && w->size() > 2)
            requireEqual((*x)[1], onnx::mulDims((*w)[1], Dim(conv.getGroup())));
          requireKernel(w, conv.getKernelShape());
        })
        .Case([&](onnx::ConvTransposeOp conv) {
          std::optional<DimList> x = onnx::getDims(conv.getX()), w = onnx::getDims(conv.getW());
          if (x && w && x->size() > 2 && w->size() > 2)
            requireEqual((*x)[1], (*w)[0]);
          requireKernel(w, conv.getKernelShape());
        })
        .Case([&](onnx::LinearAttentionOp attention) { requireHeads(attention); })
        .Case([&](onnx::SliceOp slice) { requireElement(slice); })
        .Case([&](onnx::SplitOp split) { requireParts(split); })
        .Case([&](onnx::ConcatOp concat) { requireConcat(concat); });
  }

  /// Sizes that are differences may be negative, and inside of a task nobody would see it.
  void visitSizes(Operation *op) {
    for (Type type : op->getResultTypes())
      for (const Dim &dim : onnx::getDims(type).value_or(DimList()))
        if (dim.isNamed() && isStated(dim) &&
            llvm::any_of(*onnx::getTerms(dim), [](const onnx::DimTerm &term) { return term.coefficient < 0; }))
          sizes.insert(dim.getName());
  }

  /// Expressions that must be zero.
  ArrayRef<Attribute> getZeros() const { return zeros.getArrayRef(); }
  /// Expressions that must not be negative.
  ArrayRef<Attribute> getSizes() const { return sizes.getArrayRef(); }

private:
  void addNames(Value value) {
    for (const Dim &dim : onnx::getDims(value).value_or(DimList()))
      onnx::collectNames(dim, names);
  }

  /// Nothing to require where the sizes are surely equal; where they surely differ, verification has said so.
  void requireEqual(const Dim &a, const Dim &b) {
    Dim difference = onnx::subDims(a, b);
    if (difference.isNamed() && isStated(difference))
      zeros.insert(difference.getName());
  }

  /// Whether the run knows all names.
  bool isStated(const Dim &dim) const {
    llvm::SetVector<StringAttr> used;
    onnx::collectNames(dim, used);
    return llvm::all_of(used, [&](StringAttr name) { return names.contains(name); });
  }

  /// How many elements a forward slice needs to have its first.
  static int64_t reachOf(onnx::SliceOp slice, int64_t axis, int64_t rank) {
    std::optional<SmallVector<int64_t>> starts = onnx::getKnownInts(slice.getStarts());
    SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    if (!onnx::isAbsent(slice.getAxes()))
      axes = onnx::getKnownInts(slice.getAxes()).value_or(SmallVector<int64_t>());
    for (auto [start, stated] : llvm::zip(starts.value_or(SmallVector<int64_t>()), axes))
      if (stated == axis || stated + rank == axis)
        return start < 0 ? -start : start + 1;
    return 1;
  }

  /// A slice of one element of a size that has a name is there.
  void requireElement(onnx::SliceOp slice) {
    std::optional<DimList> from = onnx::getDims(slice.getData()), to = onnx::getDims(slice.getResult());
    if (!from || !to)
      return;
    for (auto [axis, size, taken] : llvm::enumerate(*from, *to))
      if (size.isNamed() && taken == 1 && isStated(size))
        sizes.insert((size - Dim(reachOf(slice, axis, from->size()))).getName());
  }

  void requireSameElements(Value from, Value to) {
    std::optional<DimList> before = onnx::getDims(from), after = onnx::getDims(to);
    if (before && after)
      requireEqual(onnx::productOf(*before), onnx::productOf(*after));
  }

  /// What is summed over has one size, and the dimensions before the matrices broadcast.
  void requireProduct(Value left, Value right, Value result) {
    std::optional<DimList> a = onnx::getDims(left), b = onnx::getDims(right), joint = onnx::getDims(result);
    if (!a || !b || a->empty() || b->empty())
      return;
    requireEqual(a->back(), (*b)[std::max<size_t>(b->size(), 2) - 2]);
    if (!joint)
      return;
    joint->resize(joint->size() - (a->size() > 1) - (b->size() > 1));
    for (const DimList &dims : {*a, *b})
      requireBroadcast(ArrayRef(dims).drop_back(std::min<size_t>(dims.size(), 2)), *joint);
  }

  /// Every index has one size.
  void requireIndices(onnx::EinsumOp sum) {
    SmallVector<int64_t> ranks;
    SmallVector<DimList> shapes;
    for (Value input : sum.getInputs()) {
      std::optional<DimList> dims = onnx::getDims(input);
      if (!dims)
        return;
      ranks.push_back(static_cast<int64_t>(dims->size()));
      shapes.push_back(std::move(*dims));
    }
    FailureOr<onnx::EinsumEquation> equation = onnx::parseEinsum(sum, sum.getEquation(), ranks);
    assert(succeeded(equation) && "verified");
    DimList sizes(equation->indexCount, Dim(1));
    for (auto [dims, indices] : llvm::zip_equal(shapes, equation->operands))
      for (auto [dim, index] : llvm::zip_equal(dims, indices))
        sizes[index] = onnx::broadcastDim(sizes[index], dim).value_or(dim);
    for (auto [dims, indices] : llvm::zip_equal(shapes, equation->operands))
      for (auto [dim, index] : llvm::zip_equal(dims, indices))
        requireBroadcast(dim, sizes[index]);
  }

  /// The operand's dimension is the joint one, or 1.
  void requireBroadcast(const Dim &dim, const Dim &joint) {
    if (!(dim.isStatic() && dim.getSize() == 1))
      requireEqual(dim, joint);
  }

  void requireBroadcast(ArrayRef<Dim> dims, ArrayRef<Dim> joint) {
    for (auto [dim, other] : llvm::zip(dims, joint.take_back(dims.size())))
      requireBroadcast(dim, other);
  }

  void requireBroadcast(Value operand, Value result) {
    std::optional<DimList> dims = onnx::getDims(operand), joint = onnx::getDims(result);
    if (dims && joint && dims->size() <= joint->size())
      requireBroadcast(*dims, *joint);
  }

  void requireBroadcast(Operation *op) {
    for (Value operand : op->getOperands())
      requireBroadcast(operand, op->getResult(0));
  }

  /// All that is joined agrees in the other dimensions.
  void requireConcat(onnx::ConcatOp concat) {
    std::optional<DimList> joint = onnx::getDims(concat.getResult());
    if (!joint)
      return;
    auto axis = static_cast<size_t>(concat.getAxis() < 0 ? concat.getAxis() + static_cast<int64_t>(joint->size()) : concat.getAxis());
    for (Value operand : concat->getOperands()) {
      std::optional<DimList> dims = onnx::getDims(operand);
      for (size_t other = 0; dims && other < joint->size(); ++other)
        if (other != axis)
          requireEqual((*dims)[other], (*joint)[other]);
    }
  }

  /// What the attribute says is what the weights have.
  void requireKernel(const std::optional<DimList> &weights, std::optional<ArrayRef<int64_t>> kernel) {
    if (weights && kernel && weights->size() == kernel->size() + 2)
      for (auto [dim, size] : llvm::zip_equal(ArrayRef<Dim>(*weights).drop_front(2), *kernel))
        requireEqual(dim, Dim(size));
  }

  /// Heads divide the last dimensions, and those of queries and keys are of one size.
  void requireHeads(onnx::LinearAttentionOp op) {
    DimList sizes;
    for (auto [value, heads] : {std::pair(op.getQuery(), op.getQNumHeads()), std::pair(op.getKey(), op.getKvNumHeads()),
                                std::pair(op.getValue(), op.getKvNumHeads())}) {
      std::optional<DimList> dims = onnx::getDims(value);
      if (!dims)
        return;
      sizes.push_back(onnx::floorDivDim(dims->back(), heads));
      requireEqual(dims->back(), onnx::mulDims(sizes.back(), Dim(heads)));
    }
    requireEqual(sizes[0], sizes[1]);
  }

  /// The parts of a Split are the whole.
  void requireParts(onnx::SplitOp op) {
    std::optional<DimList> whole = onnx::getDims(op.getInput());
    if (!whole)
      return;
    size_t axis = op.getAxis() < 0 ? op.getAxis() + whole->size() : op.getAxis();
    Dim sum(0);
    for (Value part : op.getResults())
      sum = onnx::addDims(sum, (*onnx::getDims(part))[axis]);
    requireEqual(sum, (*whole)[axis]);
  }

  llvm::SetVector<StringAttr> names; ///< of the inputs, and of sizes that nodes find
  llvm::SetVector<Attribute> zeros, sizes;
};

struct RequireSizes : impl::RequireSizesPassBase<RequireSizes> {
  using RequireSizesPassBase::RequireSizesPassBase;

  /// To what the pass found before, of operations that are gone.
  void add(StringRef name, ArrayRef<Attribute> expressions) {
    llvm::SetVector<Attribute> all;
    if (auto before = getOperation()->getAttrOfType<ArrayAttr>(name))
      all.insert(before.begin(), before.end());
    all.insert(expressions.begin(), expressions.end());
    if (!all.empty())
      getOperation()->setAttr(name, ArrayAttr::get(&getContext(), all.getArrayRef()));
  }

  void runOnOperation() override {
    Requirements requirements(getOperation());
    for (Operation &op : getOperation().getBody().front())
      requirements.visit(&op);
    if (differences)
      for (Operation &op : getOperation().getBody().front())
        requirements.visitSizes(&op);
    add("onnx.zero_sizes", requirements.getZeros());
    add("onnx.sizes", requirements.getSizes());
  }
};

} // namespace
} // namespace cameo
