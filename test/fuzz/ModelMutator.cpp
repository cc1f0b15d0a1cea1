#include "test/fuzz/ModelMutator.h"

#include <algorithm>
#include <cstdint>
#include <limits>

using namespace cameo;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

// libFuzzer's own mutations of bytes: they know what the code under test has compared with.
extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

namespace {

std::vector<const FieldDescriptor *> getSetFields(const Message &message) {
  std::vector<const FieldDescriptor *> fields;
  message.GetReflection()->ListFields(message, &fields);
  return fields;
}

/// `message` and everything below it, parents first.
void collectMessages(Message &message, std::vector<Message *> &found) {
  found.push_back(&message);
  const Reflection *reflection = message.GetReflection();
  for (const FieldDescriptor *field : getSetFields(message)) {
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE)
      continue;
    if (!field->is_repeated()) {
      collectMessages(*reflection->MutableMessage(&message, field), found);
      continue;
    }
    for (int i = 0, count = reflection->FieldSize(message, field); i < count; ++i)
      collectMessages(*reflection->MutableRepeatedMessage(&message, field, i), found);
  }
}

/// All strings that are text: file contents are bytes.
std::vector<std::string> collectNames(const std::vector<Message *> &messages) {
  std::vector<std::string> names{""};
  for (const Message *message : messages) {
    const Reflection *reflection = message->GetReflection();
    for (const FieldDescriptor *field : getSetFields(*message)) {
      if (field->type() != FieldDescriptor::TYPE_STRING)
        continue;
      if (!field->is_repeated()) {
        names.push_back(reflection->GetString(*message, field));
        continue;
      }
      for (int i = 0, count = reflection->FieldSize(*message, field); i < count; ++i)
        names.push_back(reflection->GetRepeatedString(*message, field, i));
    }
  }
  return names;
}

} // namespace

int64_t ModelMutator::mutateInteger(int64_t old) {
  static const std::vector<int64_t> edges{
      INT64_MIN,        INT32_MIN,        -2,       -1, 0, 1, 2, 3, 7, 64, 1 << 16, INT32_MAX,
      int64_t(1) << 32, int64_t(1) << 62, INT64_MAX};
  switch (below(4)) {
  case 0:
    return choose(edges);
  case 1:
    return static_cast<int64_t>(static_cast<uint64_t>(old) + below(5) - 2);
  case 2:
    return static_cast<int64_t>(static_cast<uint64_t>(old) * 2);
  default:
    return static_cast<int64_t>(below(30));
  }
}

double ModelMutator::mutateFloat(double old) {
  static const std::vector<double> edges{0.0,
                                         -0.0,
                                         1.0,
                                         -1.0,
                                         1e-30,
                                         3e38,
                                         std::numeric_limits<double>::infinity(),
                                         std::numeric_limits<double>::quiet_NaN()};
  return below(2) ? choose(edges) : -old * 1.5;
}

std::string ModelMutator::mutateString(const std::string &old) {
  if (below(2))
    return choose(names);
  constexpr size_t kRoom = 16;
  std::string bytes = old;
  bytes.resize(old.size() + kRoom);
  bytes.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t *>(bytes.data()), old.size(), bytes.size()));
  return bytes;
}

void ModelMutator::mutateSingular(Message &message, const Field &field) {
  const Reflection &reflection = *message.GetReflection();
  if (reflection.HasField(message, &field) && below(4) == 0)
    return reflection.ClearField(&message, &field);
  switch (field.cpp_type()) {
  case FieldDescriptor::CPPTYPE_INT32:
    return reflection.SetInt32(&message, &field, mutateInteger(reflection.GetInt32(message, &field)));
  case FieldDescriptor::CPPTYPE_INT64:
    return reflection.SetInt64(&message, &field, mutateInteger(reflection.GetInt64(message, &field)));
  case FieldDescriptor::CPPTYPE_UINT32:
    return reflection.SetUInt32(&message, &field, mutateInteger(reflection.GetUInt32(message, &field)));
  case FieldDescriptor::CPPTYPE_UINT64:
    return reflection.SetUInt64(&message, &field, mutateInteger(reflection.GetUInt64(message, &field)));
  case FieldDescriptor::CPPTYPE_FLOAT:
    return reflection.SetFloat(&message, &field, mutateFloat(reflection.GetFloat(message, &field)));
  case FieldDescriptor::CPPTYPE_DOUBLE:
    return reflection.SetDouble(&message, &field, mutateFloat(reflection.GetDouble(message, &field)));
  case FieldDescriptor::CPPTYPE_BOOL:
    return reflection.SetBool(&message, &field, below(2));
  case FieldDescriptor::CPPTYPE_ENUM:
    return reflection.SetEnumValue(&message, &field,
                                   field.enum_type()->value(below(field.enum_type()->value_count()))->number());
  case FieldDescriptor::CPPTYPE_STRING:
    return reflection.SetString(&message, &field, mutateString(reflection.GetString(message, &field)));
  case FieldDescriptor::CPPTYPE_MESSAGE:
    reflection.MutableMessage(&message, &field);
  }
}

