// Matrix products.
#include "passes/Lower/Formulas/MatrixProduct.h"
#include "passes/Lower/LoweringTable.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Onnx/OnnxOps.h"
#include "dialects/Target/TargetDialect.h"

using namespace mlir;

namespace cameo::lower {

Type sumTypeOf(Type element) {
  return element.isInteger(8) ? IntegerType::get(element.getContext(), 32) : computeType(element);
}

Value multiplyAdd(ScalarBuilder &s, Value sum, Value left, Value right, FactorSigns signs) {
  Type type = sum.getType();
  return s.add(sum, s.mul(s.convert(left, type, signs.left), s.convert(right, type, signs.right)));
}

Value convertFactor(GenericBuilder &b, Value factor, Type sum) {
  // A lowering that is only tried is not in a module.
  Operation *parent = b.getInsertionBlock()->getParentOp();
  auto module = parent ? parent->getParentOfType<ModuleOp>() : ModuleOp();
  bool isOnGpu = module && gpuOf(module);
  return isOnGpu || !isa<FloatType>(elementOf(factor)) ? factor : b.convert(factor, sum);
}

/// The loops are batch..., m, n, k. An operand of rank 1 has no m or no n.
Value multiplyMatrices(GenericBuilder &b, Value left, Value right, FactorSigns signs) {
  bool hasRows = rankOf(left) > 1, hasColumns = rankOf(right) > 1;
  Shape leftShape = shapeOf(left), rightShape = shapeOf(right);
  ShapeRef leftBatch = ShapeRef(leftShape).drop_back(hasRows ? 2 : 1),
           rightBatch = ShapeRef(rightShape).drop_back(hasColumns ? 2 : 1);
  unsigned batchRank = std::max(leftBatch.size(), rightBatch.size());
  Shape shape(batchRank, 1);
  for (ShapeRef batch : {leftBatch, rightBatch})
    for (auto [number, extent] : llvm::enumerate(batch))
      if (extent != 1)
        shape[batchRank - batch.size() + number] = extent;
  auto batchIndex = [&](ShapeRef batch) {
    Exprs index;
    for (auto [number, extent] : llvm::enumerate(batch)) {
      unsigned target = batchRank - batch.size() + number;
      index.push_back(extent == 1 && shape[target] != 1 ? b.fixed(0) : b.dim(target));
    }
    return index;
  };
  unsigned row = batchRank, column = row + hasRows, inner = column + hasColumns;
  Exprs leftIndex = batchIndex(leftBatch), rightIndex = batchIndex(rightBatch);
  if (hasRows) {
    leftIndex.push_back(b.dim(row));
    shape.push_back(leftShape[leftBatch.size()]);
  }
  leftIndex.push_back(b.dim(inner));
  rightIndex.push_back(b.dim(inner));
  if (hasColumns) {
    rightIndex.push_back(b.dim(column));
    shape.push_back(rightShape.back());
  }
  Type sumType = sumTypeOf(elementOf(left));
  if (hasColumns)
    left = convertFactor(b, left, sumType);
  Value zeros = b.filled(shape, b.getZeroAttr(sumType));
  return b
      .generic({inner, 1}, {{left, leftIndex}, {right, rightIndex}}, {{zeros, b.dims(inner)}},
               [&](ScalarBuilder &s, ValueRange x) { return Values{multiplyAdd(s, x[2], x[0], x[1], signs)}; })
      .front();
}

namespace {

Lowered lowerMatMul(onnx::MatMulOp op, Operands operands, GenericBuilder &b) {
  return one(b.convert(multiplyMatrices(b, operands[0], operands[1]), resultElement(op)));
}

Value scale(ScalarBuilder &s, Value x, double factor) {
  if (factor == 1)
    return x;
  // Integers are scaled by a number that need not be an integer.
  Type type = isa<FloatType>(x.getType()) ? x.getType() : Type(s.builder.getF64Type());
  return s.convert(s.mul(s.convert(x, type), s.number(type, factor)), x.getType());
}

Lowered lowerGemm(onnx::GemmOp op, Operands operands, GenericBuilder &b) {
  Shape shape = resultShape(op);
  Type element = resultElement(op);
  auto index = [&](bool isTransposed, unsigned outer, unsigned inner) {
    return isTransposed ? Exprs{b.dim(inner), b.dim(outer)} : Exprs{b.dim(outer), b.dim(inner)};
  };
  Value first = shape.back() == 1 ? operands[0] : convertFactor(b, operands[0], computeType(element));
  Access left{first, index(op.getTransA() != 0, 0, 2)};
  Access right{operands[1], index(op.getTransB() == 0, 1, 2)};
  Value zeros = b.filled(shape, b.getZeroAttr(computeType(element)));
  Value result = b.generic({2, 1}, {left, right}, {{zeros, b.dims(2)}}, [](ScalarBuilder &s, ValueRange x) {
                    return Values{s.add(x[2], s.mul(s.widen(x[0]), s.widen(x[1])))};
                  }).front();
  double alpha = op.getAlpha(), beta = op.getBeta();
  Value addend = operands.size() > 2 && beta != 0 ? operands[2] : Value();
  if (!addend && alpha == 1)
    return one(b.convert(result, element));
  SmallVector<Value> inputs = {result};
  if (addend)
    inputs.push_back(addend);
  return one(b.elementwise(shape, element, inputs, [&](ScalarBuilder &s, ValueRange x) {
    Value product = scale(s, x[0], alpha);
    return addend ? s.add(product, scale(s, x[1], beta)) : product;
  }));
}

} // namespace

void addMatMuls(LoweringTable &table) {
  table.add(lowerMatMul);
  table.add(lowerGemm);
}

} // namespace cameo::lower
