#include "interpreter/notebook/publisher.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

using namespace perigee::notebook;

namespace {

struct Heard {
  std::mutex mutex;
  std::vector<Message> messages;
  Publisher publisher{[this](const Message& message) {
    const std::scoped_lock lock(mutex);
    messages.push_back(message);
  }};
  std::string text(const std::string& stream) {
    const std::scoped_lock lock(mutex);
    std::string all;
    for (const Message& message : messages)
      if (message.type() == "stream" && message.content["name"] == stream) all += message.content["text"];
    return all;
  }
  std::vector<std::string> types() {
    const std::scoped_lock lock(mutex);
    std::vector<std::string> all;
    for (const Message& message : messages) all.push_back(message.type());
    return all;
  }
};

}  // namespace

TEST_CASE("printed texts arrive in their order, in few messages") {
  Heard heard;
  std::string expected;
  for (int i = 0; i < 20000; ++i) {
    const std::string line = std::to_string(i) + "\n";
    heard.publisher.print("stdout", line);
    expected += line;
  }
  heard.publisher.flush();
  CHECK(heard.text("stdout") == expected);
  CHECK(heard.types().size() < 1000);
}

TEST_CASE("what is printed is sent before what is shown after it") {
  Heard heard;
  heard.publisher.print("stdout", "a");
  heard.publisher.print("stderr", "b");
  heard.publisher.publish("execute_result", nlohmann::json::object());
  CHECK(heard.types() == std::vector<std::string>{"stream", "stream", "execute_result"});
}

TEST_CASE("printed text is sent without a flush, soon") {
  Heard heard;
  heard.publisher.print("stdout", "alone");
  for (int i = 0; i < 1000 && heard.text("stdout").empty(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(heard.text("stdout") == "alone");
}

TEST_CASE("a character that is printed in two parts is whole") {
  Heard heard;
  heard.publisher.print("stdout", "\xC3");
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  heard.publisher.print("stdout", "\xA9");
  heard.publisher.print("stdout", "\xC3");
  heard.publisher.flush();
  CHECK(heard.text("stdout") == "\xC3\xA9\xEF\xBF\xBD");
}

TEST_CASE("answers name the request") {
  Heard heard;
  heard.publisher.begin({{"msg_id", "one"}});
  heard.publisher.print("stdout", "a");
  heard.publisher.begin({{"msg_id", "two"}});
  heard.publisher.print("stdout", "b");
  heard.publisher.publish_for({{"msg_id", "other"}}, "status", {{"execution_state", "busy"}});
  heard.publisher.flush();
  REQUIRE(heard.messages.size() == 3);
  CHECK(heard.messages[0].parent["msg_id"] == "one");
  CHECK(heard.messages[1].parent["msg_id"] == "other");
  CHECK(heard.messages[2].parent["msg_id"] == "two");
}

TEST_CASE("a line of progress changes in its place, and goes away") {
  Heard heard;
  heard.publisher.begin({});
  heard.publisher.end_progress();
  heard.publisher.show_progress("1 %");
  heard.publisher.show_progress("2 %");
  heard.publisher.end_progress();
  CHECK(heard.types() == std::vector<std::string>{"display_data", "update_display_data", "clear_output"});
  CHECK(heard.messages[0].content["transient"] == heard.messages[1].content["transient"]);
  heard.publisher.print("stdout", "kept");  // all outputs would be cleared
  heard.publisher.show_progress("3 %");
  heard.publisher.end_progress();
  CHECK(heard.messages.back().type() == "update_display_data");
  CHECK(heard.messages.back().content["data"]["text/plain"] == "");
  CHECK(heard.messages.back().content["transient"] != heard.messages[0].content["transient"]);
}