void ModelMutator::mutateElement(Message &message, const Field &field, int index) {
  const Reflection &reflection = *message.GetReflection();
  switch (field.cpp_type()) {
  case FieldDescriptor::CPPTYPE_INT32:
    return reflection.SetRepeatedInt32(&message, &field, index,
                                       mutateInteger(reflection.GetRepeatedInt32(message, &field, index)));
  case FieldDescriptor::CPPTYPE_INT64:
    return reflection.SetRepeatedInt64(&message, &field, index,
                                       mutateInteger(reflection.GetRepeatedInt64(message, &field, index)));
  case FieldDescriptor::CPPTYPE_FLOAT:
    return reflection.SetRepeatedFloat(&message, &field, index,
                                       mutateFloat(reflection.GetRepeatedFloat(message, &field, index)));
  case FieldDescriptor::CPPTYPE_STRING:
    return reflection.SetRepeatedString(&message, &field, index,
                                        mutateString(reflection.GetRepeatedString(message, &field, index)));
  default:
    return; // messages are changed by their own fields; ONNX repeats nothing else that shapes a graph
  }
}

void ModelMutator::addElement(Message &message, const Field &field) {
  const Reflection &reflection = *message.GetReflection();
  int count = reflection.FieldSize(message, &field);
  switch (field.cpp_type()) {
  case FieldDescriptor::CPPTYPE_INT32:
    return reflection.AddInt32(&message, &field, mutateInteger(1));
  case FieldDescriptor::CPPTYPE_INT64:
    return reflection.AddInt64(&message, &field, mutateInteger(1));
  case FieldDescriptor::CPPTYPE_FLOAT:
    return reflection.AddFloat(&message, &field, mutateFloat(1));
  case FieldDescriptor::CPPTYPE_STRING:
    return reflection.AddString(&message, &field, choose(names));
  case FieldDescriptor::CPPTYPE_MESSAGE: {
    Message *added = reflection.AddMessage(&message, &field);
    if (count != 0)
      added->CopyFrom(reflection.GetRepeatedMessage(message, &field, static_cast<int>(below(count))));
    return;
  }
  default:
    return;
  }
}

void ModelMutator::mutateRepeated(Message &message, const Field &field) {
  const Reflection &reflection = *message.GetReflection();
  int count = reflection.FieldSize(message, &field);
  if (count == 0 || below(4) == 0)
    return addElement(message, field);
  int index = static_cast<int>(below(count));
  switch (below(3)) {
  case 0:
    reflection.SwapElements(&message, &field, index, count - 1);
    return reflection.RemoveLast(&message, &field);
  case 1:
    return reflection.SwapElements(&message, &field, index, static_cast<int>(below(count)));
  default:
    return mutateElement(message, field, index);
  }
}

void ModelMutator::mutate(::onnx::ModelProto &model) {
  std::vector<Message *> messages;
  collectMessages(model, messages);
  names = collectNames(messages);
  for (size_t changes = 1 + below(4); changes != 0; --changes) {
    Message &message = *choose(messages);
    // Most of the time what is there, sometimes a field that nobody thought of.
    std::vector<const FieldDescriptor *> fields = getSetFields(message);
    const FieldDescriptor *field =
        fields.empty() || below(4) == 0
            ? message.GetDescriptor()->field(static_cast<int>(below(message.GetDescriptor()->field_count())))
            : choose(fields);
    field->is_repeated() ? mutateRepeated(message, *field) : mutateSingular(message, *field);
    // Messages below the changed one may be gone.
    messages.clear();
    collectMessages(model, messages);
  }
}

void ModelMutator::cross(::onnx::ModelProto &model, const ::onnx::ModelProto &donor) {
  ::onnx::ModelProto copy = donor;
  std::vector<Message *> messages, donated;
  collectMessages(model, messages);
  collectMessages(copy, donated);
  const Message &piece = *choose(donated);
  if (piece.GetDescriptor() == ::onnx::NodeProto::descriptor() && below(2)) {
    model.mutable_graph()->add_node()->CopyFrom(piece);
    return;
  }
  std::vector<Message *> places;
  for (Message *message : messages)
    if (message->GetDescriptor() == piece.GetDescriptor())
      places.push_back(message);
  if (!places.empty())
    choose(places)->CopyFrom(piece);
}
