// Shared part of the C++ headers of models (cameo compile --cpp-header): spans, owners of the workspace, threads and
// weights, and the constants of a tensor. C++17 without exceptions and RTTI. A thin layer over runtime.h, which states
// statuses, units and thread safety. Owners can be moved, not copied.
#ifndef CAMEO_MODEL_HPP
#define CAMEO_MODEL_HPP

#include "cameo/runtime.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>
#if __cplusplus >= 202002L
#include <span>
#endif

namespace cameo {

// ---- spans --------------------------------------------------------------------------------------------------------

#if __cplusplus >= 202002L
template <typename Element> using span = std::span<Element>;
#else
/// The part of std::span (C++20) that is needed here.
template <typename Element> class span {
public:
  constexpr span() noexcept = default;
  constexpr span(Element *data, std::size_t size) noexcept : first(data), count(size) {}
  template <std::size_t Size> constexpr span(Element (&array)[Size]) noexcept : first(array), count(Size) {}
  /// From anything with data() and size(), such as an array, a vector, or a span of mutable elements.
  template <typename Range, typename Data = decltype(std::declval<Range &>().data()),
            typename = decltype(std::declval<Range &>().size()),
            typename = std::enable_if_t<std::is_convertible<std::remove_pointer_t<Data> (*)[], Element (*)[]>::value &&
                                        (std::is_lvalue_reference<Range>::value || std::is_const<Element>::value)>>
  constexpr span(Range &&range) noexcept : first(range.data()), count(range.size()) {}

  constexpr Element *data() const noexcept { return first; }
  constexpr std::size_t size() const noexcept { return count; }
  constexpr std::size_t size_bytes() const noexcept { return count * sizeof(Element); }
  constexpr bool empty() const noexcept { return count == 0; }
  constexpr Element &operator[](std::size_t index) const noexcept { return first[index]; }
  constexpr Element *begin() const noexcept { return first; }
  constexpr Element *end() const noexcept { return first + count; }

private:
  Element *first = nullptr;
  std::size_t count = 0;
};
#endif

// ---- tensors ------------------------------------------------------------------------------------------------------

/// In the shape of a tensor: a size that the caller of a run chooses, or that the run computes.
inline constexpr std::int64_t open_size = -1;
/// Number of elements of a tensor with dynamic sizes.
inline constexpr std::uint64_t open_elements = UINT64_MAX;

/// The constants of an input or output. `Elements` is the upper bound if the run computes the size.
template <typename Element, cameo_element_type Type, std::uint64_t Elements, std::int64_t... Shape> struct tensor {
  using element = Element;
  static constexpr cameo_element_type type = Type;
  static constexpr std::size_t rank = sizeof...(Shape);
  static constexpr std::array<std::int64_t, rank> shape = {Shape...};
  static constexpr std::uint64_t elements = Elements;
};

/// The shape for the sizes of a run, with upper bounds for computed sizes; open_size in all dimensions if the model
/// does not accept the sizes.
template <std::size_t Rank>
std::array<std::int64_t, Rank> shape_of(const cameo_model_description &model, const cameo_tensor_description &tensor,
                                        const std::int64_t *symbols) noexcept {
  std::array<std::int64_t, Rank> shape{};
  if (Rank > 0 && cameo_tensor_shape(&model, &tensor, symbols, shape.data()) != CAMEO_OK)
    for (std::int64_t &size : shape)
      size = open_size;
  return shape;
}

// ---- owners -------------------------------------------------------------------------------------------------------

/// Memory for runs, at a multiple of CAMEO_ALIGNMENT: owned, or borrowed from the caller.
class workspace {
public:
  workspace() noexcept = default;
  /// Memory of the caller, which must outlive the result.
  static workspace borrow(void *memory, std::uint64_t bytes) noexcept {
    workspace borrowed;
    borrowed.memory = memory;
    borrowed.count = bytes;
    return borrowed;
  }
  workspace(workspace &&other) noexcept
      : memory(std::exchange(other.memory, nullptr)), count(std::exchange(other.count, 0)),
        owned(std::exchange(other.owned, false)) {}
  workspace &operator=(workspace &&other) noexcept {
    std::swap(memory, other.memory);
    std::swap(count, other.count);
    std::swap(owned, other.owned);
    return *this;
  }
  ~workspace() {
    if (owned)
      ::operator delete(memory, std::align_val_t(CAMEO_ALIGNMENT));
  }

