// Mutations of ONNX models by their fields, so that what a fuzzer tries gets past the parser.
#ifndef CAMEO_TEST_FUZZ_MODELMUTATOR_H
#define CAMEO_TEST_FUZZ_MODELMUTATOR_H

#include <onnx/onnx_pb.h>

#include <random>
#include <string>
#include <vector>

namespace cameo {

/// The same seed makes the same changes. Fields keep their types: what comes out serialises and parses.
class ModelMutator {
public:
  explicit ModelMutator(unsigned seed) : random(seed) {}

  /// Changes one to four fields of `model`: sets, clears, repeats, removes, exchanges.
  void mutate(::onnx::ModelProto &model);

  /// Puts one message of `donor` (a node, a type, a tensor) where `model` has one of the same kind, or behind it.
  void cross(::onnx::ModelProto &model, const ::onnx::ModelProto &donor);

private:
  using Message = google::protobuf::Message;
  using Field = google::protobuf::FieldDescriptor;

  size_t below(size_t bound) { return random() % bound; }
  template <typename T> const T &choose(const std::vector<T> &from) { return from[below(from.size())]; }

  int64_t mutateInteger(int64_t old);
  double mutateFloat(double old);
  std::string mutateString(const std::string &old);
  void mutateSingular(Message &message, const Field &field);
  void mutateRepeated(Message &message, const Field &field);
  void mutateElement(Message &message, const Field &field, int index);
  void addElement(Message &message, const Field &field);

  std::mt19937 random;
  /// Names of the model: of values, operators and attributes.
  std::vector<std::string> names;
};

} // namespace cameo

#endif // CAMEO_TEST_FUZZ_MODELMUTATOR_H
