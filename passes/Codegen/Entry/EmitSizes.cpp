// Emits size expressions with overflow checks, and the two functions of a model description that evaluate sizes.
#include "passes/Codegen/Entry/EmitSizes.h"

#include "runtime/include/cameo/abi.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace llvm;

namespace cameo {

/// Largest size of a dimension that a run may choose, the limit of the dimensions of a model too. A tensor with another
/// dimension of 0 needs no memory, so without this limit a loop over this dimension would not end.
constexpr int64_t mostElements = int64_t(1) << 48;

/// Largest number of conditions between two branches. LLVM compares each value of a block with all others, which takes
/// minutes for a chain of thousands of conditions.
constexpr unsigned mostConditionsOfBlock = 32;

SizeEmitter::SizeEmitter(IRBuilder<> &builder, const ModelPlan &plan, Value *symbols, BasicBlock *refused)
    : builder(builder), plan(plan), refused(refused), end(builder.getInt64(plan.arenaBytes)) {
  for (auto [number, symbol] : enumerate(plan.symbols)) {
    Value *at = builder.CreateConstInBoundsGEP1_64(builder.getInt64Ty(), symbols, number);
    Value *value = builder.CreateLoad(builder.getInt64Ty(), at);
    // The comparison is unsigned, so it refuses negative sizes too.
    rejectIf(builder.CreateICmpUGT(value, builder.getInt64(mostElements)));
    known[symbol] = value;
  }
}

void SizeEmitter::rejectIf(Value *condition) {
  isWrong = isWrong ? builder.CreateOr(isWrong, condition) : condition;
  if (++unbranched == mostConditionsOfBlock)
    leave();
}

void SizeEmitter::leave() {
  if (!isWrong)
    return;
  if (isRequired)
    isWrong = builder.CreateAnd(isRequired, isWrong);
  BasicBlock *accepted = BasicBlock::Create(builder.getContext(), "sizes", builder.GetInsertBlock()->getParent());
  builder.CreateCondBr(isWrong, refused, accepted);
  builder.SetInsertPoint(accepted);
  isWrong = nullptr;
  unbranched = 0;
}

void SizeEmitter::clearExpressions() {
  assert(!isWrong && "what was evaluated has been looked at");
  values.clear();
  products.clear();
}

Value *SizeEmitter::checked(Intrinsic::ID operation, Value *left, Value *right) {
  Value *result = builder.CreateBinaryIntrinsic(operation, left, right);
  rejectIf(builder.CreateExtractValue(result, 1));
  return builder.CreateExtractValue(result, 0);
}

Value *SizeEmitter::quotient(DimQuotientAttr quotient) {
  Value *dividend = number(quotient.getDividend()), *divisor = number(quotient.getDivisor());
  if (!quotient.getDivisor().isStatic()) { // both operands are sizes, which are not negative
    Value *isBad = builder.CreateICmpSLT(divisor, builder.getInt64(1));
    rejectIf(isBad);
    return builder.CreateSDiv(dividend, builder.CreateSelect(isBad, builder.getInt64(1), divisor));
  }
  // SDiv rounds towards zero. The quotient rounded towards minus infinity is one less if the remainder is negative.
  Value *isBelow = builder.CreateICmpSLT(builder.CreateSRem(dividend, divisor), builder.getInt64(0));
  return builder.CreateSub(builder.CreateSDiv(dividend, divisor), builder.CreateZExt(isBelow, builder.getInt64Ty()));
}

Value *SizeEmitter::real(mlir::Attribute real) {
  auto typeOf = [&](mlir::Type type) { return type.isF32() ? builder.getFloatTy() : builder.getDoubleTy(); };
  if (auto number = dyn_cast<mlir::FloatAttr>(real))
    return ConstantFP::get(typeOf(number.getType()), number.getValue());
  auto computed = cast<DimRealAttr>(real);
  mlir::ArrayRef<mlir::Attribute> operands = computed.getOperands();
  switch (computed.getKind()) {
  case DimRealKind::Size:
    return builder.CreateSIToFP(number(Dim(cast<DimExprAttr>(operands[0]))), typeOf(computed.getType()));
  case DimRealKind::Add:
    return builder.CreateFAdd(this->real(operands[0]), this->real(operands[1]));
  case DimRealKind::Sub:
    return builder.CreateFSub(this->real(operands[0]), this->real(operands[1]));
  case DimRealKind::Mul:
    return builder.CreateFMul(this->real(operands[0]), this->real(operands[1]));
  case DimRealKind::Div:
    return builder.CreateFDiv(this->real(operands[0]), this->real(operands[1]));
  case DimRealKind::Min:
    return builder.CreateMinimum(this->real(operands[0]), this->real(operands[1]));
  case DimRealKind::Max:
    return builder.CreateMaximum(this->real(operands[0]), this->real(operands[1]));
  case DimRealKind::Round:
    return rounded(this->real(operands[0]));
  }
  llvm_unreachable("no other kind");
}

/// Uses only conversions, because llvm.floor may become a call of the C library, which the program may not have.
Value *SizeEmitter::floored(Value *value) {
  Type *type = value->getType();
  constexpr double most = 0x1p62;
  Value *isInside = builder.CreateAnd(builder.CreateFCmpOGT(value, ConstantFP::get(type, -most)),
                                      builder.CreateFCmpOLT(value, ConstantFP::get(type, most)));
  rejectIf(builder.CreateNot(isInside));
  value = builder.CreateSelect(isInside, value, ConstantFP::get(type, 0));
  Value *towardsZero = builder.CreateFPToSI(value, builder.getInt64Ty());
  Value *isBelow = builder.CreateFCmpOGT(builder.CreateSIToFP(towardsZero, type), value);
  return builder.CreateSub(towardsZero, builder.CreateZExt(isBelow, builder.getInt64Ty()));
}

/// The difference to the floor is exact, so comparing it with 0.5 finds ties exactly.
Value *SizeEmitter::rounded(Value *value) {
  Type *type = value->getType();
  Value *below = floored(value), *rest = builder.CreateFSub(value, builder.CreateSIToFP(below, type));
  Value *half = ConstantFP::get(type, 0.5), *isOdd = builder.CreateTrunc(below, builder.getInt1Ty());
  Value *isAbove =
      builder.CreateOr(builder.CreateFCmpOGT(rest, half), builder.CreateAnd(builder.CreateFCmpOEQ(rest, half), isOdd));
  return builder.CreateSIToFP(builder.CreateAdd(below, builder.CreateZExt(isAbove, builder.getInt64Ty())), type);
}

Value *SizeEmitter::atom(mlir::Attribute attr) {
  if (auto name = dyn_cast<mlir::StringAttr>(attr))
    return known.lookup(name);
  if (Value *value = values.lookup(attr))
    return value;
  Value *value = TypeSwitch<mlir::Attribute, Value *>(attr)
                     .Case([&](DimMinAttr minimum) {
                       Value *dim = number(minimum.getDim());
                       return builder.CreateBinaryIntrinsic(Intrinsic::smin, dim, builder.getInt64(0));
                     })
                     .Case([&](DimQuotientAttr each) { return quotient(each); })
                     .Case([&](DimFloorAttr each) { return floored(real(each.getReal())); });
  return values[attr] = value;
}

Value *SizeEmitter::product(const DimTerm &term) {
  Value *value = nullptr;
  for (mlir::Attribute factor : term.getAtoms()) {
    Value *before = std::exchange(value, atom(factor));
    if (!before)
      continue;
    Value *&both = products[{before, value}];
    if (!both)
      both = checked(Intrinsic::smul_with_overflow, before, value);
    value = both;
  }
  if (!value)
    return builder.getInt64(term.coefficient);
  return term.coefficient == 1 ? value
                               : checked(Intrinsic::smul_with_overflow, value, builder.getInt64(term.coefficient));
}

Value *SizeEmitter::number(const Dim &dim) {
  if (dim.isStatic())
    return builder.getInt64(dim.getSize());
  assert(dim.isNamed() && "the plan holds only sizes with names");
  if (Value *value = values.lookup(dim.getExpr()))
    return value;
  Value *sum = nullptr;
  for (const DimTerm &term : getTerms(dim))
    sum = sum ? checked(Intrinsic::sadd_with_overflow, sum, product(term)) : product(term);
  return values[dim.getExpr()] = sum;
}

Value *SizeEmitter::size(const Dim &dim) {
  Value *value = number(dim);
  if (!isNeverNegative(dim))
    rejectIf(builder.CreateICmpSLT(value, builder.getInt64(0)));
  return value;
}

void SizeEmitter::placeSlots() {
  for (const std::vector<Dim> &sizes : plan.slots) {
    Value *largest = builder.getInt64(1); // kernels may read the first element of an empty tensor
    for (const Dim &other : sizes)
      largest = builder.CreateBinaryIntrinsic(Intrinsic::smax, largest, size(other));
    Value *padded = checked(Intrinsic::sadd_with_overflow, largest, builder.getInt64(CAMEO_ALIGNMENT - 1));
    slotOffsets.push_back(end);
    end = checked(Intrinsic::sadd_with_overflow, end,
                  builder.CreateAnd(padded, builder.getInt64(-int64_t(CAMEO_ALIGNMENT))));
  }
}

bool SizeEmitter::isKnown(const Dim &dim) const {
  SetVector<mlir::StringAttr> names;
  collectNames(dim, names);
  return all_of(names, [&](mlir::StringAttr name) { return known.contains(name); });
}

/// Evaluates each expression of the plan whose names are all known, unless an earlier call has evaluated it.
void SizeEmitter::checkKnown() {
  auto isNext = [&](const Dim &dim) { return isKnown(dim) && isChecked.insert(&dim).second; };
  for (const Dim &dimension : plan.dimensions)
    if (isNext(dimension))
      size(dimension);
  for (const Dim &zero : plan.zeros)
    if (isNext(zero))
      rejectIf(builder.CreateIsNotNull(number(zero)));
  for (const std::vector<PlannedTensor> *tensors : {&plan.inputs, &plan.outputs})
    for (const PlannedTensor &tensor : *tensors)
      if (isNext(tensor.bytes))
        size(tensor.bytes);
  for (const PlannedStep &step : plan.steps) {
    if (isNext(step.extent))
      size(step.extent);
    if (isNext(step.bytes))
      size(step.bytes);
    for (const Dim &extent : step.extents)
      if (isNext(extent))
        size(extent);
  }
  for (const Dim &value : plan.sizes)
    if (isNext(value))
      number(value);
}

void SizeEmitter::checkAll() {
  checkKnown();
  placeSlots();
  leave();
}

void SizeEmitter::define(StringRef name, Value *value, Value *isGiven) {
  leave();
  isRequired = isGiven;
  rejectIf(builder.CreateICmpSLT(value, builder.getInt64(0)));
  known[name] = value;
  checkKnown();
  leave();
  isRequired = nullptr;
}

void SizeEmitter::store(Value *table) {
  for (auto [index, dim] : enumerate(plan.sizes))
    if (isKnown(dim) && isStored.insert(index).second)
      builder.CreateStore(number(dim), builder.CreateConstInBoundsGEP1_64(builder.getInt64Ty(), table, index));
}

SizeEmitter::Known SizeEmitter::snapshot() const { return {known, values, products, isChecked, isStored}; }

void SizeEmitter::restore(Known before) {
  known = std::move(before.known);
  values = std::move(before.values);
  products = std::move(before.products);
  isChecked = std::move(before.isChecked);
  isStored = std::move(before.isStored);
  // The condition was computed inside the loop or branch, so it does not dominate the code after it.
  isWrong = nullptr;
  unbranched = 0;
}

/// Creates the first blocks of a function whose first argument is the array of symbols, and returns the block that
/// returns -1 for refused sizes. A null array is refused if the plan has symbols.
static BasicBlock *beginSizes(IRBuilder<> &builder, Function &function, const ModelPlan &plan) {
  LLVMContext &context = builder.getContext();
  BasicBlock *entry = BasicBlock::Create(context, "entry", &function),
             *refused = BasicBlock::Create(context, "refused", &function);
  builder.SetInsertPoint(refused);
  builder.CreateRet(builder.getInt64(-1));
  builder.SetInsertPoint(entry);
  if (!plan.symbols.empty()) {
    BasicBlock *given = BasicBlock::Create(context, "given", &function);
    builder.CreateCondBr(builder.CreateIsNull(function.getArg(0)), refused, given);
    builder.SetInsertPoint(given);
  }
  return refused;
}

void leaveLongUnoptimized(Function &function) {
  constexpr unsigned mostInstructions = 4000;
  if (function.getInstructionCount() <= mostInstructions)
    return;
  function.addFnAttr(Attribute::OptimizeNone);
  function.addFnAttr(Attribute::NoInline);
}

Function *emitWorkspaceSize(Module &module, ArrayRef<ModelPlan> plans, StringRef prefix) {
  LLVMContext &context = module.getContext();
  auto *type = FunctionType::get(Type::getInt64Ty(context), {PointerType::get(context, 0)}, false);
  auto *function = Function::Create(type, GlobalValue::InternalLinkage, prefix + ".workspace_size", module);
  IRBuilder<> builder(context);
  BasicBlock *refused = beginSizes(builder, *function, plans.front());
  Value *most = nullptr;
  for (const ModelPlan &plan : plans) {
    Value *bytes = builder.getInt64(plan.arenaBytes);
    if (plan.hasSizes()) {
      SizeEmitter sizes(builder, plan, function->getArg(0), refused);
      sizes.checkAll();
      bytes = sizes.workspaceBytes();
    }
    most = most ? builder.CreateBinaryIntrinsic(Intrinsic::umax, most, bytes) : bytes;
  }
  builder.CreateRet(most);
  leaveLongUnoptimized(*function);
  return function;
}

Function *emitDerivedSize(Module &module, const ModelPlan &plan, StringRef prefix) {
  LLVMContext &context = module.getContext();
  Type *i64 = Type::getInt64Ty(context);
  auto *type = FunctionType::get(i64, {PointerType::get(context, 0), Type::getInt32Ty(context)}, false);
  auto *function = Function::Create(type, GlobalValue::InternalLinkage, prefix + ".derived_size", module);
  IRBuilder<> builder(context);
  BasicBlock *refused = beginSizes(builder, *function, plan);
  SizeEmitter sizes(builder, plan, function->getArg(0), refused);
  sizes.leave();
  SwitchInst *choice = builder.CreateSwitch(function->getArg(1), refused, plan.derived.size() + plan.greatest.size());
  for (auto [number, dim] : enumerate(concat<const Dim>(plan.derived, plan.greatest))) {
    BasicBlock *block = BasicBlock::Create(context, "size", function);
    choice->addCase(builder.getInt32(number), block);
    builder.SetInsertPoint(block);
    sizes.clearExpressions();
    Value *value = sizes.size(dim);
    sizes.leave();
    builder.CreateRet(value);
  }
  leaveLongUnoptimized(*function);
  return function;
}

} // namespace cameo
