#include "utils/Driver/Run/TensorFile.h"

#include "cameo/runtime.h"

#include <cstring>
#include <gtest/gtest.h>
#include <random>

using namespace cameo;

static std::string npy(const std::string &dictionary, const std::string &elements, char major = 1) {
  std::string header = dictionary + "\n";
  std::string bytes("\x93NUMPY", 6);
  bytes += major;
  bytes += '\0';
  bytes += static_cast<char>(header.size());
  bytes += '\0';
  if (major > 1)
    bytes += std::string(2, '\0');
  return bytes + header + elements;
}

static std::string errorOf(llvm::Expected<Tensor> tensor) { return tensor ? "" : llvm::toString(tensor.takeError()); }

static Tensor floatsOfShape(llvm::ArrayRef<int64_t> shape) {
  Tensor tensor("t", CAMEO_FLOAT32, shape);
  for (int64_t i = 0; i < tensor.elementCount(); ++i)
    tensor.elements<float>()[i] = i + 0.5f;
  return tensor;
}

TEST(Npy, RoundTripsEveryRank) {
  for (std::vector<int64_t> shape : {std::vector<int64_t>{}, {5}, {2, 3}, {1, 2, 3, 4}, {3, 0, 2}}) {
    Tensor tensor = floatsOfShape(shape);
    std::string bytes = encodeNpy(tensor);
    EXPECT_EQ((bytes.size() - tensor.sizeBytes()) % 64, 0u);
    llvm::Expected<Tensor> back = parseNpy(bytes);
    ASSERT_TRUE(bool(back)) << errorOf(std::move(back));
    EXPECT_EQ(back->shape, tensor.shape);
    EXPECT_EQ(std::memcmp(back->data(), tensor.data(), tensor.sizeBytes()), 0);
  }
}

TEST(Npy, RoundTripsEveryType) {
  for (auto type : {CAMEO_FLOAT32, CAMEO_UINT8, CAMEO_INT8, CAMEO_UINT16, CAMEO_INT16, CAMEO_INT32, CAMEO_INT64,
                    CAMEO_BOOL, CAMEO_FLOAT16, CAMEO_FLOAT64, CAMEO_UINT32, CAMEO_UINT64}) {
    llvm::Expected<Tensor> back = parseNpy(encodeNpy(Tensor("t", type, {2, 2})));
    ASSERT_TRUE(bool(back));
    EXPECT_EQ(back->type, type);
  }
}

TEST(Npy, WritesBfloat16AsFloat32) {
  Tensor tensor("t", CAMEO_BFLOAT16, {1});
  tensor.elements<uint16_t>()[0] = floatToBfloat(-1.5f);
  llvm::Expected<Tensor> back = parseNpy(encodeNpy(tensor));
  ASSERT_TRUE(bool(back));
  EXPECT_EQ(back->type, CAMEO_FLOAT32);
  EXPECT_EQ(back->valueAt(0), -1.5);
}

TEST(Npy, ReadsFortranOrder) {
  std::string dictionary = "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }";
  llvm::Expected<Tensor> tensor = parseNpy(npy(dictionary, std::string("\1\4\2\5\3\6", 6)));
  ASSERT_TRUE(bool(tensor));
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(tensor->valueAt(i), i + 1);
}

TEST(Npy, ReadsBigEndianAndVersion2) {
  std::string dictionary = "{'descr': '>i2', 'fortran_order': False, 'shape': (1,)}";
  llvm::Expected<Tensor> tensor = parseNpy(npy(dictionary, std::string("\1\2", 2), 2));
  ASSERT_TRUE(bool(tensor)) << errorOf(std::move(tensor));
  EXPECT_EQ(tensor->valueAt(0), 0x102);
}

TEST(Npy, ExplainsWhatIsWrong) {
  std::string good = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}";
  EXPECT_NE(errorOf(parseNpy("PK")).find("magic bytes"), std::string::npos);
  EXPECT_NE(errorOf(parseNpy(npy(good, "1234567"))).find("expected 8 bytes of elements, got 7"), std::string::npos);
  EXPECT_NE(errorOf(parseNpy(npy(good, "").substr(0, 20))).find("truncated"), std::string::npos);
  EXPECT_NE(errorOf(parseNpy(npy("{'descr': '<c8', 'shape': ()}", ""))).find("type '<c8'"), std::string::npos);
  EXPECT_NE(errorOf(parseNpy(npy("{'descr': [('a', '<f4')], 'shape': ()}", ""))).find("plain"), std::string::npos);
  EXPECT_NE(errorOf(parseNpy(npy("{'descr': '<f4', 'shape': (-1,)}", ""))).find("expected sizes"), std::string::npos);
  EXPECT_NE(errorOf(parseNpy(npy("{'descr': '<f4', 'shape': (99999999999, 99999999999)}", ""))).find("too large"),
            std::string::npos);
  EXPECT_NE(errorOf(parseNpy(npy("{'descr': '<f4', 'shape': (1099511627776,)}", ""))).find("got 0"), std::string::npos);
}

