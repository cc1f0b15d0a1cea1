// The C interface of libcameo.so, as other programs use it.
#include "cameo/compiler.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

constexpr const char *relu =
    R"(<ir_version: 8, opset_import: ["" : 17]> graph (float[4] x) => (float[4] y) { y = Relu(x) })";
constexpr const char *wrong =
    R"(<ir_version: 8, opset_import: ["" : 17]> graph (float[4] x) => (float[4] y) { y = Relux(x) })";

struct Message {
  cameo_compiler_severity severity;
  std::string place, text;
};

class Compiler {
public:
  Compiler() : compiler(cameo_compiler_create()) {
    cameo_compiler_set_message_handler(
        compiler,
        [](void *user, cameo_compiler_severity severity, const char *place, const char *text) {
          static_cast<Compiler *>(user)->messages.push_back({severity, place, text});
        },
        this);
  }
  ~Compiler() { cameo_compiler_destroy(compiler); }
  Compiler(const Compiler &) = delete;
  Compiler &operator=(const Compiler &) = delete;

  void keep(std::string_view text) {
    cameo_compiler_set_model(compiler, "net.onnxtxt", text.data(), text.size());
    cameo_compiler_keep_outputs(compiler);
  }
  cameo_compiler_status add(const char *argument) { return cameo_compiler_add_argument(compiler, argument); }
  cameo_compiler_status run() { return cameo_compiler_run(compiler); }
  std::string output(cameo_compiler_output which) const {
    size_t size = 0;
    const void *data = cameo_compiler_get_output(compiler, which, &size);
    return data ? std::string(static_cast<const char *>(data), size) : std::string();
  }

  cameo_compiler *compiler;
  std::vector<Message> messages;
};

std::string fileBytes(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A temporary file that is removed at the end of the test.
struct TestFile {
  explicit TestFile(const std::string &name)
      : path(testing::TempDir() + "CompilerTest-" + std::to_string(getpid()) + "-" + name) {}
  ~TestFile() { std::remove(path.c_str()); }
  const std::string path;
};

} // namespace

TEST(CompilerTest, keeps_object_and_header_in_memory) {
  Compiler compiler;
  compiler.keep(relu);
  ASSERT_EQ(compiler.run(), CAMEO_COMPILER_SUCCESS);
  EXPECT_EQ(compiler.output(CAMEO_COMPILER_MAIN).substr(0, 4), "\x7f"
                                                               "ELF");
  EXPECT_NE(compiler.output(CAMEO_COMPILER_HEADER).find("net_run("), std::string::npos);
  EXPECT_EQ(compiler.output(CAMEO_COMPILER_WEIGHTS), "");
  EXPECT_TRUE(compiler.messages.empty());
}

TEST(CompilerTest, keeps_external_weights_in_memory) {
  Compiler compiler;
  compiler.keep(
      R"(<ir_version: 8, opset_import: ["" : 17]> graph (float[4] x) => (float[4] y) <float[4] w = {1, 2, 3, 4}> { y = Mul(x, w) })");
  ASSERT_EQ(compiler.add("--weights=kept"), CAMEO_COMPILER_SUCCESS);
  ASSERT_EQ(compiler.run(), CAMEO_COMPILER_SUCCESS);
  EXPECT_NE(compiler.output(CAMEO_COMPILER_WEIGHTS), "");
  EXPECT_FALSE(std::ifstream("kept").good());
}

TEST(CompilerTest, files_hold_the_bytes_that_memory_holds) {
  TestFile model("net.onnxtxt"), object("net.o"), header("net.h");
  std::ofstream(model.path) << relu;
  Compiler files;
  ASSERT_EQ(files.add(model.path.c_str()), CAMEO_COMPILER_SUCCESS);
  ASSERT_EQ(files.add(("-o=" + object.path).c_str()), CAMEO_COMPILER_SUCCESS);
  ASSERT_EQ(files.add(("--header=" + header.path).c_str()), CAMEO_COMPILER_SUCCESS);
  ASSERT_EQ(files.add("--prefix=net"), CAMEO_COMPILER_SUCCESS);
  ASSERT_EQ(files.run(), CAMEO_COMPILER_SUCCESS);

  Compiler memory;
  cameo_compiler_set_model(memory.compiler, model.path.c_str(), relu, std::char_traits<char>::length(relu));
  cameo_compiler_keep_outputs(memory.compiler);
  ASSERT_EQ(memory.add("--prefix=net"), CAMEO_COMPILER_SUCCESS);
  ASSERT_EQ(memory.run(), CAMEO_COMPILER_SUCCESS);
  EXPECT_EQ(memory.output(CAMEO_COMPILER_MAIN), fileBytes(object.path));
  EXPECT_EQ(memory.output(CAMEO_COMPILER_HEADER), fileBytes(header.path));
}

TEST(CompilerTest, messages_name_the_place) {
  Compiler compiler;
  compiler.keep(wrong);
  EXPECT_EQ(compiler.run(), CAMEO_COMPILER_FAILURE);
  ASSERT_EQ(compiler.messages.size(), 1u);
  EXPECT_EQ(compiler.messages[0].severity, CAMEO_COMPILER_ERROR);
  EXPECT_EQ(compiler.messages[0].place.substr(0, 12), "net.onnxtxt:");
  EXPECT_NE(compiler.messages[0].text.find("Relux"), std::string::npos);
  EXPECT_EQ(compiler.output(CAMEO_COMPILER_MAIN), "");
}

