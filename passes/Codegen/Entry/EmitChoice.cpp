// Emits `run` for an object with several processors: the first call detects the processor, and each call calls the
// variant for it.
#include "passes/Codegen/Entry/EmitEntry.h"

#include "passes/Codegen/Entry/EmitSteps.h"
#include "runtime/include/cameo/abi.h"

#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace cameo {

static_assert(sizeof(cameo_cpu) == 40 && offsetof(cameo_cpu, features) == 8 &&
                  sizeof(CpuFeatures) == sizeof(cameo_cpu::features),
              "the table below follows this struct");

std::string variantName(StringRef name, const TargetInfo &target) { return (name + "." + target.cpu).str(); }

namespace {

class ChoiceEmitter {
public:
  ChoiceEmitter(Module &module, const CodegenOptions &options)
      : module(module), context(module.getContext()), options(options), builder(context),
        pointer(PointerType::get(context, 0)), i32(builder.getInt32Ty()) {}

  Function *emitRun();

private:
  Function *begin(FunctionType *type, GlobalValue::LinkageTypes linkage, const Twine &name);
  GlobalVariable *emitTable();
  Value *loadChosen();
  Function *emitChoice();
  void emitName(Function *choice);
  void forward(Function *callee);
  Function *emitFirstRun(Function *choice, Function *run);

  Module &module;
  LLVMContext &context;
  const CodegenOptions &options;
  IRBuilder<> builder;
  Type *pointer, *i32;
  SmallVector<Constant *> names;    ///< names of the processors
  GlobalVariable *chosen = nullptr; ///< number of the chosen processor, from 1 on; 0 before the first run, and if the
                                    ///< machine supports none of them
};

} // namespace

Function *ChoiceEmitter::begin(FunctionType *type, GlobalValue::LinkageTypes linkage, const Twine &name) {
  auto *function = Function::Create(type, linkage, options.prefix + name, module);
  builder.SetInsertPoint(BasicBlock::Create(context, "entry", function));
  return function;
}

GlobalVariable *ChoiceEmitter::emitTable() {
  SmallVector<Constant *> entries;
  for (const TargetInfo &target : options.targets) {
    names.push_back(builder.CreateGlobalString(target.cpu, options.prefix + ".cpu_name", 0, &module));
    entries.push_back(ConstantStruct::getAnon(
        context, {names.back(), ConstantDataArray::get(context, ArrayRef<uint32_t>(target.required))}));
  }
  auto *type = ArrayType::get(entries.front()->getType(), entries.size());
  return new GlobalVariable(module, type, /*isConstant=*/true, GlobalValue::PrivateLinkage,
                            ConstantArray::get(type, entries), options.prefix + ".cpus");
}

Value *ChoiceEmitter::loadChosen() {
  LoadInst *load = builder.CreateLoad(i32, chosen);
  load->setAtomic(AtomicOrdering::Monotonic);
  return load;
}

/// Emits the function that returns the result of cameo_choose_cpu and stores it. Threads that run it at the same time
/// all store the same value.
Function *ChoiceEmitter::emitChoice() {
  GlobalVariable *table = emitTable();
  chosen = new GlobalVariable(module, i32, /*isConstant=*/false, GlobalValue::InternalLinkage, builder.getInt32(0),
                              options.prefix + ".chosen_cpu");
  chosen->setAlignment(Align(4));
  Function *function = begin(FunctionType::get(i32, false), GlobalValue::InternalLinkage, ".choose_cpu");
  BasicBlock *ask = BasicBlock::Create(context, "ask", function), *done = BasicBlock::Create(context, "done", function),
             *entry = builder.GetInsertBlock();
  Value *known = loadChosen();
  builder.CreateCondBr(builder.CreateIsNull(known), ask, done);
  builder.SetInsertPoint(ask);
  FunctionCallee choose = module.getOrInsertFunction("cameo_choose_cpu", i32, pointer, i32);
  Value *answer = builder.CreateCall(choose, {table, builder.getInt32(options.targets.size())});
  builder.CreateStore(answer, chosen)->setAtomic(AtomicOrdering::Monotonic);
  builder.CreateBr(done);
  builder.SetInsertPoint(done);
  PHINode *number = builder.CreatePHI(i32, 2);
  number->addIncoming(known, entry);
  number->addIncoming(answer, ask);
  builder.CreateRet(number);
  return function;
}

/// Emits PREFIX_cpu, which tells users which variant runs.
void ChoiceEmitter::emitName(Function *choice) {
  Function *function = begin(FunctionType::get(pointer, false), GlobalValue::ExternalLinkage, "_cpu");
  BasicBlock *none = BasicBlock::Create(context, "none", function);
  SwitchInst *number = builder.CreateSwitch(builder.CreateCall(choice), none, names.size());
  builder.SetInsertPoint(none);
  builder.CreateRet(Constant::getNullValue(pointer));
  for (auto [index, name] : enumerate(names)) {
    BasicBlock *named = BasicBlock::Create(context, "named", function);
    number->addCase(builder.getInt32(index + 1), named);
    builder.SetInsertPoint(named);
    builder.CreateRet(name);
  }
}

/// Emits a tail call of `callee` with the arguments of the current function, and returns its result.
void ChoiceEmitter::forward(Function *callee) {
  SmallVector<Value *> arguments(make_pointer_range(builder.GetInsertBlock()->getParent()->args()));
  CallInst *status = builder.CreateCall(callee, arguments);
  status->setTailCall();
  builder.CreateRet(status);
}

/// Emits the path of a run before the processor is known. It is a separate function, so that later runs need not save
/// registers for it.
Function *ChoiceEmitter::emitFirstRun(Function *choice, Function *run) {
  Function *function = begin(run->getFunctionType(), GlobalValue::InternalLinkage, ".first_run");
  returnIf(builder, builder.CreateIsNull(builder.CreateCall(choice)), CAMEO_UNSUPPORTED_CPU);
  forward(run);
  return function;
}

Function *ChoiceEmitter::emitRun() {
  Function *choice = emitChoice();
  emitName(choice);
  Function *function = begin(FunctionType::get(i32, {pointer, pointer, pointer, pointer, pointer}, false),
                             GlobalValue::ExternalLinkage, "_run_buffers");
  BasicBlock *first = BasicBlock::Create(context, "first", function);
  SwitchInst *number = builder.CreateSwitch(loadChosen(), first, options.targets.size());
  for (auto [index, target] : enumerate(options.targets)) {
    BasicBlock *taken = BasicBlock::Create(context, "taken", function);
    number->addCase(builder.getInt32(index + 1), taken);
    builder.SetInsertPoint(taken);
    auto *run = Function::Create(function->getFunctionType(), GlobalValue::ExternalLinkage,
                                 variantName(options.prefix + ".run", target), module);
    run->setVisibility(GlobalValue::HiddenVisibility);
    forward(run);
  }
  Function *firstRun = emitFirstRun(choice, function);
  builder.SetInsertPoint(first);
  forward(firstRun);
  return function;
}

Function *emitChoice(Module &module, const CodegenOptions &options) { return ChoiceEmitter(module, options).emitRun(); }

} // namespace cameo
