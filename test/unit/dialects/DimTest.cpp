#include "dialects/Dim/DimDialect.h"
#include "dialects/Dim/DimLimits.h"
#include "dialects/Dim/DimReal.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace mlir;
using namespace cameo;

namespace {

class DimTest : public testing::Test {
protected:
  DimTest() {
    context.loadDialect<DimDialect>();
    n = parse("n");
    m = parse("m");
  }

  Dim parse(StringRef text) { return *parseDim(text, &context); }

  MLIRContext context;
  Dim n, m;
};

TEST_F(DimTest, EqualSizesAreOneAttribute) {
  EXPECT_EQ((n + m + 1).getExpr(), (Dim(1) + m + n).getExpr());
  EXPECT_EQ((n + m) * (n - m), n * n - m * m);
  EXPECT_EQ(parse("m*n + 1"), n * m + 1);
  EXPECT_EQ(n - n, Dim(0));
  EXPECT_NE(n, m);
  EXPECT_FALSE(Dim::unknown().equals(Dim::unknown()));
}

TEST_F(DimTest, TextIsReadAsItIsWritten) {
  for (StringRef text : {"n", "2*m*n + 3*n - 4", "floor((n + 1)/2)", "floor((8)/(m*n))", "min(8 - n, 0) + n", "0 - n",
                         "2*floor(float(n + 1)*1.3) + 1", "floor((float(floor((n)/14)) + 0.1)/7)",
                         "floor(double(n)*0.123456789) + floor(float(n)*(float(m)/float(n)))"})
    EXPECT_EQ(parse(text).getText(), text);
  EXPECT_EQ(Dim(-3).getText(), "-3");
  EXPECT_EQ(Dim::unknown().getText(), "?");
  EXPECT_EQ(parse("2 + 2"), Dim(4));
  EXPECT_FALSE(parseDim("n*", &context));
  EXPECT_FALSE(parseDim("9223372036854775807*n + 9223372036854775807*n", &context));
}

TEST_F(DimTest, TextGrowsWithTheDepthOfQuotients) {
  Dim size = n;
  for (int level = 0; level < 40; ++level)
    size = floorDivDim(size - 1, 2) + 1;
  EXPECT_LT(size.getText().size(), 1000u);
  EXPECT_EQ(parse(size.getText()), size);
}

TEST_F(DimTest, OrderIsThatOfTheText) {
  // Sums are written in the order of their atoms. These atoms differ late in their texts.
  for (StringRef text : {"floor((0 - n)/3) + floor((2*n)/3) + floor((n + 1)/3) + floor((n - 1)/3) + floor((n)/3)",
                         "floor((n)/(m)) + floor((n)/10) + floor((n)/9) + min(n - 1, 0) + n",
                         "floor((floor((n)/2) + 1)/2) + floor((floor((n)/2) + 2)/2)"})
    EXPECT_EQ(parse(text).getText(), text);
}

TEST_F(DimTest, DeepQuotientsAreComparedInNoTime) {
  Dim height = n, width = m;
  for (int level = 0; level < 300; ++level) {
    height = floorDivDim(height - 1, 2) + 1;
    width = floorDivDim(width - 1, 2) + 1;
    EXPECT_EQ(height * width, width * height);
  }
}

TEST_F(DimTest, WhatDoublesAtEachStepEndsUnknown) {
  Dim size = n;
  for (int step = 0; step < 60; ++step)
    size = maxDims(floorDivDim(size, 3), size - 5);
  EXPECT_TRUE(size.isUnknown());
}

TEST_F(DimTest, PowersOfPowersEndUnknown) {
  Dim size = n;
  for (int step = 0; step < 60; ++step)
    size = size * size;
  EXPECT_TRUE(size.isUnknown());
}

TEST_F(DimTest, WhatIsTooLongIsSeen) {
  DimLengthWatch outer;
  {
    DimLengthWatch inner;
    Dim size = n;
    for (int step = 0; step < 60; ++step)
      size = maxDims(floorDivDim(size, 3), size - 5);
    EXPECT_TRUE(inner.hasSeenTooLong());
  }
  EXPECT_TRUE(outer.hasSeenTooLong());
  DimLengthWatch other;
  EXPECT_TRUE((n + Dim::unknown()).isUnknown());
  EXPECT_FALSE(other.hasSeenTooLong());
}

TEST_F(DimTest, NamesAreThoseOfTheModelAlone) {
  EXPECT_EQ(n.getName().getValue(), "n");
  EXPECT_FALSE((n * 2).getName());
  EXPECT_FALSE((n + 1).getName());
  EXPECT_FALSE(floorDivDim(n, 2).getName());
  EXPECT_FALSE(Dim(4).getName());
  EXPECT_TRUE(Dim::named(StringAttr::get(&context, "")).isUnknown());
  llvm::SetVector<StringAttr> names;
  collectNames(parse("floor((b)/(c)) + floor(float(d)*0.7) + min(a, 0)"), names);
  EXPECT_EQ(names.size(), 4u);
}

TEST_F(DimTest, WhatDoesNotFitIsUnknown) {
  Dim most(std::numeric_limits<int64_t>::max());
  EXPECT_TRUE((most + 1).isUnknown());
  EXPECT_TRUE((n * most * 2).isUnknown());
  EXPECT_EQ(Dim(0) * Dim::unknown(), Dim(0));
  EXPECT_TRUE((n + Dim::unknown()).isUnknown());
}

TEST_F(DimTest, QuotientsAreRoundedTowardsMinusInfinity) {
  EXPECT_EQ(floorDivDim(-3, 2), Dim(-2));
  EXPECT_EQ(floorDivDim(n * 4 + 1, 2), n * 2);
  EXPECT_EQ(floorDivDim(n * 4 - 1, 2), n * 2 - 1);
  EXPECT_EQ(floorDivDim(n, 2).getText(), "floor((n)/2)");
  // There is one normal form, so that sizes that are computed in different ways are equal.
  EXPECT_EQ(floorDivDim(n * 2 + m, 2), n + floorDivDim(m, 2));
  EXPECT_EQ(floorDivDim(n - 7, 4) + 3, floorDivDim(n + 1, 4) + 1);
  EXPECT_EQ(floorDivDim(n - m - 1, 4) + 1, floorDivDim(n - m + 3, 4));
  EXPECT_EQ(floorDivDim(Dim(0) - n, 4).getText(), "0 - floor((n + 3)/4)");
  EXPECT_EQ(floorDivDim(Dim(5) - n * 3 - m, 2), Dim(2) - floorDivDim(n * 3 + m, 2));
  auto remainder = [](const Dim &dim) { return dim - floorDivDim(dim, 8) * 8; };
  EXPECT_EQ(n + remainder(Dim(8) - remainder(n)), floorDivDim(n + 7, 8) * 8); // padded to a multiple
  for (int64_t a : {-2, -1, 1, 3, 8})
    for (int64_t b : {-3, 0, 4, 6})
      for (int64_t number : {-9, -1, 0, 5, 12})
        for (int64_t size = 0; size < 5; ++size) {
          Dim dim = n * a + m * b + number;
          EXPECT_EQ(fixSizes(floorDivDim(dim, 4), {{"n", size}, {"m", 3}}),
                    floorDivDim(fixSizes(dim, {{"n", size}, {"m", 3}}), 4))
              << dim.getText();
        }
  EXPECT_EQ(exactDivDims(n * m + n, n), m + 1);
  EXPECT_TRUE(exactDivDims(n + 1, m).isUnknown());
  EXPECT_EQ(exactDivDims((n - m + 1) * (m - n * n + 1) * m, (n - m + 1) * (m - n * n + 1)), m);
  EXPECT_EQ(exactDivDims(n * 2, Dim(0) - n), Dim(-2));
  EXPECT_TRUE(exactDivDims(n, Dim(0)).isUnknown());
  EXPECT_EQ(floorDivDims(n * m * 4 + n, n * 2), floorDivDim(m * 4 + 1, 2));
  EXPECT_TRUE(floorDivDims(n - 1, m).isUnknown()); // may be negative
}

TEST_F(DimTest, TheLesserOfTwoHasOneSpelling) {
  EXPECT_EQ(minDims(n, n + 1), n);
  EXPECT_EQ(minDims(n, m), minDims(m, n));
  EXPECT_EQ(minDims(n, 8), minDims(8, n));
  EXPECT_EQ(minDims(n, m) + maxDims(n, m), n + m);
  EXPECT_TRUE(isNeverNegative(n * m + 2));
  EXPECT_FALSE(isNeverNegative(n - 1));
  EXPECT_FALSE(isNeverNegative(Dim::unknown()));
  EXPECT_TRUE(isNeverNegative(minDims(n, m)));
  EXPECT_FALSE(isNeverNegative(minDims(n, m - 1)));
  EXPECT_TRUE(isNeverNegative(maxDims(n - 4, m) * m + maxDims(n - 5, 0)));
  EXPECT_FALSE(isNeverNegative(maxDims(n - 4, m - n) - 1));
  EXPECT_TRUE(isNeverNegative((n + 7) / 8 * 8 - n));
  EXPECT_FALSE(isNeverNegative((n + 6) / 8 * 8 - n));
  EXPECT_TRUE(isNeverNegative(n - n / 8 * 8));
  EXPECT_FALSE(isNeverNegative(n - n / 8 * 16));
  EXPECT_TRUE(isNeverNegative(n - n / 2 - n / 3));
  EXPECT_EQ(maxDims(maxDims(n, 1), 1), maxDims(n, 1));
  EXPECT_EQ(minDims(maxDims(n, m), m), m);
}

TEST_F(DimTest, RealsAreRoundedAsTheirTypeIs) {
  FloatType f32 = Float32Type::get(&context), f64 = Float64Type::get(&context);
  for (float scale :
       {0.7f, 1.3f, 0.6666667f, 1.0714285f, 2.3333333f, 0.1f, 0.29f, 1.1f, 3.7f, 0.9f, 0.33333334f, 0.5f}) {
    Dim scaled = floorReal(computeReal(DimRealKind::Mul, makeReal(n, f32), makeReal(double(scale), f32)));
    for (int64_t size = 1; size <= 4096; ++size) {
      volatile float product = static_cast<float>(size) * scale;
      ASSERT_EQ(fixSizes(scaled, {{"n", size}}), Dim(int64_t(std::floor(product)))) << scale << " " << size;
    }
  }
  auto scale = [&](FloatType type) {
    return floorReal(computeReal(DimRealKind::Mul, makeReal(n, type), makeReal(1.3, type)));
  };
  EXPECT_EQ(fixSizes(scale(f32), {{"n", 90}}), Dim(116));
  EXPECT_EQ(fixSizes(scale(f64), {{"n", 90}}), Dim(117));
}

TEST_F(DimTest, RealsThatAreWholeAreSizes) {
  FloatType f32 = Float32Type::get(&context);
  Attribute real = makeReal(n, f32), half = makeReal(0.5, f32), two = makeReal(2.0, f32);
  EXPECT_EQ(floorReal(computeReal(DimRealKind::Mul, half, real)), floorDivDim(n, 2));
  EXPECT_EQ(floorReal(computeReal(DimRealKind::Div, real, two)), floorDivDim(n, 2));
  EXPECT_EQ(ceilReal(computeReal(DimRealKind::Div, real, two)), Dim(0) - floorDivDim(Dim(0) - n, 2));
  EXPECT_EQ(floorReal(computeReal(DimRealKind::Div, real, makeReal(m, f32))), floorDivDims(n, m));
  EXPECT_EQ(truncReal(computeReal(DimRealKind::Add, computeReal(DimRealKind::Mul, real, two), makeReal(1.0, f32))),
            n * 2 + 1);
  EXPECT_TRUE(truncReal(computeReal(DimRealKind::Mul, makeReal(n - 1, f32), makeReal(0.7, f32))).isUnknown());
  EXPECT_FALSE(makeReal(1e300, f32));
}

TEST_F(DimTest, RealsAreRoundedHalfToEven) {
  FloatType f32 = Float32Type::get(&context);
  Dim half = roundReal(computeReal(DimRealKind::Mul, makeReal(n, f32), makeReal(0.5, f32)));
  for (auto [size, rounded] : {std::pair(1, 0), {2, 1}, {3, 2}, {5, 2}, {7, 4}})
    EXPECT_EQ(fixSizes(half, {{"n", size}}), Dim(rounded)) << size;
  EXPECT_EQ(roundReal(makeReal(2.5, f32)), Dim(2));
  EXPECT_EQ(roundReal(makeReal(n, f32)), n);
  EXPECT_TRUE(roundReal({}).isUnknown());
}

TEST_F(DimTest, RealsHaveTheLesserAndTheGreaterOfTwo) {
  FloatType f32 = Float32Type::get(&context);
  Attribute a = makeReal(n, f32), b = makeReal(m, f32), side = makeReal(64.0, f32);
  EXPECT_EQ(floorReal(computeReal(DimRealKind::Min, a, b)), minDims(n, m));
  EXPECT_EQ(floorReal(computeReal(DimRealKind::Max, a, side)), maxDims(n, 64));
  Attribute scale =
      computeReal(DimRealKind::Min, computeReal(DimRealKind::Div, side, a), computeReal(DimRealKind::Div, side, b));
  Dim inside = roundReal(computeReal(DimRealKind::Mul, a, scale));
  EXPECT_EQ(fixSizes(inside, {{"n", 90}, {"m", 60}}), Dim(64));
  EXPECT_EQ(fixSizes(inside, {{"n", 50}, {"m", 60}}), Dim(53));
  EXPECT_EQ(parse(inside.getText()), inside);
  EXPECT_TRUE(isNeverNegative(inside));
  EXPECT_TRUE(isNeverNegative(parse("floor(max((float(n)*0.7) - 1, 0))")));
  EXPECT_FALSE(isNeverNegative(parse("floor(min((float(n)*0.7) - 1, 8))")));
  EXPECT_TRUE(std::isnan(computeReal(DimRealKind::Min, 1.0, std::nan(""))));
  EXPECT_TRUE(std::isnan(computeReal(DimRealKind::Max, std::nan(""), 1.0)));
}

TEST_F(DimTest, RealsGrowWithTheirSizes) {
  DimBounds bounds = {{n.getName(), 10}};
  EXPECT_EQ(upperBound(parse("floor(float(n)*0.7)"), bounds), Dim(7));
  EXPECT_EQ(upperBound(parse("floor(float(m)*0.7)"), bounds), parse("floor(float(m)*0.7)"));
  EXPECT_TRUE(upperBound(parse("floor(0.7/float(n))"), bounds).isUnknown());
  EXPECT_EQ(upperBound(parse("floor(round(min(float(n)*0.75, 9.5)))"), bounds), Dim(8));
  EXPECT_TRUE(isNeverNegative(parse("floor(float(n)*0.7)")));
  EXPECT_FALSE(isNeverNegative(parse("floor((float(n)*0.7) - 1)")));
  EXPECT_EQ(estimateDim(parse("floor(float(n)*0.7)"), 20), 14);
}

TEST_F(DimTest, BoundsHoldForAllSizesUpToThem) {
  DimBounds bounds = {{n.getName(), 8}};
  EXPECT_EQ(upperBound(n * 2 + 1, bounds), Dim(17));
  EXPECT_EQ(upperBound(m - n, bounds), m);
  EXPECT_EQ(upperBound(minDims(n, 3), bounds), Dim(3));
  EXPECT_EQ(upperBound(floorDivDims(m, n), bounds), m);
}

TEST_F(DimTest, NamesGetValues) {
  EXPECT_EQ(fixSizes(parse("floor((n)/(m)) + min(3 - n, 0)"), {{"n", 7}, {"m", 2}}), Dim(-1));
  EXPECT_EQ(fixSizes(n * m, {{"n", 7}}), m * 7);
  EXPECT_EQ(replaceNames(n * 2, [&](StringAttr) { return m + 1; }), m * 2 + 2);
  EXPECT_TRUE(fixSizes(parse("floor((n)/(m))"), {{"m", 0}}).isUnknown());
  EXPECT_EQ(estimateDim(parse("2*n + floor((n)/3)"), 10), 23);
}

TEST_F(DimTest, SizesOfOperationsAreNumbersOrExpressions) {
  EXPECT_EQ(readSize(makeSize(n + 1, &context)), n + 1);
  EXPECT_EQ(readSize(makeSize(5, &context)), Dim(5));
  EXPECT_TRUE(readSize({}).isUnknown());
  EXPECT_FALSE(isSize(StringAttr::get(&context, "n")));
}

} // namespace