TEST(CompilerTest, a_wrong_argument_changes_nothing) {
  Compiler compiler;
  compiler.keep(relu);
  EXPECT_EQ(compiler.add("--threads=none"), CAMEO_COMPILER_FAILURE);
  EXPECT_EQ(compiler.add("--emit=nothing"), CAMEO_COMPILER_FAILURE);
  EXPECT_EQ(compiler.add("--not-an-option"), CAMEO_COMPILER_FAILURE);
  EXPECT_EQ(compiler.add(""), CAMEO_COMPILER_FAILURE);
  EXPECT_EQ(compiler.add(nullptr), CAMEO_COMPILER_FAILURE);
  EXPECT_EQ(compiler.messages.size(), 5u);
  EXPECT_EQ(compiler.run(), CAMEO_COMPILER_SUCCESS);
}

TEST(CompilerTest, outputs_in_memory_have_no_files) {
  Compiler compiler;
  compiler.keep(relu);
  ASSERT_EQ(compiler.add("-o=net.o"), CAMEO_COMPILER_SUCCESS);
  EXPECT_EQ(compiler.run(), CAMEO_COMPILER_FAILURE);
  Compiler library;
  library.keep(relu);
  ASSERT_EQ(library.add("--emit=lib"), CAMEO_COMPILER_SUCCESS);
  EXPECT_EQ(library.run(), CAMEO_COMPILER_FAILURE);
}

TEST(CompilerTest, one_model_is_expected) {
  Compiler none;
  EXPECT_EQ(none.run(), CAMEO_COMPILER_FAILURE);
  Compiler two;
  two.keep(relu);
  ASSERT_EQ(two.add("other.onnx"), CAMEO_COMPILER_SUCCESS);
  EXPECT_EQ(two.run(), CAMEO_COMPILER_FAILURE);
  cameo_compiler_set_model(two.compiler, nullptr, nullptr, 0);
  EXPECT_EQ(two.run(), CAMEO_COMPILER_FAILURE);
  ASSERT_EQ(two.messages.size(), 2u);
  EXPECT_EQ(two.messages[1].place, "other.onnx");
  Compiler nameless;
  nameless.keep(relu);
  cameo_compiler_set_model(nameless.compiler, "", relu, std::char_traits<char>::length(relu));
  EXPECT_EQ(nameless.run(), CAMEO_COMPILER_FAILURE);
  ASSERT_EQ(nameless.messages.size(), 1u);
  EXPECT_NE(nameless.messages[0].text.find("path"), std::string::npos);
}

TEST(CompilerTest, a_run_is_cancelled_before_the_next_pass) {
  Compiler compiler;
  compiler.keep(relu);
  std::vector<std::string> phases;
  std::pair<Compiler *, std::vector<std::string> *> both(&compiler, &phases);
  cameo_compiler_set_phase_handler(
      compiler.compiler,
      [](void *user, const char *phase) {
        auto [cancelled, seen] = *static_cast<decltype(both) *>(user);
        if (*phase)
          seen->push_back(phase);
        if (std::string(phase) == "graph")
          cameo_compiler_cancel(cancelled->compiler);
      },
      &both);
  EXPECT_EQ(compiler.run(), CAMEO_COMPILER_CANCELLED);
  ASSERT_FALSE(phases.empty());
  EXPECT_EQ(phases.back(), "graph");
  EXPECT_EQ(compiler.output(CAMEO_COMPILER_MAIN), "");

  cameo_compiler_set_phase_handler(compiler.compiler, nullptr, nullptr);
  EXPECT_EQ(compiler.run(), CAMEO_COMPILER_SUCCESS);
}

TEST(CompilerTest, what_a_cancelled_run_leaves_undone_is_no_error) {
  for (const char *gpu : {"", "--gpu=sm_80"}) {
    std::vector<std::string> phases;
    auto note = [](void *seen, const char *phase) {
      if (*phase)
        static_cast<std::vector<std::string> *>(seen)->push_back(phase);
    };
    Compiler whole;
    whole.keep(relu);
    if (*gpu)
      ASSERT_EQ(whole.add(gpu), CAMEO_COMPILER_SUCCESS);
    cameo_compiler_set_phase_handler(whole.compiler, note, &phases);
    ASSERT_EQ(whole.run(), CAMEO_COMPILER_SUCCESS);
    ASSERT_EQ(phases.back(), "write");
    phases.pop_back(); // No pass is left to run.
    for (std::string &last : phases) {
      Compiler compiler;
      compiler.keep(relu);
      if (*gpu)
        ASSERT_EQ(compiler.add(gpu), CAMEO_COMPILER_SUCCESS);
      std::pair<Compiler *, std::string *> both(&compiler, &last);
      cameo_compiler_set_phase_handler(
          compiler.compiler,
          [](void *user, const char *phase) {
            auto [cancelled, at] = *static_cast<decltype(both) *>(user);
            if (*at == phase)
              cameo_compiler_cancel(cancelled->compiler);
          },
          &both);
      EXPECT_EQ(compiler.run(), CAMEO_COMPILER_CANCELLED) << last;
      ASSERT_EQ(compiler.messages.size(), 1u) << last << gpu;
      EXPECT_NE(compiler.messages[0].text.find("cancelled"), std::string::npos) << last;
    }
  }
}

TEST(CompilerTest, several_run_at_the_same_time) {
  constexpr int count = 4;
  std::vector<std::string> objects(count), errors(count);
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i)
    threads.emplace_back([&, i] {
      Compiler compiler;
      compiler.keep(i % 2 ? wrong : relu);
      compiler.run();
      objects[i] = compiler.output(CAMEO_COMPILER_MAIN);
      errors[i] = compiler.messages.empty() ? "" : compiler.messages[0].text;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_NE(objects[0], "");
  EXPECT_EQ(objects[0], objects[2]);
  EXPECT_NE(errors[1], "");
  EXPECT_EQ(errors[1], errors[3]);
  EXPECT_EQ(errors[0] + objects[1], "");
}
