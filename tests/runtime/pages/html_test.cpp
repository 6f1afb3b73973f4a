#include "runtime/pages/html.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <span>
#include <string>

#include "tests/support/gzip.h"

using namespace perigee;

namespace {

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace

TEST_CASE("no text is markup") {
  CHECK(pages::html_text("a < b & c > \"d\" 'e'") == "a &lt; b &amp; c &gt; &quot;d&quot; &#39;e&#39;");
  CHECK(pages::html_text("</script><img src=x onerror=alert(1)>") ==
        "&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;");
  CHECK(pages::html_text("two\nlines\tand a bell\x07") == "two\nlines\tand a bell ");
  CHECK(pages::html_text("\xFF\xC3") == "??");
}

TEST_CASE("no JSON ends the element that it stands in") {
  CHECK(pages::in_element("\"</script><!--<script>&\"") ==
        "\"\\u003c/script\\u003e\\u003c!--\\u003cscript\\u003e\\u0026\"");
  CHECK(pages::in_element("\"\xE2\x80\xA8 \xE2\x80\xA9 \xE2\x80\xA7\"") ==
        "\"\\u2028 \\u2029 \xE2\x80\xA7\"");
  CHECK(pages::in_element("\"\xE2\x80") == "\"\xE2\x80");  // a text that ends early is left alone
}

TEST_CASE("base64 as in RFC 4648, section 10") {
  CHECK(pages::base64(bytes_of("")).empty());
  CHECK(pages::base64(bytes_of("f")) == "Zg==");
  CHECK(pages::base64(bytes_of("fo")) == "Zm8=");
  CHECK(pages::base64(bytes_of("foobar")) == "Zm9vYmFy");
  for (const std::string text : {"", "f", "fo", "foo", "foob", "fooba", "foobar"})
    CHECK(pages::from_base64(pages::base64(bytes_of(text))) == text);
  for (const std::string wrong : {"Zg=", "Z", "Zm9v\nYmFy", "Zm9vYmFy!", "Zg==Zg=="})
    CHECK_THROWS_AS(pages::from_base64(wrong), Error);
}

TEST_CASE("hashes of scripts are those of FIPS 180-4") {
  CHECK(pages::hash_source("") == "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
  CHECK(pages::hash_source("abc") == "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
}

TEST_CASE("packed bytes come back") {
  std::string bytes;
  for (int i = 0; i < 100'000; ++i) bytes += static_cast<char>(i % 251);
  for (const std::string& each : {std::string(), std::string("a"), bytes}) {
    const std::string gzip = pages::from_base64(pages::packed(each));
    CHECK(test::unzipped(gzip, each.size()) == each);
    CHECK(static_cast<unsigned char>(gzip[9]) == 255);  // the header tells no system
  }
}
