// --join-variants: joins task definitions that compute the same with different schedules, each for a range of run-time
// sizes.
#include "dialects/Dim/DimLimits.h"
#include "dialects/Task/TaskExternOps.h"
#include "dialects/Task/Variants.h"
#include "passes/Schedule/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace cameo {
#define GEN_PASS_DEF_JOINVARIANTSPASS
#include "passes/Schedule/Passes.h.inc"
namespace {

/// Returns 1 if `size`, which is never negative, is at least `least`, else 0.
Dim isAtLeast(const Dim &size, int64_t least) { return least <= 0 ? Dim(1) : minDims(floorDivDims(size, least), 1); }

/// Returns 1 if the size is in `range`, else 0. All terms of this sum are 0, 1 or -1: in a product with a large extent,
/// the distance from a bound would exceed 64 bits.
Dim isInside(const task::SizeRange &range) {
  Dim size = maxDims(range.size, 0), inside = isAtLeast(size, range.least);
  return range.most ? inside - isAtLeast(size, *range.most + 1) : inside;
}

/// Returns 1 in runs to which the variant applies, 0 in others.
Dim guardOf(const task::Variant &variant) {
  Dim guard = 1;
  for (const task::SizeRange &range : variant.ranges)
    guard = guard * isInside(range);
  return guard;
}

/// Returns 1 in runs to which none of `variants` applies.
Dim guardOfRest(ArrayRef<task::DefOp> variants) {
  Dim rest = 1;
  for (task::DefOp variant : variants)
    rest = rest - guardOf(*task::getVariant(variant));
  return rest;
}

/// Whether the extents of `def` can be multiplied by `guard`.
bool canGuard(task::DefOp def, const Dim &guard) {
  return !guard.isUnknown() && llvm::all_of(def.getBody().getOps<task::DispatchOp>(), [&](task::DispatchOp dispatch) {
    return !(readSize(dispatch.getExtent()) * guard).isUnknown();
  });
}

/// Adds the dispatches of variants to one definition.
class VariantJoiner {
public:
  VariantJoiner(task::DefOp def, ArrayRef<task::CallOp> calls)
      : def(def), calls(calls), inputs(calls.front()->getNumOperands()), before(inputs) {}

  void join(ArrayRef<task::DefOp> variants);

private:
  unsigned inputFor(task::DefOp variant, unsigned input);
  void guardSteps(Operation *begin, Operation *end, const Dim &guard);
  void add(task::DefOp variant, const Dim &guard);
  void describe(task::DefOp variant);
  void reportLayouts();

  task::DefOp def;
  ArrayRef<task::CallOp> calls; ///< calls of the definition; at least one
  unsigned inputs;              ///< current number of inputs
  const unsigned before;        ///< original number of inputs
  /// Additional inputs: the number of the original input, and the layout in which it is passed.
  SmallVector<std::pair<unsigned, task::PackingAttr>> further;
  SmallVector<task::ScratchOp> scratch; ///< shared among variants
};

} // namespace

/// Returns the number of the argument that holds input `input` in the layout that `variant` reads: a constant has one
/// argument per layout.
unsigned VariantJoiner::inputFor(task::DefOp variant, unsigned input) {
  task::PackingAttr packing = variant.getPacking(input);
  if (packing == def.getPacking(input))
    return input;
  auto *known = llvm::find(further, std::pair(input, packing));
  unsigned number = before + (known - further.begin());
  if (known != further.end())
    return number;
  further.emplace_back(input, packing);
  DictionaryAttr attributes = variant.getArgAttrDict(input);
  [[maybe_unused]] LogicalResult inserted =
      def.insertArgument(number, variant.getArgumentTypes()[input], attributes, variant.getLoc());
  assert(succeeded(inserted) && "a definition takes any number of buffers");
  for (task::CallOp call : calls)
    call.getInputsMutable().append(call.getInputs()[input]);
  ++inputs;
  return number;
}

/// Multiplies the extents of the dispatches from `begin` to `end` by `guard`, so that they run nothing if it is 0.
void VariantJoiner::guardSteps(Operation *begin, Operation *end, const Dim &guard) {
  for (Operation *op = begin; op != end; op = op->getNextNode())
    if (auto dispatch = dyn_cast<task::DispatchOp>(op))
      dispatch.setExtentAttr(makeSize(readSize(dispatch.getExtent()) * guard, def.getContext()));
}

