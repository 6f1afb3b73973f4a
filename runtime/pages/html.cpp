#include "runtime/pages/html.h"

#include <sodium.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>

#include "runtime/kernel/error.h"
#include "runtime/results/markup.h"
#include "runtime/results/table.h"

namespace perigee::pages {

std::string html_text(std::string_view text) { return markup_text(printable(text, "\n\t")); }

std::string in_element(std::string_view plain) {
  std::string out;
  out.reserve(plain.size());
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const char c = plain[i];
    if (c == '<' || c == '>' || c == '&') {
      out += c == '<' ? "\\u003c" : c == '>' ? "\\u003e" : "\\u0026";
    } else if (plain.compare(i, 2, "\xE2\x80") == 0 && i + 2 < plain.size() &&
               (plain[i + 2] == '\xA8' ||
                plain[i + 2] == '\xA9')) {  // U+2028 and U+2029 end lines of scripts
      out += plain[i + 2] == '\xA8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      out += c;
    }
  }
  return out;
}

std::string base64(std::span<const std::uint8_t> bytes) {
  std::string out(sodium_base64_ENCODED_LEN(bytes.size(), sodium_base64_VARIANT_ORIGINAL), '\0');
  sodium_bin2base64(out.data(), out.size(), bytes.data(), bytes.size(), sodium_base64_VARIANT_ORIGINAL);
  out.pop_back();  // the zero
  return out;
}

std::string from_base64(std::string_view text) {
  std::string out(text.size() / 4 * 3 + 3, '\0');
  std::size_t length = 0;
  const char* end = nullptr;
  if (sodium_base642bin(reinterpret_cast<unsigned char*>(out.data()), out.size(), text.data(), text.size(),
                        nullptr, &length, &end, sodium_base64_VARIANT_ORIGINAL) != 0 ||
      end != text.data() + text.size())
    fail("bad_record", "packed numbers are no base64");
  out.resize(length);
  return out;
}

std::string packed(std::string_view bytes) {
  z_stream stream = {};
  constexpr int kGzip = 16, kWindow = 15, kLevel = 6, kMemory = 8;
  if (deflateInit2(&stream, kLevel, Z_DEFLATED, kWindow + kGzip, kMemory, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::string out;
  try {
    out.resize(deflateBound(&stream, bytes.size()));
  } catch (...) {
    deflateEnd(&stream);
    throw;
  }
  // zlib takes 4 GB at a time.
  constexpr std::size_t kAtOnce = std::size_t{1} << 30;
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  std::size_t given = 0, room = out.size();
  int status = Z_OK;
  while (status == Z_OK) {
    if (stream.avail_in == 0 && given < bytes.size()) {
      const std::size_t part = std::min(kAtOnce, bytes.size() - given);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + given));
      stream.avail_in = static_cast<uInt>(part);
      given += part;
    }
    const std::size_t part = std::min(kAtOnce, room);
    stream.avail_out = static_cast<uInt>(part);
    status = deflate(&stream, given == bytes.size() ? Z_FINISH : Z_NO_FLUSH);
    room -= part - stream.avail_out;
  }
  out.resize(out.size() - room);
  deflateEnd(&stream);
  constexpr std::size_t kSystem = 9;  // of the header, which differs between systems
  out[kSystem] = '\xFF';
  return base64({reinterpret_cast<const std::uint8_t*>(out.data()), out.size()});
}

std::string hash_source(std::string_view text) {
  std::array<std::uint8_t, crypto_hash_sha256_BYTES> hash = {};
  crypto_hash_sha256(hash.data(), reinterpret_cast<const unsigned char*>(text.data()), text.size());
  return "sha256-" + base64(hash);
}

}  // namespace perigee::pages
