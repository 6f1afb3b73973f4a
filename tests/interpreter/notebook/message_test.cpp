#include "interpreter/notebook/message.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <random>
#include <string>

using namespace perigee::notebook;

namespace {

Frames request() {
  Session session;
  Message message = session.make("execute_request", {{"code", "1 + 1"}}, {});
  message.identities = {"client", std::string("\0\xFF", 2)};
  return frames_of(message, "key");
}

}  // namespace

// RFC 4231, test cases 1, 2 and 3.
TEST_CASE("signatures are HMAC-SHA256 over the texts in a row") {
  CHECK(signature(std::string(20, '\x0b'), {"Hi ", "There"}) ==
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  CHECK(signature("Jefe", {"what do ya want ", "", "for nothing?"}) ==
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  CHECK(signature(std::string(20, '\xaa'), {std::string(50, '\xdd')}) ==
        "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
  CHECK(signature("", {"anything"}).empty());
}

TEST_CASE("a message is read as it was sent, with all its identities") {
  std::string why;
  const auto message = message_of(request(), "key", why);
  REQUIRE(message);
  CHECK(message->type() == "execute_request");
  CHECK(message->identities == std::vector<std::string>{"client", std::string("\0\xFF", 2)});
  CHECK(message->content["code"] == "1 + 1");
  CHECK(message->header["version"] == "5.3");
  Frames with_buffers = request();
  with_buffers.emplace_back("more");
  CHECK(message_of(with_buffers, "key", why));
}

TEST_CASE("a message with a wrong signature is no message") {
  std::string why;
  CHECK(!message_of(request(), "another", why));
  CHECK(why == "its signature is not that of the connection file's key");
  CHECK(message_of(request(), "", why));  // no key: nothing is signed
  Frames unsigned_one = request();
  unsigned_one[3].clear();
  CHECK(!message_of(unsigned_one, "key", why));
  for (std::size_t part = 3; part < 8; ++part) {
    Frames changed = request();
    changed[part][0] = static_cast<char>(changed[part][0] ^ 1);
    CHECK(!message_of(changed, "key", why));
  }
}

TEST_CASE("bytes that are no UTF-8 are replaced in what is sent") {
  Session session;
  std::string why;
  const Message message = session.make("stream", {{"text", "a\xFF"}}, {});
  const auto read = message_of(frames_of(message, "key"), "key", why);
  REQUIRE(read);
  CHECK(read->content["text"] == "a\xEF\xBF\xBD");
}

TEST_CASE("malformed frames are refused with a reason") {
  std::string why;
  CHECK(!message_of({}, "key", why));
  CHECK(why == "it has no delimiter");
  CHECK(!message_of({"<IDS|MSG>", "", "{}", "{}"}, "", why));
  CHECK(why == "it is not whole");
  CHECK(!message_of({"<IDS|MSG>", "", "{}", "{}", "{}", "{}"}, "", why));
  CHECK(why == "it has no type");
  CHECK(!message_of({"<IDS|MSG>", "", "[]", "{}", "{}", "{}"}, "", why));
  CHECK(why == "a part of it is no JSON object");
  CHECK(!message_of({"<IDS|MSG>", "", R"({"msg_type": 7})", "{}", "{}", "{}"}, "", why));
  CHECK(!message_of({"<IDS|MSG>", "", "{\"msg_type\": \"\xFF\"}", "{}", "{}", "{}"}, "", why));
  CHECK(!message_of({"<IDS|MSG>", "", std::string(100000, '['), "{}", "{}", "{}"}, "", why));
}

TEST_CASE("any frames are a message or refused") {
  std::mt19937 random(7);  // a fixed seed
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  std::size_t read = 0;
  for (int i = 0; i < 3000; ++i) {
    Frames frames = request();
    for (std::size_t changes = 1 + below(3); changes > 0 && !frames.empty(); --changes) {
      std::string& frame = frames[below(frames.size())];
      switch (below(4)) {
        case 0:
          frames.erase(frames.begin() + static_cast<std::ptrdiff_t>(below(frames.size())));
          break;
        case 1:
          frame.resize(below(frame.size() + 1));
          break;
        case 2:
          frame.insert(below(frame.size() + 1), 1, static_cast<char>(below(256)));
          break;
        default:
          frames.insert(frames.begin() + static_cast<std::ptrdiff_t>(below(frames.size())), frame);
      }
    }
    std::string why;
    const bool is_message = message_of(frames, "", why).has_value();
    read += is_message ? 1 : 0;
    CHECK((is_message || !why.empty()));
  }
  CHECK(read > 0);
}

TEST_CASE("fields of others are taken only where they have their type") {
  const nlohmann::json of = {{"text", "a"}, {"flag", true}, {"number", 3}, {"none", nullptr}};
  CHECK(text_in(of, "text") == "a");
  CHECK(text_in(of, "number").empty());
  CHECK(flag_in(of, "flag", false));
  CHECK(flag_in(of, "text", true));
  CHECK(number_in(of, "number", 1) == 3);
  CHECK(number_in(of, "none", 1) == 1);
}
