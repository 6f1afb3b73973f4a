// Texts that are packed in gzip.
#pragma once

#include <zlib.h>

#include <catch2/catch.hpp>
#include <string>

namespace perigee::test {

// The text, of which `most` bytes at most are expected.
inline std::string unzipped(const std::string& gzip, std::size_t most) {
  std::string out(most + 1, '\0');
  z_stream stream = {};
  REQUIRE(inflateInit2(&stream, 15 + 16) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(gzip.data()));
  stream.avail_in = static_cast<uInt>(gzip.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int status = inflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  REQUIRE(status == Z_STREAM_END);
  return out;
}

}  // namespace perigee::test
