// The reach of addresses over a nest, compared with the enumeration of all values.
#include "passes/Schedule/Nests/LoopNest.h"
#include "dialects/Dim/DimLimits.h"

#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

using namespace cameo::schedule;
using cameo::Dim;

namespace {

class LoopNestTest : public testing::Test {
protected:
  LoopNestTest() : nest(mlir::UnknownLoc::get(&context)) { context.loadDialect<cameo::DimDialect>(); }

  static LinearForm form(std::initializer_list<Size> strides, Size constant) {
    LinearForm form(strides.size());
    form.coefficients.assign(strides);
    form.constant = constant;
    return form;
  }

  /// Returns the minimum and the maximum of `form` over all points of the dimensions in `along`, a bit mask.
  Reach<int64_t> enumerated(const LinearForm &form, uint64_t along, unsigned dim = 0) const {
    if (dim == nest.dims.size())
      return {form.constant, form.constant};
    std::optional<Reach<int64_t>> all;
    for (int64_t index = 0; index < ((along >> dim) & 1 ? int64_t(nest.dims[dim].extent) : 1); ++index) {
      LinearForm moved = form;
      moved.constant += index * form.coefficients[dim];
      Reach<int64_t> part = enumerated(moved, along, dim + 1);
      all = all ? Reach<int64_t>{std::min(all->least, part.least), std::max(all->greatest, part.greatest)} : part;
    }
    return *all;
  }

  mlir::MLIRContext context;
  LoopNest nest;
};

TEST_F(LoopNestTest, ReachesAsFarAsAllPointsTogether) {
  nest.dims = {{4, false}, {3, false}, {1, false}, {5, true}};
  for (const LinearForm &address :
       {form({15, 5, 0, 1}, 0), form({2, -7, 3, 1}, 11), form({-1, -1, -1, -1}, -2), form({0, 0, 0, 0}, 6)})
    for (uint64_t along = 0; along < 16; ++along) {
      Reach<int64_t> expected = enumerated(address, along);
      auto found = nest.reach<int64_t>(address, along);
      EXPECT_EQ(found.least, expected.least);
      EXPECT_EQ(found.greatest, expected.greatest);
      EXPECT_EQ(static_cast<int64_t>(nest.reach<double>(address, along).count()),
                expected.greatest - expected.least + 1);
    }
}

TEST_F(LoopNestTest, ReachIsExactForSizesOfTheRun) {
  Size rows(Dim::named(mlir::StringAttr::get(&context, "rows"))),
      columns(Dim::named(mlir::StringAttr::get(&context, "columns")));
  nest.dims = {{rows, false}, {columns, true}};
  LinearForm address = form({columns, 1}, 3);
  auto exact = nest.reach<Size>(address);
  EXPECT_EQ(exact.least, Size(3));
  EXPECT_EQ(exact.count(), rows * columns);
  auto estimate = nest.reach<int64_t>(address);
  EXPECT_EQ(estimate.greatest, 3 + cameo::estimatedSize * cameo::estimatedSize - 1);
}

} // namespace
