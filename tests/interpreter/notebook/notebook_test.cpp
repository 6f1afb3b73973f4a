#include "interpreter/notebook/notebook.h"

#include <catch2/catch.hpp>

#include <mutex>
#include <string>
#include <vector>

using namespace perigee::notebook;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

struct Asked {
  std::vector<Message> heard;
  Publisher publisher{[this](const Message& message) { heard.push_back(message); }};
  Notebook notebook{{}, publisher};

  Notebook::Answer ask(const std::string& type, json content) {
    Message request;
    request.header = {{"msg_type", type}, {"msg_id", "1"}};
    request.content = std::move(content);
    publisher.begin(request.header);
    notebook.begin(request);
    Notebook::Answer answer = notebook.answer(request);
    publisher.flush();
    return answer;
  }
  json run(const std::string& code) { return ask("execute_request", {{"code", code}}).content; }
  json last(const std::string& type) const {
    json content;
    for (const Message& message : heard)
      if (message.type() == type) content = message.content;
    return content;
  }
};

}  // namespace

TEST_CASE("a cell answers with its count, its value and what it printed") {
  Asked asked;
  json reply = asked.run("print('a')\n6 * 7");
  CHECK(reply["status"] == "ok");
  CHECK(reply["execution_count"] == 1);
  CHECK(asked.last("execute_result")["data"]["text/plain"] == "42");
  CHECK(asked.last("stream")["text"] == "a\n");
  CHECK(asked.last("execute_input")["code"] == "print('a')\n6 * 7");
  reply = asked.run("x = 1\nx.y.z = 2");
  CHECK(reply["status"] == "error");
  CHECK(reply["traceback"][0].get<std::string>().starts_with("In [2]:2: error: "));
  CHECK(asked.last("error")["ename"] == reply["ename"]);
}

TEST_CASE("a cell that would leave says what ends a notebook") {
  Asked asked;
  const json reply = asked.run(":quit");
  CHECK(reply["payload"][0]["source"] == "ask_exit");  // for a console
  CHECK(asked.last("stream")["text"].get<std::string>().starts_with("A cell does not end the session"));
}

TEST_CASE("the frame of a chart has its title, and is as high as its lanes need") {
  Asked asked;
  const auto html = [&] { return asked.last("display_data")["data"]["text/html"].get<std::string>(); };
  asked.run("local c = cost.chart { times = { { 4, 2 } } }\nc:fill 'min_min'\nc:gantt()");
  CHECK_THAT(html(), Contains("<iframe title=\"a plan\"") && Contains("height: 710px"));
  asked.run(
      "scenario { platform = platform { cluster 'n' { nodes = 40 } }, workload = workload.tasks { { time = 1 } } }"
      ":run { policy = 'fcfs' }:gantt()");
  CHECK_THAT(html(), Contains("<iframe title=\"fcfs, seed 1\"") && Contains("height: 900px"));
}

TEST_CASE("cells behind one that fails are only stopped where that is wanted") {
  Asked asked;
  CHECK(asked.ask("execute_request", {{"code", "error 'no'"}}).stops_queue);
  CHECK(!asked.ask("execute_request", {{"code", "error 'no'"}, {"stop_on_error", false}}).stops_queue);
  CHECK(!asked.ask("execute_request", {{"code", "1"}}).stops_queue);
  CHECK(asked.notebook.aborted().content["status"] == "aborted");
}

TEST_CASE("completion counts code points") {
  Asked asked;
  const std::string code = "z = '\xC3\xA9\xF0\x9F\x98\x80' platf";  // 14 code points
  const json reply = asked.ask("complete_request", {{"code", code}, {"cursor_pos", 14}}).content;
  CHECK(reply["matches"] == json{"platform"});
  CHECK(reply["cursor_start"] == 9);
  CHECK(reply["cursor_end"] == 14);
  CHECK(asked.ask("complete_request", {{"code", code}, {"cursor_pos", 1000000}}).content["cursor_end"] == 14);
  CHECK(asked.ask("complete_request", json::object()).content["matches"].is_array());
}

TEST_CASE("an inspection finds the name at the cursor, or that of the call around it") {
  CHECK(name_at("s:compare", 9) == "s:compare");
  CHECK(name_at("s:compare", 3) == "s:compare");
  CHECK(name_at("x = s:run { policy = ", 21) == "s:run");
  CHECK(name_at("cluster \"fast\" { ", 17) == "cluster");
  CHECK(name_at("stats.mean(", 11) == "stats.mean");
  CHECK(name_at("print(f(1), ", 12) == "print");
  CHECK(name_at("", 0).empty());
  CHECK(name_at("1 + ", 4).empty());
  CHECK(name_at("\"", 1).empty());
  CHECK(name_at("\" {", 3).empty());
  CHECK(name_at("a..b", 99) == "a..b");
}

TEST_CASE("requests of any content have an answer") {
  Asked asked;
  const json contents[] = {json::object(),
                           {{"code", 7}, {"cursor_pos", "x"}},
                           {{"code", "x ="}, {"cursor_pos", -5}},
                           {{"hist_access_type", 3}, {"n", -1}, {"start", "a"}},
                           {{"code", "("}, {"user_expressions", {{"a", 1}, {"b", "("}}}}};
  for (const json& content : contents)
    for (const char* type :
         {"execute_request", "complete_request", "inspect_request", "is_complete_request", "history_request",
          "kernel_info_request", "comm_info_request", "comm_open", "unknown"})
      CHECK_NOTHROW(asked.ask(type, content));
  CHECK(asked.run("1")["status"] == "ok");
}

TEST_CASE("history is searched from its end") {
  Asked asked;
  for (const char* code : {"a = 1", "b = 2", "a = 1"}) asked.run(code);
  const auto found = [&](json request) {
    return asked.ask("history_request", std::move(request)).content["history"];
  };
  CHECK(found({{"hist_access_type", "tail"}, {"n", 2}}) == json::array({{0, 2, "b = 2"}, {0, 3, "a = 1"}}));
  CHECK(found({{"hist_access_type", "search"}, {"pattern", "a*"}, {"n", 9}}).size() == 2);
  CHECK(found({{"hist_access_type", "search"}, {"pattern", "?*1"}, {"unique", true}, {"n", 9}}).size() == 1);
  CHECK(found({{"hist_access_type", "range"}, {"start", 1}, {"stop", 3}}).size() == 2);
  CHECK(found({{"hist_access_type", "tail"}, {"n", 1}, {"output", true}})[0][2] ==
        json::array({"a = 1", nullptr}));
}

TEST_CASE("an interrupt between cells is nobody's") {
  Asked asked;
  asked.notebook.interrupt();
  asked.notebook.insist();
  CHECK(asked.run("for i = 1, 1e5 do end")["status"] == "ok");
}
