// Recognises the combining operation of a reduction and its identity.
#include "passes/Schedule/Nests/Combiner.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace cameo::schedule {

static std::optional<vector::CombiningKind> kindOf(Operation *op) {
  using Kind = vector::CombiningKind;
  return llvm::TypeSwitch<Operation *, std::optional<Kind>>(op)
      .Case<arith::AddFOp, arith::AddIOp>([](auto) { return Kind::ADD; })
      .Case<arith::MulFOp, arith::MulIOp>([](auto) { return Kind::MUL; })
      .Case<arith::MaximumFOp>([](auto) { return Kind::MAXIMUMF; })
      .Case<arith::MinimumFOp>([](auto) { return Kind::MINIMUMF; })
      .Case<arith::MaxNumFOp>([](auto) { return Kind::MAXNUMF; })
      .Case<arith::MinNumFOp>([](auto) { return Kind::MINNUMF; })
      .Case<arith::MaxSIOp>([](auto) { return Kind::MAXSI; })
      .Case<arith::MinSIOp>([](auto) { return Kind::MINSI; })
      .Case<arith::MaxUIOp>([](auto) { return Kind::MAXUI; })
      .Case<arith::MinUIOp>([](auto) { return Kind::MINUI; })
      .Case<arith::AndIOp>([](auto) { return Kind::AND; })
      .Case<arith::OrIOp>([](auto) { return Kind::OR; })
      .Case<arith::XOrIOp>([](auto) { return Kind::XOR; })
      .Default([](Operation *) { return std::nullopt; });
}

static TypedAttr identityOf(vector::CombiningKind kind, Type type) {
  using Kind = vector::CombiningKind;
  Builder builder(type.getContext());
  if (auto floating = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = floating.getFloatSemantics();
    switch (kind) {
    case Kind::ADD:
      // Negative zero: 0 + -0 would turn a sum of -0 into 0.
      return FloatAttr::get(type, APFloat::getZero(semantics, /*Negative=*/true));
    case Kind::MUL:
      return builder.getOneAttr(type);
    case Kind::MAXIMUMF:
    case Kind::MAXNUMF:
      return FloatAttr::get(type, APFloat::getInf(semantics, /*Negative=*/true));
    default:
      return FloatAttr::get(type, APFloat::getInf(semantics));
    }
  }
  unsigned bits = type.getIntOrFloatBitWidth();
  switch (kind) {
  case Kind::MUL:
    return IntegerAttr::get(type, 1);
  case Kind::MAXSI:
    return IntegerAttr::get(type, APInt::getSignedMinValue(bits));
  case Kind::MINSI:
    return IntegerAttr::get(type, APInt::getSignedMaxValue(bits));
  case Kind::MINUI:
  case Kind::AND:
    return IntegerAttr::get(type, APInt::getAllOnes(bits));
  default:
    return IntegerAttr::get(type, 0);
  }
}

std::optional<vector::CombiningKind> matchCombiningKind(const LoopNest &nest, unsigned reduction) {
  const Node &update = nest.nodes[nest.reductions[reduction].update];
  if (update.kind != Node::Kind::Apply || update.operands.size() != 2 || update.type.isIndex())
    return std::nullopt;
  std::optional<vector::CombiningKind> kind = kindOf(update.op);
  if (!kind)
    return std::nullopt;
  const Node &left = nest.nodes[update.operands[0]], &right = nest.nodes[update.operands[1]];
  auto isOwn = [&](const Node &node) { return node.kind == Node::Kind::Accumulator && node.accumulator == reduction; };
  if (isOwn(left) == isOwn(right) || (isOwn(left) ? right : left).usesAccumulator)
    return std::nullopt;
  return kind;
}

std::optional<Combiner> matchCombiner(const LoopNest &nest, unsigned reduction) {
  std::optional<vector::CombiningKind> kind = matchCombiningKind(nest, reduction);
  return kind ? std::optional(Combiner{*kind, identityOf(*kind, nest.nodes[nest.reductions[reduction].update].type)})
              : std::nullopt;
}

} // namespace cameo::schedule
