// Parses the wire format of protobuf. It only knows which fields of ONNX's messages lead to tensors.
#include "frontend/Import/Model/SplitWeights.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace cameo;

namespace {

enum class Message { Model, Graph, Node, Attribute, Tensor, SparseTensor, Function };

struct Child {
  Message parent;
  int field;
  Message message;
};

// Field numbers of onnx.proto on all paths from a model to a tensor.
constexpr Child kChildren[] = {
    {Message::Model, 7, Message::Graph},
    {Message::Model, 25, Message::Function},
    {Message::Function, 7, Message::Node},
    {Message::Function, 11, Message::Attribute},
    {Message::Graph, 1, Message::Node},
    {Message::Graph, 5, Message::Tensor},
    {Message::Graph, 15, Message::SparseTensor},
    {Message::Node, 5, Message::Attribute},
    {Message::Attribute, 5, Message::Tensor},
    {Message::Attribute, 6, Message::Graph},
    {Message::Attribute, 10, Message::Tensor},
    {Message::Attribute, 11, Message::Graph},
    {Message::Attribute, 22, Message::SparseTensor},
    {Message::Attribute, 23, Message::SparseTensor},
    {Message::SparseTensor, 1, Message::Tensor},
    {Message::SparseTensor, 2, Message::Tensor},
};

// float_data, int32_data, int64_data, raw_data, double_data, uint64_data.
constexpr int kDataFields[] = {4, 5, 7, 9, 10, 11};
constexpr int kTrainingInfo = 20;
// Limit of nesting: deeper than models of any tool, and below protobuf's own limit.
constexpr int kMaxDepth = 90;

enum WireType { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

class Splitter {
public:
  explicit Splitter(StringRef file) : file(file) {}

  Error copyMessage(Message message, uint64_t begin, uint64_t end, int depth, std::string &out);

  std::vector<WeightRange> weights;

private:
  Expected<uint64_t> readVarint(uint64_t &at, uint64_t end);
  /// Returns the end of the field whose value begins at `at`. Advances `at` past a length prefix.
  Expected<uint64_t> findFieldEnd(unsigned wireType, uint64_t &at, uint64_t end);

  StringRef file;
};

template <typename... Args> Error fail(const char *format, Args... args) {
  return createStringError(inconvertibleErrorCode(), format, args...);
}

void writeVarint(std::string &out, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    out.push_back(static_cast<char>(value | 0x80));
  out.push_back(static_cast<char>(value));
}

const Child *findChild(Message parent, int field) {
  const Child *child = find_if(kChildren, [&](const Child &c) { return c.parent == parent && c.field == field; });
  return child == std::end(kChildren) ? nullptr : child;
}

Expected<uint64_t> Splitter::readVarint(uint64_t &at, uint64_t end) {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (at >= end)
      return fail("expected a number at byte %llu, got the end of the %s", (unsigned long long)at,
                  end == file.size() ? "file (is it truncated?)" : "message");
    unsigned char byte = file[at++];
    value |= uint64_t(byte & 0x7f) << shift;
    if (!(byte & 0x80))
      return value;
  }
  return fail("expected a protobuf message, got a number of more than 64 bits at byte %llu", (unsigned long long)at);
}

Expected<uint64_t> Splitter::findFieldEnd(unsigned wireType, uint64_t &at, uint64_t end) {
  uint64_t begin = at, size = 0;
  if (wireType == kVarint) {
    uint64_t behind = at;
    Expected<uint64_t> value = readVarint(behind, end);
    if (!value)
      return value.takeError();
    return behind;
  }
  if (wireType == kBytes) {
    Expected<uint64_t> length = readVarint(at, end);
    if (!length)
      return length.takeError();
    begin = at;
    size = *length;
  } else if (wireType == kFixed64 || wireType == kFixed32) {
    size = wireType == kFixed64 ? 8 : 4;
  } else {
    return fail("expected a protobuf message, got wire type %u at byte %llu", wireType, (unsigned long long)begin);
  }
  if (size > end - begin)
    return fail("expected %llu bytes at byte %llu, got the end of the %s after %llu", (unsigned long long)size,
                (unsigned long long)begin, end == file.size() ? "file (is it truncated?)" : "message",
                (unsigned long long)(end - begin));
  return begin + size;
}

Error Splitter::copyMessage(Message message, uint64_t begin, uint64_t end, int depth, std::string &out) {
  if (depth > kMaxDepth)
    return fail("expected at most %d levels of nested messages at byte %llu", kMaxDepth, (unsigned long long)begin);
  bool hasWeight = false;
  for (uint64_t at = begin; at < end;) {
    uint64_t fieldBegin = at;
    Expected<uint64_t> tag = readVarint(at, end);
    if (!tag)
      return tag.takeError();
    uint64_t field = *tag >> 3;
    unsigned wireType = *tag & 7;
    if (field == 0 || field >= (1u << 29))
      return fail("expected a protobuf message, got field number %llu at byte %llu", (unsigned long long)field,
                  (unsigned long long)fieldBegin);
    Expected<uint64_t> fieldEnd = findFieldEnd(wireType, at, end);
    if (!fieldEnd)
      return fieldEnd.takeError();
    uint64_t valueBegin = at;
    at = *fieldEnd;

    // Training information is not compiled, and the marker field must not come from the file.
    if ((message == Message::Model && field == kTrainingInfo) || (message == Message::Tensor && field == kWeightField))
      continue;
    const Child *child = wireType == kBytes ? findChild(message, field) : nullptr;
    if (child) {
      std::string nested;
      if (Error error = copyMessage(child->message, valueBegin, *fieldEnd, depth + 1, nested))
        return error;
      writeVarint(out, *tag);
      writeVarint(out, nested.size());
      out += nested;
    } else if (message == Message::Tensor && wireType == kBytes && !hasWeight && is_contained(kDataFields, field) &&
               *fieldEnd - valueBegin > kMaxInlineBytes) {
      hasWeight = true;
      weights.push_back({static_cast<int>(field), valueBegin, *fieldEnd - valueBegin});
      writeVarint(out, (kWeightField << 3) | kVarint);
      writeVarint(out, weights.size());
    } else {
      out.append(file.data() + fieldBegin, *fieldEnd - fieldBegin);
    }
  }
  return Error::success();
}

} // namespace

Expected<SplitModel> cameo::splitWeights(StringRef file) {
  Splitter splitter(file);
  SplitModel model;
  if (Error error = splitter.copyMessage(Message::Model, 0, file.size(), 0, model.structure))
    return std::move(error);
  model.weights = std::move(splitter.weights);
  return model;
}
