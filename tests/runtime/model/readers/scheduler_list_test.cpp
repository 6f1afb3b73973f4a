#include "runtime/model/readers/scheduler_list.h"

#include <catch2/catch.hpp>

#include "runtime/kernel/error.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

using ListedValue = SchedulerListEntry::Value;

// The error in a list as "code | line | message".
std::string scheduler_list_refused(std::string_view text) {
  try {
    parse_scheduler_list(text, "list.xml");
  } catch (const Error& error) {
    const Diagnostic& what = error.diagnostic();
    CHECK(what.where.file == "list.xml");
    return what.code + " | " + std::to_string(what.where.line) + " | " + what.message;
  }
  return "nothing";
}

// The error of a list of one scheduler, whose values are in line 3.
std::string refused_in(std::string_view name, std::string_view values) {
  return scheduler_list_refused("<SchedulerList>\n<Scheduler><Name>" + std::string(name) +
                                "</Name><ParameterSet>\n" + std::string(values) +
                                "</ParameterSet></Scheduler></SchedulerList>");
}

}  // namespace

TEST_CASE("the scheduler list of Sim-PETEK's Figure 4.2 has five entries") {
  const SchedulerList list = parse_scheduler_list(R"(<?xml version="1.0" encoding="utf-8" ?>
<SchedulerList>
  <Scheduler> <Name>AMRA</Name>
    <ParameterSet> <NumRounds>2</NumRounds> <NumRounds>3</NumRounds> </ParameterSet> </Scheduler>
  <Scheduler> <Name>ImprovedSSSEScheduler</Name>
    <ParameterSet>
      <Peak>2</Peak> <KValue>15</KValue> <MValue>10.5</MValue>
      <Peak>3</Peak> <KValue>30</KValue> <MValue>20.3</MValue>
    </ParameterSet> </Scheduler>
  <Scheduler> <Name>CalibratedScheduler</Name> </Scheduler>
</SchedulerList>)",
                                                  "list.xml");
  REQUIRE(list.entries.size() == 5);
  const char* const labels[] = {"AMRA-2", "AMRA-3", "ImprovedSSSEScheduler-2/15/10.5",
                                "ImprovedSSSEScheduler-3/30/20.3", "CalibratedScheduler"};
  const char* const schedulers[] = {"amra", "amra", "issse_amra", "issse_amra", "calibrated"};
  const int lines[] = {3, 3, 5, 5, 10};
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(list.entries[i].label == labels[i]);
    CHECK(list.entries[i].scheduler == schedulers[i]);
    CHECK(list.entries[i].line == lines[i]);
  }
  CHECK(list.entries[1].parameters == std::map<std::string, ListedValue>{{"rounds", 3.0}});
  CHECK(list.entries[2].parameters ==
        std::map<std::string, ListedValue>{{"peak", 2.0}, {"k", 15.0}, {"m", 10.5}});
  CHECK(list.entries[4].parameters.empty());
  CHECK(list.duplicates.empty());
}

TEST_CASE("options hold for all entries of a scheduler, in the set or beside it") {
  const SchedulerList list = parse_scheduler_list(
      "\xEF\xBB\xBF<SchedulerList><!-- ours --><Scheduler><Name> P-AMRA </Name><Threshold>0.05</Threshold>"
      "<ParameterSet><NumRounds>2</NumRounds><Alpha>1/round</Alpha><NumRounds><![CDATA[4]]></NumRounds>"
      "<Units>thesis</Units><Adaptive>false</Adaptive></ParameterSet></Scheduler>\n"
      "<Scheduler><Name>SSSE-AMRA</Name><ParameterSet><MValue>auto</MValue><Peak>1</Peak><KValue>5</KValue>"
      "<Alpha>&#48;.25</Alpha></ParameterSet></Scheduler>"
      "<Scheduler><Name>CalibratedScheduler</Name><Calibration>univariate</Calibration>"
      "<Installments>single</Installments></Scheduler></SchedulerList>",
      "list.xml");
  REQUIRE(list.entries.size() == 4);
  for (const std::size_t i : {0u, 1u})
    CHECK(list.entries[i].parameters ==
          std::map<std::string, ListedValue>{{"rounds", i == 0 ? 2.0 : 4.0},
                                             {"threshold", 0.05},
                                             {"alpha", std::string("1/round")},
                                             {"units", std::string("published")},
                                             {"adaptive", false}});
  CHECK(list.entries[0].scheduler == "samra");
  CHECK(list.entries[2].label == "SSSE-AMRA-1/5/auto");
  CHECK(list.entries[2].parameters.at("m") == ListedValue(std::string("auto")));
  CHECK(list.entries[2].parameters.at("alpha") == ListedValue(0.25));
  CHECK(list.entries[3].parameters ==
        std::map<std::string, ListedValue>{{"mode", std::string("univariate")}, {"single", true}});
}

