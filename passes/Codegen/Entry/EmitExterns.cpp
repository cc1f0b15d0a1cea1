// The struct of parameters has the layout that EmitExternHeader declares.
#include "passes/Codegen/Entry/EmitExterns.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/ExternParameter.h"
#include "runtime/include/cameo/abi.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace llvm;

namespace cameo {

static_assert(offsetof(cameo_shape, rank) == 0 && offsetof(cameo_shape, elements) == 8 &&
                  offsetof(cameo_shape, sizes) == 16,
              "the generated code lays out shapes so");

ExternEmitter::ExternEmitter(Module &module, IRBuilder<> &builder, const ModelPlan &plan, StringRef prefix,
                             SizeOf sizeOf)
    : module(module), builder(builder), plan(plan), prefix(prefix), sizeOf(std::move(sizeOf)),
      pointer(builder.getPtrTy()), i32(builder.getInt32Ty()), i64(builder.getInt64Ty()),
      shapeType(StructType::get(i64, i64, pointer)) {}

GlobalVariable *ExternEmitter::constant(Constant *value, const Twine &name) {
  auto *global = new GlobalVariable(module, value->getType(), /*isConstant=*/true, GlobalValue::PrivateLinkage, value,
                                    prefix + "." + name);
  global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return global;
}

// ---- shapes ----

Constant *ExternEmitter::constantShape(ArrayRef<Dim> dims) {
  SmallVector<Constant *> numbers;
  for (const Dim &dim : dims)
    numbers.push_back(builder.getInt64(dim.getSize()));
  Constant *list = constant(ConstantArray::get(ArrayType::get(i64, numbers.size()), numbers), "sizes");
  return constant(ConstantStruct::get(
                      shapeType, {builder.getInt64(dims.size()), builder.getInt64(productOf(dims).getSize()), list}),
                  "shape");
}

/// Stores the dynamic sizes before the call, into an array in the entry block. An alloca at the call would take new
/// stack memory in each iteration of a loop.
Value *ExternEmitter::shapeOf(ArrayRef<Dim> dims) {
  if (all_of(dims, [](const Dim &dim) { return dim.isStatic(); }))
    return constantShape(dims);
  IRBuilder<> entry(&builder.GetInsertBlock()->getParent()->getEntryBlock(),
                    builder.GetInsertBlock()->getParent()->getEntryBlock().begin());
  auto *listType = ArrayType::get(i64, dims.size());
  Value *list = entry.CreateAlloca(listType), *shape = entry.CreateAlloca(shapeType);
  for (auto [axis, dim] : enumerate(dims))
    builder.CreateStore(sizeOf(dim), builder.CreateConstInBoundsGEP2_64(listType, list, 0, axis));
  for (auto [field, value] :
       enumerate(std::initializer_list<Value *>{builder.getInt64(dims.size()), sizeOf(productOf(dims)), list}))
    builder.CreateStore(value, builder.CreateStructGEP(shapeType, shape, field));
  return shape;
}

// ---- parameters ----

Constant *ExternEmitter::string(StringRef string) {
  return builder.CreateGlobalString(string, prefix + ".parameter", 0, &module);
}

void ExternEmitter::addList(ArrayRef<Constant *> elements, Type *type, SmallVectorImpl<Constant *> &fields) {
  Constant *none = ConstantPointerNull::get(cast<PointerType>(pointer));
  fields.push_back(
      elements.empty() ? none : constant(ConstantArray::get(ArrayType::get(type, elements.size()), elements), "list"));
  fields.push_back(builder.getInt64(elements.size()));
}

void ExternEmitter::addValue(mlir::Attribute value, SmallVectorImpl<Constant *> &fields) {
  Type *f32 = builder.getFloatTy();
  SmallVector<Constant *> elements;
  if (auto number = dyn_cast<mlir::FloatAttr>(value)) {
    fields.push_back(ConstantFP::get(f32, number.getValueAsDouble()));
  } else if (auto number = dyn_cast<mlir::IntegerAttr>(value)) {
    fields.push_back(builder.getInt64(number.getInt()));
  } else if (auto single = dyn_cast<mlir::StringAttr>(value)) {
    fields.push_back(string(single.getValue()));
  } else if (auto floats = dyn_cast<mlir::DenseF32ArrayAttr>(value)) {
    for (float number : floats.asArrayRef())
      elements.push_back(ConstantFP::get(f32, number));
    addList(elements, f32, fields);
  } else if (auto integers = dyn_cast<mlir::DenseI64ArrayAttr>(value)) {
    for (int64_t number : integers.asArrayRef())
      elements.push_back(builder.getInt64(number));
    addList(elements, i64, fields);
  } else {
    for (auto each : cast<mlir::ArrayAttr>(value).getAsRange<mlir::StringAttr>())
      elements.push_back(string(each.getValue()));
    addList(elements, pointer, fields);
  }
}

/// Adds the address of the elements, stored as in memory, and a shape. The function reads the elements as the type of
/// the parameter.
void ExternEmitter::addTensor(mlir::ElementsAttr tensor, SmallVectorImpl<Constant *> &fields) {
  if (auto strings = dyn_cast<mlir::DenseStringElementsAttr>(tensor)) {
    SmallVector<Constant *> elements =
        map_to_vector(strings.getValues<StringRef>(), [&](StringRef each) { return string(each); });
    fields.push_back(constant(ConstantArray::get(ArrayType::get(pointer, elements.size()), elements), "tensor"));
  } else {
    std::optional<std::vector<char>> bytes = onnx::readConstant(tensor);
    assert(bytes && "imported with its elements");
    GlobalVariable *elements = constant(ConstantDataArray::get(module.getContext(), ArrayRef(*bytes)), "tensor");
    elements->setAlignment(Align(8));
    fields.push_back(elements);
  }
  fields.push_back(
      constantShape(map_to_vector(tensor.getShapedType().getShape(), [](int64_t size) { return Dim(size); })));
}

Constant *ExternEmitter::parametersOf(const PlannedExtern &call) {
  SmallVector<Constant *> fields;
  for (const ExternParameter &parameter : call.parameters) {
    mlir::ElementsAttr tensor = onnx::getTensorParameter(parameter.value);
    if (tensor && parameter.isMissing)
      fields.append(2, ConstantPointerNull::get(cast<PointerType>(pointer)));
    else if (tensor)
      addTensor(tensor, fields);
    else
      addValue(parameter.value, fields);
    if (parameter.isOptional)
      fields.push_back(builder.getInt32(!parameter.isMissing));
  }
  return constant(ConstantStruct::getAnon(fields), "parameters");
}

// ---- the call ----

FunctionCallee ExternEmitter::declare(const PlannedExtern &signature) {
  size_t count = 2 * (signature.inputs.size() + signature.outputs.size()) + !signature.parameters.empty() + 1;
  SmallVector<Type *> types(count, pointer);
  return module.getOrInsertFunction((prefix + "_" + signature.function).str(), FunctionType::get(i32, types, false));
}

Value *ExternEmitter::call(const PlannedExtern &call, ArrayRef<Value *> buffers, Value *context) {
  const PlannedExtern &signature =
      *find_if(plan.externs, [&](const PlannedExtern &each) { return each.function == call.function; });
  Constant *none = ConstantPointerNull::get(cast<PointerType>(pointer));
  SmallVector<Value *> arguments;
  auto add = [&](ArrayRef<ExternTensor> tensors, size_t count) {
    for (size_t number = 0; number < count; ++number) {
      bool isPresent = number < tensors.size() && tensors[number].isPresent;
      arguments.push_back(isPresent ? buffers.front() : none);
      arguments.push_back(isPresent ? shapeOf(tensors[number].dims) : none);
      buffers = buffers.drop_front(isPresent);
    }
  };
  add(call.inputs, signature.inputs.size());
  add(call.outputs, signature.outputs.size());
  if (!call.parameters.empty())
    arguments.push_back(parametersOf(call));
  arguments.push_back(context);
  return builder.CreateCall(declare(signature), arguments);
}

} // namespace cameo
