#include "passes/Codegen/Gpu/CheckDevice.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <limits>
#include <set>

using namespace llvm;

namespace cameo {
namespace {

/// Intrinsics that every architecture has instructions for, or that expand to such instructions.
constexpr Intrinsic::ID knownIntrinsics[] = {Intrinsic::abs,
                                             Intrinsic::assume,
                                             Intrinsic::bitreverse,
                                             Intrinsic::bswap,
                                             Intrinsic::ceil,
                                             Intrinsic::copysign,
                                             Intrinsic::ctlz,
                                             Intrinsic::ctpop,
                                             Intrinsic::cttz,
                                             Intrinsic::fabs,
                                             Intrinsic::floor,
                                             Intrinsic::fma,
                                             Intrinsic::fmuladd,
                                             Intrinsic::fshl,
                                             Intrinsic::fshr,
                                             Intrinsic::lifetime_end,
                                             Intrinsic::lifetime_start,
                                             Intrinsic::maximum,
                                             Intrinsic::maxnum,
                                             Intrinsic::memcpy,
                                             Intrinsic::memmove,
                                             Intrinsic::memset,
                                             Intrinsic::minimum,
                                             Intrinsic::minnum,
                                             Intrinsic::nearbyint,
                                             Intrinsic::rint,
                                             Intrinsic::roundeven,
                                             Intrinsic::sadd_sat,
                                             Intrinsic::scmp,
                                             Intrinsic::smax,
                                             Intrinsic::smin,
                                             Intrinsic::sqrt,
                                             Intrinsic::ssub_sat,
                                             Intrinsic::trunc,
                                             Intrinsic::uadd_sat,
                                             Intrinsic::ucmp,
                                             Intrinsic::umax,
                                             Intrinsic::umin,
                                             Intrinsic::usub_sat,
                                             Intrinsic::experimental_noalias_scope_decl,
                                             Intrinsic::fptosi_sat,
                                             Intrinsic::fptoui_sat,
                                             Intrinsic::is_fpclass};

/// An intrinsic on a type that architectures before `capability` do not support.
struct Lack {
  Intrinsic::ID intrinsic;
  Type::TypeID type;
  unsigned capability;
};
constexpr Lack lacks[] = {
    {Intrinsic::maximum, Type::FloatTyID, 80},
    {Intrinsic::minimum, Type::FloatTyID, 80},
    {Intrinsic::fma, Type::BFloatTyID, 80},
    {Intrinsic::fma, Type::HalfTyID, 53},
};

/// Limits of a launch: 4 KB of arguments before PTX 8.1, which include the sizes of the run; and the number of blocks
/// in a grid.
constexpr size_t mostBuffers = 500;
constexpr int64_t mostBlocks = std::numeric_limits<int32_t>::max();

bool isOnEvery(Type *type) {
  Type *scalar = type->getScalarType();
  return !scalar->isX86_FP80Ty() && !scalar->isFP128Ty() && !scalar->isPPC_FP128Ty() &&
         !(scalar->isIntegerTy() && scalar->getIntegerBitWidth() > 64);
}

std::string typeName(Type *type) {
  std::string name;
  raw_string_ostream(name) << *type;
  return name;
}

/// Returns "exp of float64" for "llvm.exp.f64".
std::string operationName(StringRef intrinsic) {
  auto [name, type] = intrinsic.drop_front(StringRef("llvm.").size()).rsplit('.');
  StringRef element = type == "f64" ? "float64" : type == "f32" ? "float32" : type;
  return (name + (element.empty() ? "" : " of ") + element).str();
}

} // namespace

std::vector<std::string> findUnsupported(const ModelPlan &plan) {
  std::vector<std::string> found;
  // A step of gpu.h has one bit for each flag.
  if (any_of(plan.steps, [](const PlannedStep &step) { return step.flags.size() > 32; }))
    found.push_back("a size that depends on more than 32 branches");
  auto isKernel = [](const PlannedStep &step) { return step.kind == PlannedStep::Kind::Kernel; };
  auto takesMore = [&](const PlannedStep &step) {
    bool hasSizes =
        any_of(step.buffers, [](const BufferPlace &place) { return place.base == BufferPlace::Base::Sizes; });
    return isKernel(step) && step.buffers.size() + (hasSizes ? plan.sizes.size() : 0) > mostBuffers;
  };
  if (any_of(plan.steps, takesMore))
    found.push_back("kernels of more than " + std::to_string(mostBuffers) + " tensors and sizes");
  if (any_of(plan.steps, [&](const PlannedStep &step) {
        return isKernel(step) && step.extent.isStatic() && step.extent.getSize() > mostBlocks;
      }))
    found.push_back("tensors of so many elements");
  return found;
}

std::vector<std::string> findUnsupported(const Module &module, const GpuMachine &gpu) {
  std::set<std::string> found;
  for (const Function &function : module) {
    if (function.isDeclaration() && !function.isIntrinsic() && !function.use_empty())
      found.insert("the function " + function.getName().str());
    for (const BasicBlock &block : function)
      for (const Instruction &instruction : block) {
        if (instruction.getOpcode() == Instruction::FRem)
          found.insert("an exact remainder of " + typeName(instruction.getType()));
        if (!isOnEvery(instruction.getType()))
          found.insert("numbers of type " + typeName(instruction.getType()));
        auto *call = dyn_cast<IntrinsicInst>(&instruction);
        if (!call || call->getCalledFunction()->getName().starts_with("llvm.nvvm."))
          continue;
        bool isLacking = any_of(lacks, [&](const Lack &lack) {
          return lack.intrinsic == call->getIntrinsicID() &&
                 lack.type == call->getType()->getScalarType()->getTypeID() && gpu.getCapability() < lack.capability;
        });
        if (isLacking || !is_contained(knownIntrinsics, call->getIntrinsicID()))
          found.insert(operationName(call->getCalledFunction()->getName()));
      }
  }
  return {found.begin(), found.end()};
}

} // namespace cameo
