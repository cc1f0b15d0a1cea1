// Models of all kinds through their C++ headers (test/integration/callers/caller_models.py). Compiled as C++17, 20 and
// 23, without exceptions and RTTI.
#include "fixed.hpp"
#include "found.hpp"
#include "labels.hpp"
#include "open.hpp"
#include "types.hpp"
#include "weighted.hpp"
#include "wide.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>

// Constants are constants of the language.
static_assert(fixed_model::input_x::rank == 2 && fixed_model::input_x::shape[0] == 2 &&
              fixed_model::input_x::shape[1] == 3);
static_assert(fixed_model::input_x::elements == 6 && fixed_model::output_best::elements == 2);
static_assert(std::is_same<fixed_model::input_x::element, float>::value &&
              std::is_same<fixed_model::output_best::element, std::int64_t>::value);
static_assert(fixed_model::output_best::type == CAMEO_INT64 && types_model::output_z::type == CAMEO_BFLOAT16);
static_assert(open_model::input_x::shape[0] == cameo::open_size && open_model::input_x::shape[1] == 3);
static_assert(open_model::input_x::elements == cameo::open_elements);
static_assert(labels_model::output_kept::elements == 5 && labels_model::output_kept::shape[0] == cameo::open_size);
static_assert(types_model::input_flag::rank == 0 && types_model::input_flag::elements == 1 &&
              types_model::input_none::elements == 0);
static_assert(std::is_nothrow_move_constructible<fixed_model>::value &&
              std::is_nothrow_move_assignable<fixed_model>::value);
static_assert(!std::is_copy_constructible<fixed_model>::value && !std::is_copy_assignable<fixed_model>::value);

// Whoever allocates while a model runs ends the program.
static bool mayAllocate = true;

static int failures = 0;
static void check(bool holds, const char *what, int line) {
  if (holds)
    return;
  std::printf("line %d: expected %s\n", line, what);
  ++failures;
}
#define CHECK(condition) check(condition, #condition, __LINE__)

static void *allocate(std::size_t bytes, std::size_t alignment) {
  CHECK(mayAllocate);
  return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}
