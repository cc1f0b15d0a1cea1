// --emit-row-kernels: replaces task.write_rows by dispatches of GPU kernels, which read the positions on the device.
#include "dialects/Dim/DimDialect.h"
#include "dialects/Task/NodeNames.h"
#include "dialects/Task/TaskDialect.h"
#include "passes/Memory/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace cameo {
#define GEN_PASS_DEF_EMITROWKERNELSPASS
#include "passes/Memory/Passes.h.inc"
namespace {

constexpr int64_t threads = 128; ///< per block

/// The extents of task.write_rows, in the order of the attribute.
enum Extent : unsigned { Entries, Slices, Capacity, Rows, Elements };

/// Builds the body of a kernel at its insertion point.
class BodyBuilder : public ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  /// `buffers` are those of task.write_rows: the new rows, the cache and the positions.
  void build(ArrayAttr extents, ValueRange buffers, Value block);

private:
  template <typename Op> Value binary(Value left, Value right) { return Op::create(*this, left, right); }
  Value add(Value left, Value right) { return binary<arith::AddIOp>(left, right); }
  Value mul(Value left, Value right) { return binary<arith::MulIOp>(left, right); }
  Value div(Value left, Value right) { return binary<arith::DivUIOp>(left, right); }
  Value rem(Value left, Value right) { return binary<arith::RemUIOp>(left, right); }
  Value sizeOf(Attribute size);
  /// Continues where `index` is in [0, `size`).
  void enterIfBelow(Value index, Value size);
};

Value BodyBuilder::sizeOf(Attribute size) {
  Dim dim = readSize(size);
  if (dim.isStatic())
    return arith::ConstantIndexOp::create(*this, dim.getSize());
  return task::SizeOp::create(*this, getIndexType(), dim.getExpr());
}

/// Compares unsigned numbers, where a negative index is behind the end.
void BodyBuilder::enterIfBelow(Value index, Value size) {
  Value isBelow = arith::CmpIOp::create(*this, arith::CmpIPredicate::ult, index, size);
  setInsertionPointToStart(scf::IfOp::create(*this, isBelow, /*withElseRegion=*/false).thenBlock());
}

/// The thread stores one element if its row is inside of the cache. A position beyond 64 bits wraps to a negative one,
/// which is outside, too.
void BodyBuilder::build(ArrayAttr extents, ValueRange buffers, Value block) {
  Value source = buffers[0], target = buffers[1], places = buffers[2];
  SmallVector<Value> sizes = llvm::map_to_vector(extents, [&](Attribute extent) { return sizeOf(extent); });
  Value thread = gpu::ThreadIdOp::create(*this, gpu::Dimension::x);
  Value number = add(mul(block, arith::ConstantIndexOp::create(*this, threads)), thread);
  enterIfBelow(number, mul(mul(sizes[Entries], sizes[Slices]), mul(sizes[Rows], sizes[Elements])));
  Value column = rem(number, sizes[Elements]), line = div(number, sizes[Elements]);
  Value row = rem(line, sizes[Rows]), slice = div(line, sizes[Rows]);
  Value place = memref::LoadOp::create(*this, places, div(slice, sizes[Slices]));
  Value at = add(arith::IndexCastOp::create(*this, getIndexType(), place), row);
  enterIfBelow(at, sizes[Capacity]);
  Value element = memref::LoadOp::create(*this, source, number);
  memref::StoreOp::create(*this, element, target,
                          add(mul(add(mul(slice, sizes[Capacity]), at), sizes[Elements]), column));
}

class RowKernelEmitter {
public:
  explicit RowKernelEmitter(ModuleOp module)
      : symbols(module), builder(module.getContext()), taskCount(llvm::range_size(module.getOps<task::InfoOp>())) {}

  /// Replaces `write` by a dispatch with one thread for each element.
  void replace(task::WriteRowsOp write);

private:
  /// A kernel and the number of its task, for profiles.
  struct RowKernel {
    func::FuncOp function;
    int64_t task;
  };
  func::FuncOp create(task::WriteRowsOp write);
  int64_t describe(task::WriteRowsOp write, const Dim &elements);

  SymbolTable symbols;
  OpBuilder builder;
  int64_t taskCount;
  llvm::DenseMap<std::pair<Attribute, Attribute>, RowKernel> kernels; ///< by types and extents
};

func::FuncOp RowKernelEmitter::create(task::WriteRowsOp write) {
  SmallVector<Type> types(write->getOperandTypes());
  types.push_back(builder.getIndexType());
  builder.clearInsertionPoint();
  auto kernel =
      func::FuncOp::create(builder, write.getLoc(), "write_rows.k0", builder.getFunctionType(types, TypeRange()));
  kernel.setPrivate();
  kernel->setAttr(task::TaskDialect::getBlockName(), task::BlockAttr::get(builder.getContext(), threads));
  symbols.insert(kernel);
  builder.setInsertionPointToStart(kernel.addEntryBlock());
  auto end = func::ReturnOp::create(builder, write.getLoc());
  ValueRange arguments = kernel.getArguments();
  BodyBuilder body(write.getLoc(), OpBuilder(end));
  body.build(write.getExtents(), arguments.drop_back(), arguments.back());
  return kernel;
}

/// Returns the number of a new task that is this write. It reads and writes the new rows once.
int64_t RowKernelEmitter::describe(task::WriteRowsOp write, const Dim &elements) {
  int64_t bytes = task::getElementBytes(getElementTypeOrSelf(write.getSource().getType()));
  std::string name = task::nodeNames(write.getLoc());
  builder.setInsertionPointToEnd(cast<ModuleOp>(symbols.getOp()).getBody());
  task::InfoOp::create(
      builder, write.getLoc(), builder.getI64IntegerAttr(taskCount),
      builder.getStringAttr(name.empty() ? "write_rows" : name), builder.getStringAttr("write_rows"),
      builder.getF64FloatAttr(0),
      builder.getF64FloatAttr(elements.isStatic() ? 2.0 * static_cast<double>(elements.getSize() * bytes) : -1),
      builder.getStringAttr("new rows of a cache, one thread per element"));
  return taskCount++;
}

void RowKernelEmitter::replace(task::WriteRowsOp write) {
  Dim elements = 1;
  for (Extent extent : {Entries, Slices, Rows, Elements})
    elements = mulDims(elements, readSize(write.getExtents()[extent]));
  RowKernel &kernel = kernels[{builder.getTypeArrayAttr(write->getOperandTypes()), write.getExtents()}];
  if (!kernel.function)
    kernel = {create(write), describe(write, elements)};
  builder.setInsertionPoint(write);
  auto dispatch = task::DispatchOp::create(builder, write.getLoc(), kernel.function.getSymName(), write->getOperands(),
                                           /*extent=*/1);
  dispatch.setTaskIndex(kernel.task);
  dispatch->setAttr(task::TaskDialect::getBeginName(), builder.getUnitAttr());
  dispatch.setExtentAttr(makeSize((elements + (threads - 1)) / threads, builder.getContext()));
  write.erase();
}

struct EmitRowKernels : impl::EmitRowKernelsPassBase<EmitRowKernels> {
  void runOnOperation() override {
    RowKernelEmitter emitter(getOperation());
    SmallVector<task::WriteRowsOp> writes;
    getOperation().walk([&](task::WriteRowsOp write) { writes.push_back(write); });
    for (task::WriteRowsOp write : writes)
      emitter.replace(write);
  }
};

} // namespace
} // namespace cameo
