// What the C++ headers of models have in common (cameo compile --cpp-header): spans, the workspace, threads and weights
// as owners, the constants of a tensor. C++17; needs neither exceptions nor RTTI. A thin layer over runtime.h:
// statuses, units and who may call what from which thread are as there. Owners can be moved, not copied.
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

// ---- elements that somebody else owns -----------------------------------------------------------------------------

#if __cplusplus >= 202002L
template <typename Element> using span = std::span<Element>;
#else
/// What is needed here of std::span, which C++20 brings.
template <typename Element> class span {
public:
  constexpr span() noexcept = default;
  constexpr span(Element *data, std::size_t size) noexcept : first(data), count(size) {}
  template <std::size_t Size> constexpr span(Element (&array)[Size]) noexcept : first(array), count(Size) {}
  /// Of anything that has data() and size(), such as an array, a vector, or a span of elements that may be written.
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

/// In the shape of a tensor: a size that the run chooses, or that its data decides.
inline constexpr std::int64_t open_size = -1;
/// The elements of a tensor whose sizes the run chooses.
inline constexpr std::uint64_t open_elements = UINT64_MAX;

/// The constants of an input or output. `Elements` are the most that it can be where data decides.
template <typename Element, cameo_element_type Type, std::uint64_t Elements, std::int64_t... Shape> struct tensor {
  using element = Element;
  static constexpr cameo_element_type type = Type;
  static constexpr std::size_t rank = sizeof...(Shape);
  static constexpr std::array<std::int64_t, rank> shape = {Shape...};
  static constexpr std::uint64_t elements = Elements;
};

/// The shape for the sizes of a run, the greatest where data decides; open_size throughout where the model refuses
/// them.
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

/// Memory for runs, at a multiple of CAMEO_ALIGNMENT: its own, or the caller's.
class workspace {
public:
  workspace() noexcept = default;
  /// Memory of the caller, which outlives the result.
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

  /// Makes room for `bytes`; memory that is as large stays. CAMEO_OUT_OF_MEMORY: there are not so many, and nothing
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

  /// cameo_thread_pool_create, in place of the threads that are there.
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

  /// cameo_weights_map, in place of the file that is there.
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

/// A context that uses `pool`, which outlives it, and, for a model that needs them, `file`.
inline cameo_context make_context(const thread_pool &pool, const void *weights = nullptr) noexcept {
  cameo_context context = {};
  cameo_context_init(&context, pool.get());
  context.weights = weights;
  return context;
}

/// A context that uses threads of the program: `executor(extent, piece)` must call piece(begin, end) for parts that
/// make up all of [0, extent), from any of its threads, and return when they are done. It must not throw, and outlives
/// the context.
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
