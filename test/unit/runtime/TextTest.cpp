#include "cameo/text.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Area {
  explicit Area(size_t capacity = 1024) : memory(capacity, 'x'), area{memory.data(), capacity, 0} {}
  operator cameo_text_area *() { return &area; }

  std::vector<char> memory;
  cameo_text_area area;
};

/// Returns all counted parts of a string.
std::vector<std::string> split(const char *string, const char *delimiter, int64_t most = -1) {
  Area area;
  std::vector<std::string> parts;
  for (int64_t i = 0, count = cameo_text_count_parts(string, delimiter, most); i < count; ++i)
    parts.push_back(cameo_text_take_part(area, string, delimiter, most, i));
  return parts;
}

using Parts = std::vector<std::string>;

} // namespace

TEST(String, ComparesBytes) {
  EXPECT_EQ(cameo_text_compare("a", "a"), 0);
  EXPECT_LT(cameo_text_compare("", "a"), 0);
  EXPECT_GT(cameo_text_compare("\xC3\xA9", "z"), 0); // bytes are compared as unsigned
}

TEST(String, ConcatenatesIntoTheArea) {
  Area area;
  EXPECT_STREQ(cameo_text_concat(area, "ab", "cd"), "abcd");
  EXPECT_STREQ(cameo_text_concat(area, "", ""), "");
  EXPECT_EQ(area.area.used, 6u); // including the terminating zeros
}

TEST(String, FullAreaGivesEmptyStringsAndCountsOn) {
  Area area(8);
  EXPECT_STREQ(cameo_text_concat(area, "abc", "defg"), "abcdefg");
  EXPECT_STREQ(cameo_text_concat(area, "a", "b"), "");
  EXPECT_EQ(area.area.used, 11u);
  Area exact(3);
  EXPECT_STREQ(cameo_text_concat(exact, "abc", ""), "");
}

TEST(String, AreaWithoutMemory) {
  cameo_text_area area = {nullptr, 0, 0};
  EXPECT_STREQ(cameo_text_from_int64(&area, 42), "");
  EXPECT_EQ(area.used, 3u);
}

TEST(String, ThreadsShareAnArea) {
  Area area(2 * 1000 * 2);
  auto fill = [&] {
    for (int i = 0; i < 1000; ++i)
      cameo_text_from_int64(area, i % 10);
  };
  std::thread other(fill);
  fill();
  other.join();
  EXPECT_EQ(area.area.used, 4000u);
  for (size_t i = 1; i < 4000; i += 2)
    EXPECT_EQ(area.memory[i], 0);
}

TEST(StringCase, MapsCodePoints) {
  Area area;
  EXPECT_STREQ(cameo_text_upper(area, "stra\u00DFe \u00E9\u0436"), "STRA\u00DFE \u00C9\u0416");
  EXPECT_STREQ(cameo_text_lower(area, "AZ[\u0130\u0410\U00010400"), "az[\u0130\u0430\U00010428");
}

TEST(StringCase, LeavesWhatIsNotUtf8) {
  Area area;
  EXPECT_STREQ(cameo_text_upper(area, "a\xFF\xC3"), "A\xFF\xC3");
  EXPECT_STREQ(cameo_text_upper(area, "\xE2\x80"), "\xE2\x80");
  EXPECT_STREQ(cameo_text_lower(area, "\xC0\x81"), "\xC0\x81"); // an overlong encoding
}

TEST(StringCase, UnchangedStringTakesNoRoom) {
  Area area;
  const char *string = "same";
  EXPECT_EQ(cameo_text_lower(area, string), string);
  EXPECT_EQ(area.area.used, 0u);
}

TEST(StringNumbers, WritesTheFewestDigits) {
  Area area;
  EXPECT_STREQ(cameo_text_from_float32(area, 0.1f), "0.1");
  EXPECT_STREQ(cameo_text_from_float32(area, 0.039187793f), "0.039187793");
  EXPECT_STREQ(cameo_text_from_float64(area, 0.1f), "0.10000000149011612");
  EXPECT_STREQ(cameo_text_from_float32(area, 3), "3.0");
  EXPECT_STREQ(cameo_text_from_float64(area, 1e16), "1e+16");
  EXPECT_STREQ(cameo_text_from_float64(area, 123456789012345.0), "123456789012345.0");
  EXPECT_STREQ(cameo_text_from_float64(area, 1.25e-7), "1.25e-07");
  EXPECT_STREQ(cameo_text_from_float64(area, 0.0001), "0.0001");
  EXPECT_STREQ(cameo_text_from_float64(area, -0.0), "-0.0");
  EXPECT_STREQ(cameo_text_from_float64(area, std::numeric_limits<double>::denorm_min()), "5e-324");
  EXPECT_STREQ(cameo_text_from_float16(area, 0x2E66), "0.1");
  EXPECT_STREQ(cameo_text_from_float16(area, 0x6C04), "4110.0"); // 4112, which NumPy writes so
  EXPECT_STREQ(cameo_text_from_bfloat16(area, 0x3DCD), "0.1");
}