TEST_CASE("an entry that is there twice is kept, and named") {
  const SchedulerList list = parse_scheduler_list(
      "<SchedulerList>\n<Scheduler><Name>AMRA</Name><ParameterSet><NumRounds>2</NumRounds></ParameterSet>"
      "</Scheduler>\n<Scheduler><Name>AsyncIterativeScheduler</Name><ParameterSet><NumRounds>2.0</NumRounds>"
      "</ParameterSet></Scheduler></SchedulerList>",
      "list.xml");
  CHECK(list.entries.size() == 2);
  REQUIRE(list.duplicates.size() == 1);
  CHECK(list.duplicates[0].label == "AsyncIterativeScheduler-2");
  CHECK(list.duplicates[0].line == 3);
  CHECK(list.duplicates[0].first_line == 2);
}

TEST_CASE("a scheduler list that is not as it should be is refused with line, value and what is allowed") {
  CHECK(scheduler_list_refused("<SchedulerList>\n <Scheduler></SchedulerList>") ==
        "xml_syntax | 2 | column 15: Start-end tags mismatch (xml-syntax)");
  CHECK(scheduler_list_refused("") == "xml_syntax | 1 | column 1: there is no element (xml-syntax)");
  CHECK(scheduler_list_refused("\n x<SchedulerList/>") ==
        "xml_syntax | 2 | text outside of the root element (xml-syntax)");
  CHECK(scheduler_list_refused("<SchedulerList/>\n<Other/>") ==
        "xml_syntax | 2 | <Other> follows the root element (xml-syntax)");
  CHECK(scheduler_list_refused(std::string_view("<SchedulerList/>\n \0", 19)) ==
        "xml_syntax | 2 | column 2: a zero byte (xml-syntax)");
  CHECK(scheduler_list_refused("<SchedulerList>\xFF</SchedulerList>") ==
        "xml_syntax | 1 | column 1: the text is not UTF-8 (xml-syntax)");
  CHECK(scheduler_list_refused("\n<!DOCTYPE SchedulerList [<!ENTITY a \"2\">]><SchedulerList/>") ==
        "xml_doctype | 2 | a document type is not read, for it may define entities (xml-doctype)");
  CHECK(scheduler_list_refused("<Schedulers/>") ==
        "xml_structure | 1 | the root must be <SchedulerList>, got <Schedulers> (xml-structure)");
  CHECK(scheduler_list_refused("<SchedulerList>\n<Policy/></SchedulerList>") ==
        "xml_structure | 2 | <Policy> does not belong into <SchedulerList>, only <Scheduler> does "
        "(xml-structure)");
  CHECK(scheduler_list_refused("<SchedulerList>&undefined;</SchedulerList>") ==
        "xml_structure | 1 | <SchedulerList> has no text of its own, got '&undefined;' (xml-structure)");
  CHECK(scheduler_list_refused("<SchedulerList version='1'/>") ==
        "xml_structure | 1 | <SchedulerList> has no attributes, got version (xml-structure)");
  CHECK(scheduler_list_refused("<SchedulerList> </SchedulerList>") ==
        "empty_list | 1 | the list has no scheduler (empty-list)");
  CHECK(scheduler_list_refused("<SchedulerList>\n\n<Scheduler/></SchedulerList>") ==
        "missing_name | 3 | a scheduler has no Name (missing-name)");
  CHECK(scheduler_list_refused("<SchedulerList><Scheduler><Name>\n</Name></Scheduler></SchedulerList>") ==
        "missing_name | 1 | a scheduler has no Name (missing-name)");
  CHECK(refused_in("amra", "") ==
        "unknown_scheduler | 2 | unknown scheduler 'amra'; did you mean 'AMRA'? (unknown-scheduler)");
  CHECK(refused_in("AMRA", "<NumRound>3</NumRound>") ==
        "xml_structure | 3 | <NumRound> does not belong into a scheduler's parameters; did you mean "
        "'NumRounds'? "
        "(xml-structure)");
  CHECK(refused_in("AMRA", "<Name>AMRS</Name>") ==
        "xml_structure | 3 | <Name> does not belong into a scheduler's parameters (xml-structure)");
  CHECK(refused_in("SAMRA", "<Alpha>1</Alpha><Alpha>1</Alpha>") ==
        "xml_structure | 3 | <Alpha> is there twice (xml-structure)");
  CHECK(refused_in("AMRA", "") == "missing_parameter | 2 | AMRA needs a NumRounds (missing-parameter)");
  CHECK(refused_in("SSSEScheduler", "<Units>none</Units>") ==
        "missing_parameter | 2 | SSSEScheduler needs Peak, KValue and MValue (missing-parameter)");
  CHECK(refused_in("SSSEScheduler", "<Peak>1</Peak><KValue>3</KValue><KValue>4</KValue>") ==
        "incomplete_triple | 2 | SSSEScheduler: 1 Peak, 2 KValue and 0 MValue do not make triples "
        "(incomplete-triple)");
  for (const char* text : {"", "2,5", "two", "0x2", "inf", "nan", "1 2"})
    CHECK(refused_in("AMRA", "<NumRounds>" + std::string(text) + "</NumRounds>") ==
          "bad_number | 3 | NumRounds must be a number, got '" + std::string(text) + "' (bad-number)");
  for (const char* text : {"0", "-1", "2.5", "100001"})
    CHECK(refused_in("AMRS", "<NumRounds>" + std::string(text) + "</NumRounds>") ==
          "bad_parameter | 3 | NumRounds must be a whole number, 1 to 100000, got " + std::string(text) +
              " (bad-rounds)");
  CHECK(refused_in("SSSEScheduler", "<Peak>3</Peak><KValue>2</KValue><MValue>1</MValue>") ==
        "bad_parameter | 3 | KValue must be >= Peak = 3, got 2 (bad-ssse)");
  CHECK(refused_in("SSSEScheduler", "<Peak>0</Peak><KValue>2</KValue><MValue>1</MValue>") ==
        "bad_parameter | 3 | Peak must be a whole number, 1 to 100000, got 0 (bad-ssse)");
  CHECK(refused_in("SSSEScheduler", "<Peak>1</Peak><KValue>2</KValue><MValue>0</MValue>") ==
        "bad_parameter | 3 | MValue must be > 0 or auto, got 0 (bad-ssse)");
  CHECK(refused_in("AMRA", "<NumRounds>2</NumRounds><Alpha>0</Alpha>") ==
        "bad_parameter | 3 | Alpha must be > 0 and <= 1, or 1/round, got 0 (bad-alpha)");
  CHECK(refused_in("SAMRA", "<NumRounds>2</NumRounds><Threshold>1</Threshold>") ==
        "bad_parameter | 3 | Threshold must be >= 0 and < 1, got 1 (bad-threshold)");
  CHECK(refused_in("SAMRA", "<NumRounds>2</NumRounds><Adaptive>no</Adaptive>") ==
        "bad_parameter | 3 | Adaptive must be true or false, got 'no' (bad-parameter)");
  CHECK(refused_in("CalibratedScheduler", "<NumRounds>2</NumRounds>") ==
        "unexpected_parameter | 3 | CalibratedScheduler has no parameter NumRounds (unexpected-parameter)");
  CHECK(refused_in("AMRA", "<NumRounds>2</NumRounds><Threshold>0</Threshold>") ==
        "unexpected_parameter | 3 | AMRA has no parameter Threshold (unexpected-parameter)");
  CHECK(refused_in("AMRA", "<NumRounds unit='s'>2</NumRounds>") ==
        "xml_structure | 3 | <NumRounds> has no attributes, got unit (xml-structure)");
  CHECK(refused_in("AMRA", "<NumRounds><b>2</b></NumRounds>") ==
        "xml_structure | 3 | <b> does not belong into <NumRounds> (xml-structure)");
}

TEST_CASE("a long scheduler list is read in a moment") {
  std::string text = "<SchedulerList>";
  for (int i = 0; i < 100'000; ++i)
    text += "\n<Scheduler><Name>AMRA</Name><ParameterSet><NumRounds>" + std::to_string(i + 1) +
            "</NumRounds></ParameterSet></Scheduler>";
  const SchedulerList list = parse_scheduler_list(text + "</SchedulerList>", "list.xml");
  CHECK(list.entries.size() == 100'000);
  CHECK(list.entries.back().line == 100'001);
}
