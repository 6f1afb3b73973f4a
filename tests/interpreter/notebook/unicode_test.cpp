#include "interpreter/notebook/unicode.h"

#include <catch2/catch.hpp>

#include <string>

using namespace perigee::notebook;

TEST_CASE("positions count code points, whatever bytes they take") {
  const std::string text = "a\xC3\xA9\xF0\x9F\x98\x80z";  // a, e with acute, a face, z: 1 + 2 + 4 + 1 bytes
  CHECK(byte_of(text, 0) == 0);
  CHECK(byte_of(text, 1) == 1);
  CHECK(byte_of(text, 2) == 3);
  CHECK(byte_of(text, 3) == 7);
  CHECK(byte_of(text, 4) == 8);
  CHECK(byte_of(text, 99) == 8);
  CHECK(code_point_of(text, 7) == 3);
  CHECK(code_point_of(text, 99) == 4);
  for (std::size_t count = 0; count <= 4; ++count) CHECK(code_point_of(text, byte_of(text, count)) == count);
  CHECK(byte_of("\xFF\xFE", 1) == 1);  // each wrong byte counts as one
}

TEST_CASE("bytes that are no UTF-8 are replaced, one by one") {
  const std::string mark = "\xEF\xBF\xBD";
  CHECK(valid_utf8("plain \xC3\xA9") == "plain \xC3\xA9");
  CHECK(valid_utf8("\xFF") == mark);
  CHECK(valid_utf8("a\xC3") == "a" + mark);                            // cut
  CHECK(valid_utf8("\xC0\x80") == mark + mark);                        // too long a form of NUL
  CHECK(valid_utf8("\xED\xA0\x80") == mark + mark + mark);             // half of a surrogate pair
  CHECK(valid_utf8("\xF4\x90\x80\x80") == mark + mark + mark + mark);  // beyond U+10FFFF
  CHECK(valid_utf8("\xF4\x8F\xBF\xBF") == "\xF4\x8F\xBF\xBF");
}

TEST_CASE("the beginning of a character waits for its end") {
  CHECK(complete_characters("ab") == 2);
  CHECK(complete_characters("ab\xC3") == 2);
  CHECK(complete_characters("ab\xC3\xA9") == 4);
  CHECK(complete_characters("\xF0\x9F\x98") == 0);
  CHECK(complete_characters("\xF0\x9F\x98\x80") == 4);
  CHECK(complete_characters("\xA9\xA9\xA9\xA9") == 4);  // no beginning: nothing to wait for
  CHECK(complete_characters("") == 0);
}