/// Variants share scratch memory, because only one of them runs per call.
void VariantJoiner::add(task::DefOp variant, const Dim &guard) {
  Block &body = def.getBody().front(), &added = variant.getBody().front();
  IRMapping mapping;
  unsigned outputs = variant.getNumArguments() - before;
  for (unsigned input = 0; input < before; ++input) {
    unsigned number = inputFor(variant, input);
    mapping.map(added.getArgument(input), body.getArgument(number));
    if (def.getInplaceResult(number) != variant.getInplaceResult(input))
      def.removeArgAttr(number, task::TaskDialect::getInplaceName());
  }
  for (unsigned output = 0; output < outputs; ++output)
    mapping.map(added.getArgument(before + output), body.getArgument(inputs + output));
  OpBuilder builder(body.getTerminator());
  Operation *last = body.getTerminator()->getPrevNode();
  llvm::SmallDenseSet<Operation *> taken;
  for (Operation &op : added.without_terminator()) {
    auto memory = dyn_cast<task::ScratchOp>(op);
    auto *same = llvm::find_if(scratch, [&](task::ScratchOp each) {
      return memory && each.getMemory().getType() == memory.getMemory().getType() &&
             each.getElementsAttr() == memory.getElementsAttr() && !taken.contains(each);
    });
    if (same != scratch.end()) {
      taken.insert(*same);
      mapping.map(memory.getMemory(), same->getMemory());
      continue;
    }
    Operation *made = builder.clone(op, mapping);
    if (memory) {
      scratch.push_back(cast<task::ScratchOp>(made));
      taken.insert(made);
    }
  }
  guardSteps(last ? last->getNextNode() : &body.front(), body.getTerminator(), guard);
}

/// Extends the description for users.
void VariantJoiner::describe(task::DefOp variant) {
  auto own = def->getAttrOfType<StringAttr>("description"), other = variant->getAttrOfType<StringAttr>("description");
  if (own && other)
    def->setAttr("description", StringAttr::get(def.getContext(), own.getValue() + " | where " +
                                                                      task::rangesText(*task::getVariant(variant)) +
                                                                      ": " + other.getValue()));
}

/// Reports the bytes that are stored in addition to an object without variants.
void VariantJoiner::reportLayouts() {
  int64_t bytes = 0;
  for (unsigned number = before; number < inputs; ++number) {
    auto type = cast<MemRefType>(def.getArgumentTypes()[number]);
    bytes += type.getNumElements() * task::getElementBytes(type.getElementType());
  }
  if (bytes > 0)
    remark::passed(def.getLoc(),
                   remark::RemarkOpts::name("layouts").category("join-variants").function(def.getSymName()))
        << "variants read constants in other layouts: " << llvm::itostr(bytes) << " bytes more for each call";
}

void VariantJoiner::join(ArrayRef<task::DefOp> variants) {
  Operation *last = def.getBody().front().getTerminator()->getPrevNode();
  llvm::append_range(scratch, def.getBody().getOps<task::ScratchOp>());
  SmallVector<std::string> texts;
  for (task::DefOp variant : variants) {
    add(variant, guardOf(*task::getVariant(variant)));
    describe(variant);
    texts.push_back(task::rangesText(*task::getVariant(variant)));
  }
  remark::passed(def.getLoc(), remark::RemarkOpts::name("join").category("join-variants").function(def.getSymName()))
      << "another schedule where " << llvm::join(texts, "; where ");
  reportLayouts();
  if (last)
    guardSteps(&def.getBody().front().front(), last->getNextNode(), guardOfRest(variants));
}

namespace {

struct JoinVariants : impl::JoinVariantsPassBase<JoinVariants> {
  void runOnOperation() override {
    if (failed(task::verifyVariants(getOperation())))
      return signalPassFailure();
    llvm::MapVector<StringAttr, SmallVector<task::DefOp>> variants;
    for (auto def : getOperation().getOps<task::DefOp>())
      if (std::optional<task::Variant> variant = task::getVariant(def))
        variants[variant->task.getAttr()].push_back(def);
    for (auto &[name, own] : variants) {
      auto def = getOperation().lookupSymbol<task::DefOp>(name);
      if (failed(join(def, own, callsOf(def))))
        return signalPassFailure();
      for (task::DefOp variant : own)
        variant.erase();
    }
  }

private:
  SmallVector<task::CallOp> callsOf(task::DefOp def) {
    SmallVector<task::CallOp> calls;
    getOperation().walk([&](task::CallOp call) {
      if (call.getCallee() == def.getSymName())
        calls.push_back(call);
    });
    return calls;
  }

  static LogicalResult join(task::DefOp def, ArrayRef<task::DefOp> variants, ArrayRef<task::CallOp> calls) {
    if (!def.isBufferForm())
      return def.emitError("expected a task in buffer form, because it has variants");
    for (task::DefOp variant : variants)
      if (!variant.isBufferForm() || !variant.getBody().getOps<task::ExternCallOp>().empty())
        return variant.emitError("expected a variant with only kernels, in buffer form");
    bool canJoin = canGuard(def, guardOfRest(variants)) && llvm::all_of(variants, [](task::DefOp variant) {
                     return canGuard(variant, guardOf(*task::getVariant(variant)));
                   });
    if (canJoin && !calls.empty())
      VariantJoiner(def, calls).join(variants);
    if (!canJoin)
      remark::missed(def.getLoc(),
                     remark::RemarkOpts::name("join").category("join-variants").function(def.getSymName()))
          << "one schedule for all runs: the extents of its steps would have too many terms";
    return success();
  }
};

} // namespace
} // namespace cameo