TEST(StringNumbers, WritesWhatIsNoNumber) {
  Area area;
  EXPECT_STREQ(cameo_text_from_float32(area, NAN), "nan");
  EXPECT_STREQ(cameo_text_from_float64(area, INFINITY), "inf");
  EXPECT_STREQ(cameo_text_from_float16(area, 0xFC00), "-inf");
  EXPECT_STREQ(cameo_text_from_bool(area, 1), "True");
}

TEST(StringNumbers, WritesIntegers) {
  Area area;
  EXPECT_STREQ(cameo_text_from_int64(area, INT64_MIN), "-9223372036854775808");
  EXPECT_STREQ(cameo_text_from_uint64(area, UINT64_MAX), "18446744073709551615");
}

TEST(StringNumbers, ReadsFloats) {
  EXPECT_EQ(cameo_text_to_float64(" 3.14 "), 3.14);
  EXPECT_EQ(cameo_text_to_float64("-1E+3"), -1000);
  EXPECT_EQ(cameo_text_to_float64(".5"), 0.5);
  EXPECT_EQ(cameo_text_to_float32("0.1"), 0.1f);
  EXPECT_EQ(cameo_text_to_float64("+INF"), INFINITY);
  EXPECT_EQ(cameo_text_to_float32("-Infinity"), -INFINITY);
  EXPECT_TRUE(std::isnan(cameo_text_to_float64("nAn")));
  EXPECT_EQ(cameo_text_to_float64(("1" + std::string(400, '0') + "e-400").c_str()), 1);
  EXPECT_EQ(cameo_text_to_float64("1e999999999999999999999"), INFINITY);
  // Half way between two doubles, and slightly above, which only the last digit decides.
  std::string middle = "1.00000000000000011102230246251565404236316680908203125";
  EXPECT_EQ(cameo_text_to_float64(middle.c_str()), 1);
  EXPECT_EQ(cameo_text_to_float64((middle + std::string(2000, '0') + "1").c_str()), 1 + 0x1p-52);
}

TEST(StringNumbers, OtherStringsAreNoNumbers) {
  for (const char *string : {"", " ", "abc", "1.5x", "1e", "--1", ".", "1 2", "infx", "0x10", "\xFF"}) {
    EXPECT_TRUE(std::isnan(cameo_text_to_float64(string))) << string;
    EXPECT_TRUE(std::isnan(cameo_text_to_float32(string))) << string;
    EXPECT_EQ(cameo_text_to_int64(string), 0) << string;
  }
}

TEST(StringNumbers, ReadsIntegers) {
  EXPECT_EQ(cameo_text_to_int64("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(cameo_text_to_int64("-99999999999999999999"), INT64_MIN);
  EXPECT_EQ(cameo_text_to_int64("100.5"), 100);
  EXPECT_EQ(cameo_text_to_int64("-1e3"), -1000);
  EXPECT_EQ(cameo_text_to_uint64("18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(cameo_text_to_uint64("-1"), 0u);
}

TEST(StringNumbers, ReadsBooleans) {
  EXPECT_EQ(cameo_text_to_bool("True"), 1);
  EXPECT_EQ(cameo_text_to_bool("false"), 0);
  EXPECT_EQ(cameo_text_to_bool("0.5"), 1);
  EXPECT_EQ(cameo_text_to_bool("0"), 0);
}

TEST(StringParts, AtDelimiters) {
  EXPECT_EQ(split("a,b,,c", ","), (Parts{"a", "b", "", "c"}));
  EXPECT_EQ(split("", ","), Parts{""});
  EXPECT_EQ(split("aaa", "aa"), (Parts{"", "a"}));
  EXPECT_EQ(split("a--b--c", "--", 1), (Parts{"a", "b--c"}));
  EXPECT_EQ(split("a,b", ",", 0), Parts{"a,b"});
}

TEST(StringParts, AtBlanks) {
  EXPECT_EQ(split("  a \t b\u3000c ", ""), (Parts{"a", "b", "c"}));
  EXPECT_EQ(split("   ", ""), Parts{});
  EXPECT_EQ(split(" a b  c ", "", 1), (Parts{"a", "b  c "}));
}

TEST(StringParts, NoneBehindTheLast) {
  Area area;
  EXPECT_STREQ(cameo_text_take_part(area, "a,b", ",", -1, 2), "");
}