TEST(TensorProto, RoundTrips) {
  Tensor tensor = floatsOfShape({2, 3});
  llvm::Expected<Tensor> back = parseTensorProto(encodeTensorProto(tensor));
  ASSERT_TRUE(bool(back)) << errorOf(std::move(back));
  EXPECT_EQ(back->name, "t");
  EXPECT_EQ(back->shape, tensor.shape);
  EXPECT_EQ(std::memcmp(back->data(), tensor.data(), tensor.sizeBytes()), 0);
}

TEST(TensorProto, ReadsTypedFieldsPackedAndNot) {
  // dims: 2; data_type: INT64; int64_data packed: 5, -1.
  std::string packed("\x08\x02\x10\x07\x3a\x0b\x05\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 17);
  llvm::Expected<Tensor> integers = parseTensorProto(packed);
  ASSERT_TRUE(bool(integers)) << errorOf(std::move(integers));
  EXPECT_EQ(integers->valueAt(1), -1);
  // data_type: FLOAT; float_data not packed: 1.0; a scalar.
  llvm::Expected<Tensor> scalar = parseTensorProto(llvm::StringRef("\x10\x01\x25\x00\x00\x80\x3f", 7));
  ASSERT_TRUE(bool(scalar)) << errorOf(std::move(scalar));
  EXPECT_EQ(scalar->valueAt(0), 1);
  EXPECT_TRUE(scalar->shape.empty());
}

TEST(TensorProto, ExplainsWhatIsWrong) {
  std::string bytes = encodeTensorProto(floatsOfShape({2}));
  EXPECT_NE(errorOf(parseTensorProto(bytes.substr(0, bytes.size() - 1))).find("truncated"), std::string::npos);
  EXPECT_NE(errorOf(parseTensorProto("")).find("element type 0"), std::string::npos);
  EXPECT_NE(errorOf(parseTensorProto(llvm::StringRef("\x08\x02\x10\x01", 4))).find("expected 8 bytes"),
            std::string::npos);
}

TEST(TensorFileName, ReplacesWhatFileNamesCannotHold) { EXPECT_EQ(tensorFileStem("a/b:0"), "a_b:0"); }

TEST(TensorFile, UnknownExtension) {
  EXPECT_EQ(errorOf(readTensorFile("x.txt")), "x.txt: expected a .npy or .pb file");
}

TEST(TensorProto, PacksWhatIsNarrowerThanAByte) {
  Tensor tensor("t", CAMEO_INT4, {3});
  const uint8_t elements[] = {0x1, 0xF, 0x8};
  std::memcpy(tensor.data(), elements, sizeof elements);
  std::string bytes = encodeTensorProto(tensor);
  EXPECT_TRUE(llvm::StringRef(bytes).ends_with(llvm::StringRef("\x02\xF1\x08", 3)));
  llvm::Expected<Tensor> back = parseTensorProto(bytes);
  ASSERT_TRUE(bool(back)) << errorOf(std::move(back));
  EXPECT_EQ(back->valueAt(0), 1);
  EXPECT_EQ(back->valueAt(1), -1);
  EXPECT_EQ(back->valueAt(2), -8);
}

// ---- strings ----

static Tensor strings() {
  Tensor tensor("t", CAMEO_STRING, {2, 2});
  tensor.setString(0, "a");
  tensor.setString(1, "\xC3\xA9\xF0\x9F\x98\x80");
  tensor.setString(2, "\xEF\xBB\xBFmark");
  tensor.setString(3, "three words long");
  return tensor;
}

TEST(TextFiles, RoundTrip) {
  Tensor tensor = strings();
  for (const std::string &bytes : {encodeNpy(tensor), encodeTensorProto(tensor)}) {
    llvm::Expected<Tensor> back = bytes[0] == '\x93' ? parseNpy(bytes) : parseTensorProto(bytes);
    ASSERT_TRUE(bool(back)) << errorOf(std::move(back));
    EXPECT_EQ(back->type, CAMEO_STRING);
    EXPECT_EQ(back->shape, tensor.shape);
    for (int64_t i = 0; i < 4; ++i)
      EXPECT_EQ(back->stringAt(i), tensor.stringAt(i));
  }
}

TEST(TextFiles, BigEndianAndEmptyStrings) {
  llvm::Expected<Tensor> big =
      parseNpy(npy("{'descr': '>U2', 'fortran_order': False, 'shape': (1,), }", std::string("\0\0\0a\0\0\0\0", 8)));
  ASSERT_TRUE(bool(big));
  EXPECT_EQ(big->stringAt(0), "a");
  llvm::Expected<Tensor> empty =
      parseNpy(npy("{'descr': '<U1', 'fortran_order': False, 'shape': (3,), }", std::string(12, '\0')));
  ASSERT_TRUE(bool(empty));
  EXPECT_EQ(empty->stringAt(2), "");
}

TEST(TextFiles, MalformedOnes) {
  EXPECT_NE(errorOf(parseNpy(npy("{'descr': '<U9', 'fortran_order': False, 'shape': (3,), }", "abc")))
                .find("expected 3 strings of 36 bytes"),
            std::string::npos);
  auto npyText = [](const std::string &codes) {
    return npy("{'descr': '<U" + std::to_string(codes.size() / 4) + "', 'fortran_order': False, 'shape': (1,), }",
               codes);
  };
  EXPECT_NE(errorOf(parseNpy(npyText(std::string("\0\0\0\0a\0\0\0", 8)))).find("zero byte"), std::string::npos);
  EXPECT_NE(errorOf(parseNpy(npyText(std::string("\0\xD8\0\0", 4)))).find("not a Unicode code point"),
            std::string::npos);
  EXPECT_NE(errorOf(parseNpy(npyText(""))).find("type '<U0'"), std::string::npos);
  std::string bytes = encodeTensorProto(strings());
  // Without the last string and the name after it.
  EXPECT_NE(
      errorOf(parseTensorProto(bytes.substr(0, bytes.size() - 21))).find("expected 4 strings for shape 2x2, got 3"),
      std::string::npos);
  // 2^40 strings, of which the file has none.
  EXPECT_NE(errorOf(parseTensorProto(std::string("\x08\x80\x80\x80\x80\x80\x20\x10\x08", 9))).find("got 0"),
            std::string::npos);
  EXPECT_NE(errorOf(parseTensorProto(std::string("\x08\x01\x10\x08\x32\x02z\0", 8))).find("zero byte"),
            std::string::npos);
}

TEST(Tensor, FitsMemoryThatTheMachineHas) {
  EXPECT_TRUE(fitsMemory(CAMEO_FLOAT32, {1 << 20}));
  EXPECT_TRUE(fitsMemory(CAMEO_FLOAT32, {int64_t(1) << 45, 0}));
  EXPECT_FALSE(fitsMemory(CAMEO_FLOAT32, {int64_t(1) << 43}));
  EXPECT_TRUE(isAllocatable(CAMEO_FLOAT32, {int64_t(1) << 43}));
  EXPECT_FALSE(fitsMemory(CAMEO_FLOAT32, {-1}));
}

// ---- damaged files ----

/// Applies one to four changes: bytes are changed, removed or inserted, or the end is cut off.
static std::string mutate(std::string bytes, std::mt19937 &generator) {
  auto below = [&](size_t bound) { return generator() % bound; };
  for (size_t change = 0, changes = 1 + below(4); change < changes && !bytes.empty(); ++change) {
    size_t at = below(bytes.size()), length = std::min(1 + below(12), bytes.size() - at);
    switch (below(5)) {
    case 0:
      bytes[at] = static_cast<char>(below(256));
      break;
    case 1:
      bytes.erase(at, length);
      break;
    case 2:
      bytes.insert(at, bytes.substr(below(bytes.size()), length));
      break;
    case 3:
      bytes.resize(at);
      break;
    default:
      bytes[at] = "'(),:[]{}0129<>"[below(15)];
    }
  }
  return bytes;
}

/// Each mutant must be a tensor with the number of bytes of its shape, or an error with a message.
static void expectTotal(llvm::Expected<Tensor> (*parse)(llvm::StringRef), const std::string &bytes, unsigned seed) {
  std::mt19937 generator(seed);
  for (unsigned number = 0; number < 4000; ++number) {
    // Copied to memory of exactly this size, so that reads beyond the end are detected.
    std::string mutant = mutate(bytes, generator);
    std::vector<char> exact(mutant.begin(), mutant.end());
    llvm::Expected<Tensor> tensor = parse(llvm::StringRef(exact.data(), exact.size()));
    if (!tensor)
      EXPECT_NE(llvm::toString(tensor.takeError()), "");
    else
      EXPECT_EQ(tensor->sizeBytes(), tensor->elementCount() * cameo_element_bytes(tensor->type));
  }
}

TEST(Npy, DamagedFilesAreErrors) {
  Tensor strings("t", CAMEO_STRING, {2});
  strings.setString(0, "some");
  strings.setString(1, "");
  expectTotal(parseNpy, encodeNpy(floatsOfShape({2, 3})), 1);
  expectTotal(parseNpy, encodeNpy(strings), 2);
  expectTotal(parseNpy, npy("{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3), }", std::string(12, 'x'), 2), 3);
  EXPECT_NE(errorOf(parseNpy(npy("", ""))).find("'descr'"), std::string::npos);
  EXPECT_NE(errorOf(parseNpy(npy("{'shape': (2,)}", ""))).find("'descr'"), std::string::npos);
  EXPECT_NE(errorOf(parseNpy(npy("{'descr': '<f4'}", ""))).find("'shape'"), std::string::npos);
}

TEST(TensorProto, DamagedFilesAreErrors) {
  Tensor strings("t", CAMEO_STRING, {2}), narrow("n", CAMEO_INT4, {3});
  strings.setString(0, "some");
  strings.setString(1, "");
  expectTotal(parseTensorProto, encodeTensorProto(floatsOfShape({2, 3})), 1);
  expectTotal(parseTensorProto, encodeTensorProto(strings), 2);
  expectTotal(parseTensorProto, encodeTensorProto(narrow), 3);
  expectTotal(parseTensorProto, std::string("\x08\x02\x10\x07\x3a\x0b\x05\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 17),
              4);
}