void *operator new(std::size_t bytes) { return allocate(bytes, alignof(std::max_align_t)); }
void *operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t &) noexcept {
  return allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void *memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

static void testFixed() {
  const float x[] = {1, -2, 3, -4, 5, 6}, b[] = {0.5f, 1, -4};
  std::array<float, fixed_model::output_y::elements> y{};
  std::array<std::int64_t, 2> best{};
  fixed_model model;
  const fixed_model::inputs inputs = {x, b};
  fixed_model::outputs outputs = {y, best};
  CHECK(model.run(inputs, outputs) == CAMEO_INVALID_ARGUMENT); // no memory yet
  CHECK(model.prepare() == CAMEO_OK);
  mayAllocate = false;
  CHECK(model.run(inputs, outputs) == CAMEO_OK);
  mayAllocate = true;
  for (int i = 0; i < 6; ++i)
    CHECK(y[i] == (x[i] + b[i % 3] > 0 ? x[i] + b[i % 3] : 0));
  CHECK(best[0] == 0 && best[1] == 1);
  // Moved, the memory goes along.
  fixed_model other = std::move(model);
  y = {};
  CHECK(other.run(inputs, outputs) == CAMEO_OK && y[0] == 1.5f);
  CHECK(model.run(inputs, outputs) == CAMEO_INVALID_ARGUMENT);
  // Too few elements, and too many.
  fixed_model::inputs shorter = {cameo::span<const float>(x, 5), b}, longer = {x, x};
  CHECK(other.run(shorter, outputs) == CAMEO_INVALID_ARGUMENT && other.run(longer, outputs) == CAMEO_INVALID_ARGUMENT);
  fixed_model::outputs small = {y, cameo::span<std::int64_t>(best.data(), 1)};
  CHECK(other.run(inputs, small) == CAMEO_INVALID_ARGUMENT);
  // Memory of the caller.
  alignas(CAMEO_ALIGNMENT) static unsigned char memory[FIXED_WORKSPACE_BYTES];
  fixed_model borrowing(cameo::workspace::borrow(memory, sizeof memory));
  CHECK(borrowing.prepare() == CAMEO_OK && borrowing.run(inputs, outputs) == CAMEO_OK);
  CHECK(std::strcmp(fixed_model::description().name, "fixed") == 0);
}

/// Calls pieces from this thread, so that the test needs no other.
struct Executor {
  int calls = 0;
  template <typename Piece> void operator()(std::int64_t extent, Piece piece) {
    ++calls;
    piece(extent / 2, extent);
    piece(0, extent / 2);
  }
};

static void testThreads() {
  constexpr int size = 128;
  static float x[size * size], z[size * size], y[size * size];
  for (int i = 0; i < size * size; ++i)
    x[i] = z[i] = static_cast<float>(i % 5);
  cameo::thread_pool pool;
  CHECK(pool.start(-1) == CAMEO_INVALID_ARGUMENT && pool.size() == 1);
  CHECK(pool.start(2) == CAMEO_OK && pool.size() == 2);
  Executor executor;
  const cameo_context contexts[] = {cameo::make_context(pool), cameo::make_context(executor, 2)};
  wide_model model;
  wide_model::outputs outputs = {y};
  CHECK(model.prepare() == CAMEO_OK);
  for (const cameo_context &context : contexts) {
    std::memset(y, 0x55, sizeof y);
    mayAllocate = false;
    CHECK(model.run({x, z}, outputs, &context) == CAMEO_OK);
    mayAllocate = true;
    for (int at : {0, 129, size * size - 1}) {
      float sum = 0;
      for (int k = 0; k < size; ++k)
        sum += x[at / size * size + k] * z[k * size + at % size];
      CHECK(y[at] == sum);
    }
  }
  CHECK(executor.calls > 0);
}

static void testOpen() {
  // A model for several processors.
  CHECK(open_model::cpu() != nullptr && std::strstr(open_model::description().target, open_model::cpu()) != nullptr);
  constexpr int most = 2000;
  static float x[most * 3], z[most * 3], scale[most], y[2 * most * 3], scaled[most * 3];
  for (int i = 0; i < most * 3; ++i) {
    x[i] = static_cast<float>(i);
    z[i] = static_cast<float>(-i);
    scale[i / 3] = static_cast<float>(i / 3 % 7);
  }
  open_model model;
  CHECK(model.prepare({most, most}) == CAMEO_OK);
  CHECK(model.prepare({-1, 3}) == CAMEO_INVALID_ARGUMENT);
  for (open_model::dims dims : {open_model::dims{1, 1}, {0, 4}, {most, 17}}) {
    const auto n = static_cast<std::size_t>(dims.n), m = static_cast<std::size_t>(dims.m);
    const open_model::inputs inputs = {{x, 3 * n}, {z, 3 * m}, {scale, n}};
    open_model::outputs outputs = {y, scaled};
    mayAllocate = false;
    CHECK(model.run(inputs, outputs, dims) == CAMEO_OK);
    mayAllocate = true;
    CHECK(std::memcmp(y, x, 12 * n) == 0 && std::memcmp(y + 3 * n, z, 12 * m) == 0);
    for (std::size_t i = 0; i < 3 * n; ++i)
      CHECK(scaled[i] == x[i] * scale[i / 3]);
    CHECK(open_model::output_y::shape_of(dims)[0] == dims.n + dims.m &&
          open_model::output_y::elements_of(dims) == 3 * (n + m));
    CHECK(model.run(inputs, outputs, {dims.n + 1, dims.m}) == CAMEO_INVALID_ARGUMENT);
  }
  CHECK(open_model::output_y::shape_of({-1, 1})[0] == cameo::open_size &&
        open_model::output_y::elements_of({-1, 1}) == UINT64_MAX);
}

static void testFound() {
  const float x[] = {0, 2, 0, 0, 0, 5};
  std::int64_t places[12];
  float y[6];
  found_model model;
  const found_model::dims dims = {2, 3};
  CHECK(model.prepare(dims) == CAMEO_OK);
  found_model::outputs outputs{};
  outputs.places = places;
  outputs.y = y;
  CHECK(model.run({x}, outputs, dims) == CAMEO_OK);
  CHECK(outputs.places_shape[0] == 2 && outputs.places_shape[1] == 2);
  CHECK(places[0] == 0 && places[1] == 1 && places[2] == 1 && places[3] == 2 && y[5] == -5);
}

static void testStrings() {
  const char *words[] = {"The", "Cat", "a", "Dog"}, *kept[5], *labelled[8];
  const float numbers[] = {0.5f, 3};
  std::uint8_t known[4];
  static char memory[4096];
  labels_model model;
  CHECK(model.prepare() == CAMEO_OK);
  labels_model::outputs outputs{};
  outputs.kept = kept;
  outputs.labelled = labelled;
  outputs.known = known;
  CHECK(model.run({words, numbers}, outputs) == CAMEO_TEXT_AREA_FULL && outputs.text_area.used > 0);
  outputs.text_area.memory = memory;
  outputs.text_area.capacity = sizeof memory;
  CHECK(model.run({words, numbers}, outputs) == CAMEO_OK);
  CHECK(outputs.kept_shape[0] == 2 && std::strcmp(kept[0], "cat") == 0 && std::strcmp(kept[1], "dog") == 0);
  CHECK(std::strcmp(labelled[1], "Cat0.5") == 0 && std::strcmp(labelled[7], "Dog3.0") == 0 && known[1] == 1 &&
        known[0] == 0);
}

static void testTypes() {
  const float x[] = {1, -2, 0.5f, 4};
  const std::uint16_t half[] = {0x3c00, 0xc000, 0x3800, 0x4400}, brain[] = {0x3f80, 0xc000, 0x3f00, 0x4080};
  const std::uint8_t flag[] = {1};
  std::uint16_t y[4], z[4];
  float w[4];
  std::uint8_t other[1];
  types_model model;
  CHECK(model.prepare() == CAMEO_OK);
  types_model::inputs inputs{};
  inputs.x = x;
  inputs.half = half;
  inputs.brain = brain;
  inputs.flag = flag;
  types_model::outputs outputs{};
  outputs.y = y;
  outputs.z = z;
  outputs.w = w;
  outputs.other = other;
  CHECK(model.run(inputs, outputs) == CAMEO_OK);
  CHECK(std::memcmp(y, half, sizeof y) == 0 && std::memcmp(z, brain, sizeof z) == 0 && w[3] == 8 && other[0] == 0);
}

static void testWeights(const char *file) {
  const float x[] = {1, 0, 0, 0, 0, 0, 0, 1};
  float y[8];
  weighted_model model;
  weighted_model::outputs outputs = {y};
  CHECK(model.prepare() == CAMEO_OK && model.run({x}, outputs) != CAMEO_OK);
  cameo::weights weights;
  CHECK(weights.map("no such file", weighted_model::description()) == CAMEO_IO_ERROR);
  CHECK(weights.map(file, weighted_model::description()) == CAMEO_OK);
  const cameo_context context = cameo::make_context(cameo::thread_pool(), weights.data());
  CHECK(model.run({x}, outputs, &context) == CAMEO_OK && y[0] == 1 && y[3] == 4 && y[4] == 13 && y[7] == 16);
}

int main(int argc, char **argv) {
  testFixed();
  testThreads();
  testOpen();
  testFound();
  testStrings();
  testTypes();
  if (argc > 1)
    testWeights(argv[1]);
  std::printf("%d failures\n", failures);
  return failures != 0;
}