  /// Allocates `bytes`; memory that is large enough is kept. CAMEO_OUT_OF_MEMORY: the allocation failed, and nothing
  /// changes.
  cameo_status allocate(std::uint64_t bytes) noexcept {
    if (memory && count >= bytes)
      return CAMEO_OK;
    if (bytes > SIZE_MAX)
      return CAMEO_OUT_OF_MEMORY;
    workspace larger;
    larger.memory = ::operator new(static_cast<std::size_t>(bytes), std::align_val_t(CAMEO_ALIGNMENT), std::nothrow);
    if (!larger.memory)
      return CAMEO_OUT_OF_MEMORY;
    larger.count = bytes;
    larger.owned = true;
    *this = std::move(larger);
    return CAMEO_OK;
  }
  void *data() const noexcept { return memory; }
  std::uint64_t bytes() const noexcept { return count; }

private:
  void *memory = nullptr;
  std::uint64_t count = 0;
  bool owned = false;
};

/// A cameo_thread_pool.
class thread_pool {
public:
  thread_pool() noexcept = default;
  thread_pool(thread_pool &&other) noexcept : pool(std::exchange(other.pool, nullptr)) {}
  thread_pool &operator=(thread_pool &&other) noexcept {
    std::swap(pool, other.pool);
    return *this;
  }
  ~thread_pool() { cameo_thread_pool_destroy(pool); }

  /// Replaces the threads by those of cameo_thread_pool_create.
  cameo_status start(std::int32_t thread_count) noexcept {
    thread_pool other;
    cameo_status status = cameo_thread_pool_create(thread_count, &other.pool);
    if (status == CAMEO_OK)
      *this = std::move(other);
    return status;
  }
  cameo_thread_pool *get() const noexcept { return pool; }
  std::int32_t size() const noexcept { return cameo_thread_pool_size(pool); }

private:
  cameo_thread_pool *pool = nullptr;
};

/// A weights file in memory.
class weights {
public:
  weights() noexcept = default;
  weights(weights &&other) noexcept : mapping(std::exchange(other.mapping, cameo_weights{})) {}
  weights &operator=(weights &&other) noexcept {
    std::swap(mapping, other.mapping);
    return *this;
  }
  ~weights() { cameo_weights_unmap(&mapping); }

  /// Replaces the mapped file by that of cameo_weights_map.
  cameo_status map(const char *path, const cameo_model_description &model) noexcept {
    weights other;
    cameo_status status = cameo_weights_map(path, &model, &other.mapping);
    if (status == CAMEO_OK)
      *this = std::move(other);
    return status;
  }
  /// For cameo_context.weights.
  const void *data() const noexcept { return mapping.base; }

private:
  cameo_weights mapping = {};
};

// ---- contexts -----------------------------------------------------------------------------------------------------

/// A context that uses `pool`, which must outlive it, and `weights` if the model has external weights.
inline cameo_context make_context(const thread_pool &pool, const void *weights = nullptr) noexcept {
  cameo_context context = {};
  cameo_context_init(&context, pool.get());
  context.weights = weights;
  return context;
}

/// A context that uses threads of the program: `executor(extent, piece)` must call piece(begin, end) for parts that
/// make up all of [0, extent), from any of its threads, and return when they are done. It must not throw, and must
/// outlive the context.
template <typename Executor> cameo_context make_context(Executor &executor, std::int32_t thread_count) noexcept {
  cameo_context context = {};
  cameo_context_init(&context, nullptr);
  context.thread_count = thread_count;
  context.parallel_user = &executor;
  context.parallel_for = [](void *user, cameo_kernel kernel, void *const *buffers, std::int64_t extent) {
    (*static_cast<Executor *>(user))(extent,
                                     [=](std::int64_t begin, std::int64_t end) { kernel(buffers, begin, end); });
  };
  return context;
}

} // namespace cameo

#endif
