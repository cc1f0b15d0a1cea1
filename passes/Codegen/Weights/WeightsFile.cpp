// Writes constants through their packings in pieces, so that the weights of a model are never in memory a second time.
#include "passes/Codegen/Weights/WeightsFile.h"

#include "dialects/Onnx/ConstantData.h"
#include "dialects/Task/TaskDialect.h"
#include "passes/Codegen/Weights/WritePacking.h"
#include "runtime/include/cameo/abi.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;

namespace cameo {
namespace {

using Writer = llvm::function_ref<void(ArrayRef<char>)>;

/// Number of bytes that are packed or expanded at once.
constexpr int64_t pieceBytes = 4 << 20;

/// Same layout as cameo_weights_header of runtime.h, where the members are documented.
struct WeightsHeader {
  char magic[8] = {'C', 'A', 'M', 'E', 'O', 'W', 'T', 'S'};
  uint32_t abiVersion = CAMEO_ABI_VERSION;
  uint32_t padding = 0;
  uint64_t weightsBytes = 0;
  uint64_t hash = 0;
  uint64_t reserved[4] = {};
};
static_assert(sizeof(WeightsHeader) == CAMEO_ALIGNMENT, "keeps the weights aligned");

/// Fills `piece` with the elements of one weight from number `begin` on, in row-major or packed order.
void fillPiece(task::WeightOp weight, const ConstantElements &from, int64_t begin, MutableArrayRef<char> piece) {
  if (std::optional<task::PackingAttr> packing = weight.getPacking())
    return writePackedPiece(*packing, from, begin, piece);
  for (size_t at = 0; at < piece.size(); at += from.elementBytes)
    memcpy(&piece[at], from.bytes.data(), from.elementBytes);
}

/// Writes a constant that is transposed and not packed, one slice of its first dimension at a time.
void writeSlices(const onnx::TransposedConstant &constant, int64_t elementBytes, Writer write) {
  onnx::StridedRead all = constant.read;
  int64_t sliceBytes = elementBytes;
  for (int64_t size : ArrayRef(all.shape).drop_front())
    sliceBytes *= size;
  int64_t slices = std::max<int64_t>(1, pieceBytes / sliceBytes);
  for (int64_t begin = 0; begin < all.shape.front(); begin += slices) {
    onnx::StridedRead part = all;
    part.offset += begin * all.strides.front();
    part.shape.front() = std::min(slices, all.shape.front() - begin);
    write(*onnx::readStrided(part, constant.bytes, elementBytes));
  }
}

/// Returns a constant of 16-bit floats as f32.
std::vector<float> widenHalves(ElementsAttr constant) {
  auto type = cast<FloatType>(constant.getElementType());
  std::optional<ArrayRef<char>> raw = onnx::getRawConstant(constant);
  std::optional<std::vector<char>> copy;
  if (!raw || int64_t(raw->size() / sizeof(uint16_t)) != constant.getNumElements()) {
    copy = onnx::readConstant(constant);
    assert(copy && "weights stay in memory until they are written");
    raw = *copy;
  }
  std::vector<float> widened(constant.getNumElements());
  for (auto [number, place] : llvm::zip_equal(widened, llvm::seq<size_t>(0, widened.size()))) {
    uint16_t bits;
    memcpy(&bits, raw->data() + place * sizeof(bits), sizeof(bits));
    number = llvm::APFloat(type.getFloatSemantics(), llvm::APInt(16, bits)).convertToFloat();
  }
  return widened;
}

void writeWeight(task::WeightOp weight, std::vector<char> &buffer, Writer write) {
  int64_t bytes = weight.getBytes();
  ConstantElements elements;
  elements.elementBytes = task::getElementBytes(weight.getValue().getElementType());
  std::vector<char> unpacked;
  std::vector<float> widened;
  std::optional<onnx::TransposedConstant> transposed = onnx::getTransposedConstant(weight.getValue());
  if (transposed && !weight.getPacking())
    return writeSlices(*transposed, elements.elementBytes, write);
  if (transposed && !weight.getPacking()->hasMatrices()) {
    elements.bytes = transposed->bytes;
    elements.order = transposed->read;
    elements.order->collapse();
  } else if (weight.getPacking() && weight.getPacking()->hasMatrices() && elements.elementBytes == 2) {
    widened = widenHalves(weight.getValue());
    elements.elementBytes = sizeof(float);
    elements.bytes = ArrayRef(reinterpret_cast<const char *>(widened.data()), widened.size() * sizeof(float));
  } else if (std::optional<ArrayRef<char>> raw = onnx::getRawConstant(weight.getValue())) {
    elements.bytes = *raw;
  } else {
    std::optional<std::vector<char>> copy = onnx::readConstant(weight.getValue());
    assert(copy && "weights stay in memory until they are written");
    unpacked = std::move(*copy);
    elements.bytes = unpacked;
  }
  elements.isSplat = weight.getValue().getNumElements() > 1 && int64_t(elements.bytes.size()) == elements.elementBytes;
  if (!weight.getPacking() && !elements.isSplat)
    return write(elements.bytes);
  buffer.resize(pieceBytes - pieceBytes % elements.elementBytes);
  for (int64_t at = 0; at < bytes; at += buffer.size()) {
    auto piece = MutableArrayRef<char>(buffer).take_front(bytes - at);
    fillPiece(weight, elements, at / elements.elementBytes, piece);
    write(piece);
  }
}

void forEachPiece(ModuleOp module, int64_t bytes, Writer write) {
  // An empty weight has the same offset as the next one, and sorting by offset would not keep it in front.
  auto weights = llvm::to_vector(llvm::make_filter_range(module.getOps<task::WeightOp>(),
                                                         [](task::WeightOp weight) { return weight.getBytes() > 0; }));
  llvm::sort(weights, [](task::WeightOp a, task::WeightOp b) { return a.getOffset() < b.getOffset(); });
  std::vector<char> buffer;
  int64_t at = 0;
  auto padTo = [&](int64_t end) {
    static const char zeros[CAMEO_ALIGNMENT] = {};
    assert(at <= end && "weights lie one behind the other");
    for (; at < end; at += CAMEO_ALIGNMENT)
      write(ArrayRef(zeros, std::min<int64_t>(end - at, CAMEO_ALIGNMENT)));
    at = end;
  };
  for (task::WeightOp weight : weights) {
    padTo(weight.getOffset());
    writeWeight(weight, buffer, write);
    at += weight.getBytes();
  }
  padTo(bytes);
}

} // namespace

void writeWeights(ModuleOp module, int64_t bytes, raw_ostream &os) {
  forEachPiece(module, bytes, [&](ArrayRef<char> piece) { os.write(piece.data(), piece.size()); });
}

/// `alsoWrite` gets each piece right after it is hashed, while it is in the cache.
static uint64_t hashPieces(ModuleOp module, int64_t bytes, Writer alsoWrite) {
  uint64_t hash = CAMEO_ABI_VERSION;
  forEachPiece(module, bytes, [&](ArrayRef<char> piece) {
    uint64_t parts[] = {hash, llvm::xxh3_64bits(StringRef(piece.data(), piece.size()))};
    hash = llvm::xxh3_64bits(StringRef(reinterpret_cast<const char *>(parts), sizeof(parts)));
    alsoWrite(piece);
  });
  return hash == 0 ? 1 : hash;
}

uint64_t hashWeights(ModuleOp module, int64_t bytes) {
  return hashPieces(module, bytes, [](ArrayRef<char>) {});
}

static void writeHeader(int64_t bytes, uint64_t hash, llvm::raw_ostream &os) {
  WeightsHeader header;
  header.weightsBytes = getExternalBytes(bytes);
  header.hash = hash;
  os.write(reinterpret_cast<const char *>(&header), sizeof(header));
}

static void writeEnd(int64_t bytes, uint64_t hash, llvm::raw_ostream &os) {
  os.write_zeros(getHashOffset(bytes) - bytes);
  os.write(reinterpret_cast<const char *>(&hash), sizeof(hash));
  os.write_zeros(CAMEO_ALIGNMENT - sizeof(hash));
}

void writeWeightsFile(ModuleOp module, int64_t bytes, uint64_t hash, raw_ostream &os) {
  writeHeader(bytes, hash, os);
  writeWeights(module, bytes, os);
  writeEnd(bytes, hash, os);
}

uint64_t hashAndWriteWeightsFile(ModuleOp module, int64_t bytes, llvm::raw_pwrite_stream &os) {
  writeHeader(bytes, /*hash=*/0, os);
  uint64_t hash = hashPieces(module, bytes, [&](ArrayRef<char> piece) { os.write(piece.data(), piece.size()); });
  os.pwrite(reinterpret_cast<const char *>(&hash), sizeof(hash), offsetof(WeightsHeader, hash));
  writeEnd(bytes, hash, os);
  return hash;
}

} // namespace cameo
