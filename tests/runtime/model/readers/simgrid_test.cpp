#include "runtime/model/readers/simgrid.h"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "runtime/cost/power.h"
#include "runtime/model/readers/simgrid/document.h"
#include "tests/runtime/model/readers/simgrid_files.h"
#include "tests/support/layers.h"
#include "tests/support/paths.h"

using namespace perigee;
using namespace perigee::test;

namespace {

const SimgridOptions kOfBatsim{.batsim = true};

// factor, idle, epsilon, busy of each state
using WattsOfStates = std::vector<std::array<double, 4>>;
WattsOfStates watts_of(const PowerModel& power) {
  WattsOfStates all;
  for (const SpeedState& state : power.states)
    all.push_back({state.factor, state.idle, state.epsilon, state.busy});
  return all;
}

}  // namespace

TEST_CASE("quantities of SimGrid are in op/s, B/s and s") {
  using namespace perigee::readers::simgrid;
  struct Case {
    const char* text;
    Measure measure;
    double value;
  };
  const Case cases[] = {
      {"100.0Mf", Measure::speed, 100e6},
      {"1Gf", Measure::speed, 1e9},
      {"98.095Mf", Measure::speed, 98.095e6},
      {"7f", Measure::speed, 7},
      {"2.5 kf", Measure::speed, 2500},
      {"3Tf", Measure::speed, 3e12},
      {"1Ef", Measure::speed, 1e18},
      {"1e-9Mf", Measure::speed, 1e-3},
      {"0.125f", Measure::speed, 0.125},
      {"2megaflops", Measure::speed, 2e6},
      {"0", Measure::speed, 0},
      {"125MBps", Measure::bandwidth, 125e6},
      {"10Gbps", Measure::bandwidth, 1.25e9},
      {"1GiBps", Measure::bandwidth, 1073741824},
      {"8Kibps", Measure::bandwidth, 1024},
      {"41.279125MBps", Measure::bandwidth, 41.279125e6},
      {"3Bps", Measure::bandwidth, 3},
      {"4kBps", Measure::bandwidth, 4000},
      {"4KBps", Measure::bandwidth, 4000},
      {"50us", Measure::time, 50e-6},
      {"59.904us", Measure::time, 59.904e-6},
      {"2m", Measure::time, 120},
      {"1.5ms", Measure::time, 1.5e-3},
      {"1w", Measure::time, 604800},
      {"7ns", Measure::time, 7e-9},
      {"+3s", Measure::time, 3},
      {"1h", Measure::time, 3600},
      {"1d", Measure::time, 86400},
      {"5ps", Measure::time, 5e-12},
  };
  for (const Case& each : cases) {
    INFO(each.text);
    const Reading reading = reading_of(each.text, each.measure);
    CHECK(reading.problem.empty());
    CHECK(reading.has_unit);
    CHECK(reading.value == each.value);
  }
  CHECK(reading_of("16.673E9", Measure::speed).value == 16.673e9);
  CHECK_FALSE(reading_of("16.673E9", Measure::speed).has_unit);
  for (const char* text : {"", "Gf", "1GHz", "1 Qf", "1Gf2", "1,5Gf", "0x10f", "nan", "inf", "1Bps"}) {
    INFO(text);
    CHECK(reading_of(text, Measure::speed).problem ==
          "must be a number and f, with k, M, G, T, P, E, Z or Y before it, as in 2.5Gf");
  }
  CHECK(reading_of("-1Gf", Measure::speed).problem == "must be >= 0");
  CHECK(reading_of("1e300Yf", Measure::speed).problem == "is too large");
  CHECK(reading_of("1e999f", Measure::speed).problem == "is too large or too small");
  CHECK(reading_of("5 years", Measure::time).problem ==
        "must be a number and w, d, h, m, s, ms, us, ns or ps, as in 50us");
  CHECK(
      reading_of("5f", Measure::bandwidth).problem ==
      "must be a number and Bps or bps, with k, M, G, T, P, E, Z or Y (Ki, Mi, ...) before it, as in 125MBps");
}

TEST_CASE("hosts of a zone are a cluster, in the order of the file") {
  const SimgridPlatform read = parse_simgrid(R"(<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<!-- two zones, one inside of the other -->
<platform version="4.1">
  <zone id="out" routing="Full">
    <host id="a" speed="1Gf"/>
    <zone id="in" routing="Full">
      <host id="b" speed="2Gf, 1Gf" core="4" pstate="1"/>
      <host id="idle" speed="0f"/>
    </zone>
    <host id="c" speed="500Mf" availability="0.5"/>
  </zone>
</platform>)",
                                             "p.xml");
  const Platform platform(read.spec);
  CHECK(hosts_of(platform) == NamesOfHosts{"a", "b", "c"});
  REQUIRE(platform.clusters().size() == 2);
  CHECK(platform.clusters()[0].name == "out");
  CHECK(platform.clusters()[0].hosts.size() == 2);
  CHECK(platform.clusters()[1].name == "in");
  CHECK(platform.hosts()[0].speed == 1e9);
  CHECK(platform.hosts()[0].cores == 1);
  CHECK(platform.hosts()[0].declared_at == SourceLocation{"p.xml", 6});
  CHECK(platform.hosts()[1].speed == 1e9);
  CHECK(platform.hosts()[1].cores == 4);
  CHECK_FALSE(platform.hosts()[1].exclusive);
  CHECK(platform.hosts()[2].availability == Profile(0.5));
  for (const Link& link : platform.links()) CHECK(link.implied);
  CHECK(notes_of(read) == NotesOfFile{"speeds of hosts in other p-states than that at the start | 1 | 8",
                                      "hosts of speed 0 | 1 | 9"});
}

TEST_CASE("a cluster element has the hosts of its radical") {
  const SimgridPlatform read = parse_simgrid(
      simgrid_file(R"(<cluster id="c" prefix="n-" suffix=".org" radical="0-2,7;10-11" speed="1Gf" core="8"
        bw="125MBps" lat="50us" bb_bw="2GBps" bb_lat="500us" topology="FLAT"/>
<AS id="old" routing="Full"><cluster id="d" radical="5" speed="1Gf" bw="1MBps" lat="0"/></AS>)"),
      "p.xml");
  const Platform platform(read.spec);
  CHECK(hosts_of(platform) ==
        NamesOfHosts{"n-0.org", "n-1.org", "n-2.org", "n-7.org", "n-10.org", "n-11.org", "5"});
  CHECK(platform[platform.cluster("c")].hosts.size() == 6);
  CHECK(platform[platform.cluster("d")].hosts.size() == 1);
  CHECK(platform.hosts()[5].cores == 8);
  CHECK(notes_of(read) == NotesOfFile{"links of cluster elements (bw, lat, bb_bw, bb_lat) | 2 | 2"});
}

TEST_CASE("what a platform of SimGrid has beyond the model is listed once") {
  const SimgridPlatform read = parse_simgrid(R"(<platform version="4">
  <config><prop id="network/model" value="CM02"/></config>
  <zone id="z" routing="Cluster">
    <prop id="site" value="here"/>
    <host id="a" speed="1" state_file="a.state" coordinates="0 0 0">
      <disk id="d" read_bw="1MBps" write_bw="1MBps"/>
      <prop id="wattage_per_state" value="90:100"/>
      <prop id="site" value="there"/>
    </host>
    <host id="b" speed="1Gf" state="OFF"><prop id="wattage_per_state" value="90:100"/></host>
    <cabinet id="k" prefix="k" suffix="" radical="1-2" speed="1Gf" bw="1MBps" lat="1us"/>
    <peer id="p" speed="1Gf" bw_in="1MBps" bw_out="1MBps"/>
    <router id="r"/>
    <link id="l" bandwidth="1MBps" latency_file="l.lat"/>
    <backbone id="bb" bandwidth="1MBps" latency="0"/>
    <host_link id="a" up="l" down="l"/>
    <bypassRoute src="a" dst="b"><link_ctn id="l"/></bypassRoute>
  </zone>
</platform>)",
                                             "p.xml");
  CHECK(read.spec.clusters.size() == 1);
  CHECK(read.spec.clusters[0].hosts.size() == 5);
  CHECK(notes_of(read) == NotesOfFile{"options of SimGrid (config) | 1 | 2", "property site | 2 | 4",
                                      "values without unit (taken as f, Bps and s) | 1 | 5",
                                      "profiles from other files (state_file) | 1 | 5", "coordinates | 1 | 5",
                                      "disks and storage | 1 | 6",
                                      "hosts and links that are off at the start (taken as on) | 1 | 10",
                                      "links of cabinets | 1 | 11", "links of peers | 1 | 12",
                                      "profiles from other files (latency_file) | 1 | 14", "links | 1 | 14",
                                      "links of zones of the kind Cluster (backbone, host_link) | 2 | 15",
                                      "routes | 1 | 17"});
}

TEST_CASE("only so many properties are listed by name") {
  std::string properties;
  for (int i = 1; i <= 12; ++i) properties += fmt::format("<prop id=\"p{}\" value=\"\"/>", i);
  const SimgridPlatform read =
      parse_simgrid(full_zone("<host id=\"a\" speed=\"1f\">" + properties + "</host>"), "p.xml");
  REQUIRE(read.notes.size() == 9);
  CHECK(read.notes[7].what == "property p8");
  CHECK(read.notes[8].what == "other properties");
  CHECK(read.notes[8].count == 4);
}

TEST_CASE("profiles of availability that stand in the file are taken over where the model has them") {
  const SimgridPlatform read = parse_simgrid(R"(<platform version="4.1">
  <zone id="z" routing="Full">
    <host id="once" speed="1f"/> <host id="loop" speed="1f"/> <host id="late" speed="1f"/>
    <host id="odd" speed="1f"/> <host id="above" speed="1f"/> <host id="off" speed="1f"/>
    <host id="outside" speed="1f"/>
  </zone>
  <trace id="once">
    # a comment
    1 0.5
    3 0.25
  </trace>
  <trace id="loop" periodicity="5">0 1
    1 0.5</trace>
  <trace id="late">2 0.5
    3 1
    LOOPAFTER 1</trace>
  <trace id="odd">2 0.5
    LOOPAFTER 1</trace>
  <trace id="above">0 2</trace>
  <trace id="outside" file="../elsewhere"/>
  <trace_connect kind="SPEED" trace="once" element="once"/>
  <trace_connect kind="SPEED" trace="loop" element="loop"/>
  <trace_connect kind="SPEED" trace="late" element="late"/>
  <trace_connect kind="SPEED" trace="odd" element="odd"/>
  <trace_connect kind="SPEED" trace="above" element="above"/>
  <trace_connect kind="SPEED" trace="outside" element="outside"/>
  <trace_connect kind="HOST_AVAIL" trace="once" element="off"/>
</platform>)",
                                             "p.xml");
  const Platform platform(read.spec);
  const auto availability = [&](std::string_view host) { return platform[platform.host(host)].availability; };
  CHECK(availability("once") == Profile::steps({0, 1, 3}, {1, 0.5, 0.25}));
  // One second at 1, five at 0.5, over and over.
  CHECK(availability("loop") == Profile::periodic({0, 1}, {1, 0.5}, 6));
  // SimGrid repeats the times from 3 + 1 on: 0.5 on [2, 3), [6, 7), ...
  CHECK(availability("late") == Profile::periodic({0, 2, 3}, {1, 0.5, 1}, 4));
  for (const char* host : {"odd", "above", "off", "outside"}) CHECK(availability(host) == Profile(1));
  CHECK(notes_of(read) ==
        NotesOfFile{"profiles of availability above 1, or that loop with another beginning | 2 | 24",
                    "profiles from other files (trace) | 1 | 26",
                    "profiles of hosts that go and come back | 1 | 27"});
}

TEST_CASE("by the conventions of Batsim, hosts that serve it are left out, and the others are exclusive") {
  const std::string text = R"(<platform version="4.1">
  <zone id="site" routing="Full">
    <cluster id="c" prefix="c" suffix="" radical="0-1" speed="1Gf" bw="1MBps" lat="0"/>
    <cluster id="s" prefix="s" suffix="" radical="0-1" speed="1Gf" bw="1MBps" lat="0"><prop id="role" value="storage"/></cluster>
    <zone id="fat" routing="Full">
      <host id="a" speed="1Gf" core="2"/>
      <host id="b" speed="1Gf"><prop id="role" value="compute_node"/></host>
      <host id="m" speed="1Gf"><prop id="role" value="compute_node, master"/></host>
      <host id="master_host" speed="0f"/>
      <link id="l" bandwidth="1MBps"/>
      <route src="a" dst="nobody"><link_ctn id="nothing"/></route>
    </zone>
  </zone>
</platform>)";
  const SimgridPlatform read = parse_simgrid(text, "p.xml", kOfBatsim);
  const Platform platform(read.spec);
  CHECK(hosts_of(platform) == NamesOfHosts{"c0", "c1", "a", "b"});
  for (const Host& host : platform.hosts()) CHECK(host.exclusive);
  CHECK(notes_of(read) ==
        NotesOfFile{"links of cluster elements (bw, lat, bb_bw, bb_lat) | 2 | 3",
                    "hosts with the role master or storage, or called 'master_host' | 4 | 4",
                    "links | 1 | 10", "routes | 1 | 11"});
  const SimgridOptions other{.batsim = true, .master = "c1", .master_must_exist = true};
  CHECK(hosts_of(Platform(parse_simgrid(text, "p.xml", other).spec)) == NamesOfHosts{"c0", "a", "b"});
  const SimgridOptions wrong{.batsim = true, .master = "master-host", .master_must_exist = true};
  CHECK(simgrid_refused(text, wrong) ==
        "unknown_reference | 0 | master: there is no host 'master-host'; did you mean 'master_host'?");
  CHECK(
      simgrid_refused(full_zone("<host id='a' speed='1f'>\n<prop id='role' value='storrage'/></host>"),
                      kOfBatsim) ==
      "unknown_reference | 3 | <host> 'a': unknown role 'storrage'; known are compute_node, master, storage; did "
      "you mean 'storage'?");
  CHECK(simgrid_refused(full_zone("<host id='master_host' speed='1f'/>"), kOfBatsim) ==
        "bad_platform | 1 | the platform has no host that computes");
}

TEST_CASE("a platform file of SimGrid that is not as it should be is refused with line, element and value") {
  CHECK(simgrid_refused("<platform version='4.1'>\n <zone></platform>") ==
        "bad_xml | 2 | column 10: Start-end tags mismatch");
  CHECK(simgrid_refused("") == "bad_xml | 1 | column 1: there is no element");
  CHECK(simgrid_refused("\n x<platform/>") == "bad_xml | 2 | text outside of the root element");
  CHECK(simgrid_refused("<platform version='4'/>\n<platform/>") ==
        "bad_xml | 2 | <platform> follows the root element");
  CHECK(simgrid_refused(std::string_view("<platform/>\n \0", 14)) == "bad_xml | 2 | column 2: a zero byte");
  CHECK(simgrid_refused("<platform>\xFF</platform>") == "bad_xml | 1 | column 1: the text is not UTF-8");
  CHECK(simgrid_refused(
            "<!DOCTYPE platform SYSTEM 'x'\n [<!ENTITY a SYSTEM \"secret\">]><platform version='4'/>") ==
        "bad_xml | 1 | a document type with declarations of its own, such as entities, is not read");
  CHECK(simgrid_refused("<grid/>") == "bad_xml | 1 | the root must be <platform>, got <grid>");
  CHECK(simgrid_refused("\n<platform/>") == "missing_field | 2 | <platform>: 'version' is missing");
  CHECK(
      simgrid_refused("<platform version='3'/>") ==
      "bad_xml | 1 | <platform>: version must be 4 or 4.1, got '3'; SimGrid's program simgrid_update_xml converts "
      "older files");
  CHECK(simgrid_refused("<platform version='4.1'/>") ==
        "bad_platform | 1 | the platform has no host that computes");

  CHECK(simgrid_refused(simgrid_file("<zome id='z'/>")) ==
        "bad_xml | 2 | <zome> does not belong into <platform>; did you mean 'zone'?");
  CHECK(simgrid_refused(simgrid_file("<host id='a' speed='1f'/>")) ==
        "bad_xml | 2 | <host> does not belong into <platform>");
  CHECK(simgrid_refused(full_zone("\n<host id='a' speed='1f'><link_ctn id='x'/></host>")) ==
        "bad_xml | 3 | <link_ctn> does not belong into <host>");
  CHECK(simgrid_refused(full_zone("\n<include file='other.xml'/>")) ==
        "bad_xml | 3 | <include> is not read, for it names another file; its elements belong here");
  CHECK(simgrid_refused(full_zone("\n two hosts")) ==
        "bad_xml | 3 | text does not belong into <zone>, got 'two hosts'");
  CHECK(simgrid_refused(full_zone("\n<host id='a' power='1f'/>")) ==
        "bad_xml | 3 | <host> 'a': there is no attribute 'power'");
  CHECK(simgrid_refused(full_zone("\n<host id='a' sped='1f'/>")) ==
        "bad_xml | 3 | <host> 'a': there is no attribute 'sped'; did you mean 'speed'?");
  CHECK(simgrid_refused(full_zone("\n<host id='a' speed='1f' speed='2f'/>")) ==
        "bad_xml | 3 | <host> 'a': 'speed' is there twice");
  CHECK(simgrid_refused(full_zone("\n<host id='&a;' speed='1f'/>")) ==
        "bad_xml | 3 | <host> '&a;': the entity '&a;' is not declared");
  CHECK(simgrid_refused(full_zone("\n<host speed='1f'/>")) == "missing_field | 3 | <host>: 'id' is missing");
  CHECK(simgrid_refused(full_zone("\n<host id='a'/>")) ==
        "missing_field | 3 | <host> 'a': 'speed' is missing");
  CHECK(simgrid_refused(full_zone("\n<host id='' speed='1f'/>")) == "bad_xml | 3 | <host>: 'id' is empty");
  CHECK(simgrid_refused(full_zone("\n<link id='l'/>")) ==
        "missing_field | 3 | <link> 'l': 'bandwidth' is missing");

  CHECK(
      simgrid_refused(full_zone("\n<host id='a' speed='2.5 GHz'/>")) ==
      "bad_xml | 3 | <host> 'a': speed must be a number and f, with k, M, G, T, P, E, Z or Y before it, as in 2.5Gf, "
      "got '2.5 GHz'");
  CHECK(simgrid_refused(full_zone("\n<host id='a' speed='1Gf,'/>")) == "nothing");
  CHECK(
      simgrid_refused(full_zone("\n<host id='a' speed='1Gf,,2Gf'/>")) ==
      "bad_xml | 3 | <host> 'a': speed must be a number and f, with k, M, G, T, P, E, Z or Y before it, as in 2.5Gf, "
      "got ''");
  CHECK(simgrid_refused(full_zone("\n<host id='a' speed='1f' core='0'/>")) ==
        "bad_xml | 3 | <host> 'a': core must be a whole number, 1 to 1000000, got '0'");
  CHECK(simgrid_refused(full_zone("\n<host id='a' speed='1f,2f' pstate='2'/>")) ==
        "bad_xml | 3 | <host> 'a': pstate must be a whole number, 0 to 1, got '2'");
  CHECK(simgrid_refused(full_zone("\n<host id='a' speed='1f' availability='2'/>")) ==
        "bad_xml | 3 | <host> 'a': availability must be a number from 0 to 1, got '2'");
  CHECK(simgrid_refused(full_zone("\n<link id='l' bandwidth='0Bps'/>")) ==
        "bad_xml | 3 | <link> 'l': bandwidth must be > 0 Bps, got '0Bps'");
  CHECK(simgrid_refused(full_zone("\n<link id='l' bandwidth='1Bps' latency='-1s'/>")) ==
        "bad_xml | 3 | <link> 'l': latency must be >= 0, got '-1s'");
  CHECK(
      simgrid_refused(full_zone("\n<link id='l' bandwidth='1Bps' sharing_policy='FATPIP'/>")) ==
      "bad_xml | 3 | <link> 'l': sharing_policy must be one of SHARED, SPLITDUPLEX, FATPIPE, WIFI, FULLDUPLEX, got "
      "'FATPIP'; did you mean 'FATPIPE'?");
  CHECK(
      simgrid_refused(full_zone("<host id='a' speed='1f'/>\n<host id='a' speed='1f'/>")) ==
      "duplicate_name | 3 | <host> 'a': 'a' is there already, in line 2; hosts, routers and zones need different "
      "names");
  CHECK(simgrid_refused(full_zone("<link id='l' bandwidth='1Bps'/>\n<link id='l' bandwidth='1Bps'/>")) ==
        "duplicate_name | 3 | <link> 'l': a link 'l' is there already, in line 2");
  CHECK(simgrid_refused(simgrid_file("<zone id='origin' routing='Full'><host id='a' speed='1f'/></zone>")) ==
        "duplicate_name | 2 | a cluster cannot be called 'origin': that is where files start");
}

TEST_CASE("a radical is a list of numbers and ranges, of no more hosts than there may be") {
  const auto refused = [](std::string_view radical) {
    return simgrid_refused(
        simgrid_file(fmt::format("\n<cluster id='c' radical='{}' speed='1f' bw='1Bps' lat='0s'/>", radical)));
  };
  for (const char* radical : {"", "a", "1-", "-1", "1,,2", "1 2", "0x1", "1-2-3", "3000000000", "1.5"}) {
    INFO(radical);
    CHECK(refused(radical) ==
          fmt::format(
              "bad_xml | 3 | <cluster> 'c': radical must be a list of numbers and ranges, as in 0-3,6, each "
              "number at most 2147483647, got '{}'",
              radical));
  }
  CHECK(refused("3-1") == "bad_xml | 3 | <cluster> 'c': the range 3-1 of radical ends before it begins");
  CHECK(refused("0-2147483647") == "bad_xml | 3 | <cluster> 'c': the platform has more than 1000000 hosts");
  CHECK(refused("0-999998,1000000-1000001") ==
        "bad_xml | 3 | <cluster> 'c': the platform has more than 1000000 hosts");
  CHECK(
      refused("1-3,2") ==
      "duplicate_name | 3 | <cluster> 'c': '2' is there already, in line 3; hosts, routers and zones need different "
      "names");
  CHECK(simgrid_refused(
            simgrid_file("\n<cluster id='c' radical='1' speed='1f' bw='1Bps' lat='0s' bb_bw='1Bps'/>")) ==
        "missing_field | 3 | <cluster> 'c': 'bb_lat' is missing beside 'bb_bw'");
}

TEST_CASE("zones may be nested, but not without end") {
  const auto nested = [](int depth) {
    std::string text = "<platform version='4.1'>\n";
    for (int i = 0; i < depth; ++i) text += fmt::format("<zone id='z{}' routing='Full'>", i);
    text += "<host id='a' speed='1f'/>";
    for (int i = 0; i < depth; ++i) text += "</zone>";
    return text + "</platform>";
  };
  CHECK(simgrid_refused(nested(64)) == "nothing");
  CHECK(simgrid_refused(nested(64), from_host("a")) == "nothing");
  CHECK(simgrid_refused(nested(65)) == "bad_xml | 2 | <zone> 'z64': zones are nested deeper than 64");
  CHECK(simgrid_refused(nested(200'000)) == "bad_xml | 2 | <zone> 'z64': zones are nested deeper than 64");
}

TEST_CASE("watts of p-states are the power of a host") {
  // Speeds 1, 2, 0.25, 0.5 and 0.1 op/s; the second is that of the start. Asleep it is in the third.
  const SimgridPlatform read = parse_simgrid(full_zone(R"(
    <host id="a" speed="1f, 2f, 0.25f, 0.5f, 0.1f" pstate="1">
      <prop id="wattage_per_state" value="10:20:30, 11 : 31, 5:6, 40:41:42, 50:55"/>
      <prop id="wattage_off" value="4"/>
      <prop id="sleep_pstates" value="2:3:4"/>
    </host>
    <host id="old" speed="1f" core="4"><prop id="watt_per_state" value="100:120:200"/><prop id="watt_off" value="7"/></host>
    <host id="unknown" speed="1f, 2f"><prop id="watt_off" value="7"/></host>
    <host id="stands" speed="1f, 0f"><prop id="wattage_per_state" value="1:2, 1:1"/></host>
    <host id="naps" speed="1f, 1f, 2f, 4f, 5f, 8f, 10f"><prop id="wattage_per_state" value="9:9, 1:1, 2:2, 3:3, 4:4, 5:5, 6:6"/>
      <prop id="sleep_pstates" value="1:2:3, 4:5:6"/></host>
    <link id="l" bandwidth="1Bps"><prop id="wattage_range" value="1:2"/></link>)"),
                                             "p.xml");
  const Platform platform(read.spec);
  const PowerModel& power = *platform.hosts()[0].power;
  CHECK(watts_of(power) == WattsOfStates{{1, 11, 11, 31}, {0.5, 10, 20, 30}});
  CHECK(power.off == 5);   // the idle watts of the third p-state
  CHECK(power.down == 4);  // SimGrid's host that is off
  CHECK(power.shutdown.time == 2);
  CHECK(power.shutdown.power == 42);
  CHECK(power.boot.time == 10);
  CHECK(power.boot.power == 55);
  const PowerModel& old = *platform.hosts()[1].power;
  CHECK(watts_of(old) == WattsOfStates{{1, 100, 120, 200}});
  CHECK(old.off == 7);
  CHECK(old.down == 7);
  CHECK(old.boot.time == 0);
  CHECK(platform.hosts()[2].power == nullptr);
  CHECK(watts_of(*platform.hosts()[3].power) == WattsOfStates{{1, 1, 1, 2}});
  CHECK(watts_of(*platform.hosts()[4].power) == WattsOfStates{{1, 9, 9, 9}});
  CHECK(platform.hosts()[4].power->off == 1);
  CHECK(platform.hosts()[4].power->boot.time == 0.25);
  CHECK(notes_of(read) == NotesOfFile{"power (watt_off) without wattage_per_state | 1 | 9",
                                      "speeds of hosts in other p-states than that at the start | 1 | 9",
                                      "p-states of speed 0 | 1 | 10",
                                      "p-states of sleep besides the first | 1 | 12",
                                      "power (wattage_range) | 1 | 13", "links | 1 | 13"});
}

TEST_CASE("the node of Batsim's published platforms is worth being switched off after 211.68 s") {
  // Batsim's energy_platform_homogeneous_no_net_128.xml: 95 W idle, 9.75 W off, 6.1 s at 100.997 W down
  // and 151.52 s at 125.174 W up, here with three of its p-states.
  const SimgridPlatform read = parse_simgrid(
      full_zone(
          R"(<host id="n" speed="100.0Mf, 50.088Mf, 44.976Mf, 1e-9Mf, 0.1639344262295082f, 0.006599788806758183f">
    <prop id="watt_per_state" value="95.0:190.738, 95.0:132.519, 95.0:125.88, 9.75:9.75:9.75, 100.997:100.997:100.997, 125.174:125.174:125.174"/>
    <prop id="watt_off" value="10"/><prop id="sleep_pstates" value="3:4:5"/></host>)"),
      "p.xml", kOfBatsim);
  const Platform platform(read.spec);
  const PowerModel& power = *platform.hosts()[0].power;
  REQUIRE(power.states.size() == 3);
  CHECK(power.shutdown.time == Approx(6.1).epsilon(1e-12));
  CHECK(power.boot.time == Approx(151.52).epsilon(1e-12));
  // (6.1 * 100.997 + 151.52 * 125.174 - 9.75 * 157.62) / (95 - 9.75)
  CHECK(cost::break_even(power) == Approx(211.68).margin(0.005));
  CHECK(power.off / power.states[0].idle == Approx(0.103).margin(0.0005));
}

TEST_CASE("properties of power that say nothing are refused") {
  const auto refused = [](std::string_view properties, std::string_view more = "") {
    return simgrid_refused(
        full_zone(fmt::format("<host id='a' speed='1f, 2f, 3f, 4f, 0f'{}>\n{}</host>", more, properties)));
  };
  const auto watts = [&](std::string_view value) {
    return refused(fmt::format("<prop id='wattage_per_state' value='{}'/>", value));
  };
  const auto sleep = [&](std::string_view value) {
    return refused(fmt::format(
        "<prop id='wattage_per_state' value='1:1,1:1,1:1,1:1,1:1'/>\n<prop id='sleep_pstates' value='{}'/>",
        value));
  };
  CHECK(watts("1:2, 3:4") ==
        "bad_xml | 3 | <host> 'a': wattage_per_state has the watts of 2 p-states, and speed has 5 p-states");
  CHECK(watts("1:2,1:2,1:2,1:2,1:2,1:2") ==
        "bad_xml | 3 | <host> 'a': wattage_per_state has the watts of 6 p-states, and speed has 5 p-states");
  for (const std::string wrong : {"1", "1:2:3:4", ""})
    CHECK(
        watts(wrong) ==
        "bad_xml | 3 | <host> 'a': wattage_per_state must be idle:all or idle:epsilon:all for each p-state, "
        "got '" +
            wrong + "'");
  for (const std::string wrong : {"-1", "x", "inf", ""})
    CHECK(watts("1:" + wrong) ==
          "bad_xml | 3 | <host> 'a': wattage_per_state must be a number of watts >= 0, got '" + wrong + "'");
  for (const std::string wrong : {"5:4", "1:3:2", "2:1:3"})
    CHECK(watts(wrong) ==
          "bad_power | 3 | <host> 'a': wattage_per_state must not fall from idle to all cores, got '" +
              wrong + "'");
  CHECK(refused(
            "<prop id='wattage_per_state' value='1:1,1:1,1:1,1:1,1:1'/>\n<prop id='watt_off' value='9W'/>") ==
        "bad_xml | 4 | <host> 'a': watt_off must be a number of watts >= 0, got '9W'");
  CHECK(refused("<prop id='wattage_off' value='9'/>\n<prop id='watt_off' value='9'/>") ==
        "bad_xml | 4 | <host> 'a': 'watt_off' is there already, as 'wattage_off' in line 3");
  for (const std::string wrong : {"1:2", "1:2:3:", "1:2:x", "1:-2:3", "1::3", ""})
    CHECK(sleep(wrong) ==
          "bad_xml | 4 | <host> 'a': sleep_pstates must be three p-states: sleep:shutdown:boot, got '" +
              wrong + "'");
  CHECK(sleep("1:2:5") ==
        "bad_xml | 4 | <host> 'a': sleep_pstates must be p-states from 0 to 4, got '1:2:5'");
  CHECK(sleep("1:0:2") ==
        "bad_xml | 4 | <host> 'a': sleep_pstates must not have the p-state of the start, 0, got '1:0:2'");
  CHECK(sleep("1:2:2") == "bad_xml | 4 | <host> 'a': sleep_pstates has the p-state 2 twice, got '1:2:2'");
  CHECK(
      sleep("1:2:4") ==
      "bad_xml | 4 | <host> 'a': sleep_pstates takes 1 / speed, and p-state 4 has the speed 0, got '1:2:4'");
  CHECK(simgrid_refused(full_zone(
            "<host id='a' speed='1e-200f, 1e200f'><prop id='wattage_per_state' value='1:1, 1:1'/></host>")) ==
        "bad_xml | 2 | <host> 'a': the speed 1e+200 of p-state 1 is too far from 1e-200, that of the start");
  std::string many = "1:1", speeds = "1f";
  for (int i = 1; i < 251; ++i) many += ",1:1", speeds += ",1f";
  CHECK(simgrid_refused(full_zone(fmt::format(
            "<host id='a' speed='{}'><prop id='wattage_per_state' value='{}'/></host>", speeds, many))) ==
        "bad_xml | 2 | <host> 'a': a host may have 250 p-states in which it computes, got 251");
}

TEST_CASE("the sample platform of Batsim is read") {
  const std::filesystem::path path = data_file("batsim/platform.xml");
  if (!std::filesystem::exists(path)) {
    WARN("skipped: there is no batsim/platform.xml beside the project");
    return;
  }
  // Six hosts of 2 Gf and one core, two of 4 Gf and four cores; see the README beside it.
  const auto check = [](const Platform& platform, std::size_t hosts) {
    REQUIRE(platform.hosts().size() == hosts);
    REQUIRE(platform.clusters().size() >= 2);
    CHECK(platform[platform.cluster("thin")].hosts.size() == 6);
    CHECK(platform[platform.cluster("fat")].hosts.size() == 2);
    std::vector<std::string> names;
    for (std::size_t h = 0; h < 8; ++h) {
      const Host& host = platform.hosts()[h];
      names.push_back(host.name);
      CHECK(host.cores == (h < 6 ? 1 : 4));
      CHECK(host.speed == (h < 6 ? 2e9 : 4e9));
    }
    CHECK(names == NamesOfHosts{"thin0", "thin1", "thin2", "thin3", "thin6", "thin7", "fat0", "fat1"});
  };
  const SimgridPlatform batsim = read_simgrid(path, kOfBatsim);
  check(Platform(batsim.spec), 8);
  CHECK(notes_of(batsim) ==
        NotesOfFile{"links of cluster elements (bw, lat, bb_bw, bb_lat) | 1 | 6", "links | 1 | 16",
                    "routes | 2 | 17",
                    "hosts with the role master or storage, or called 'master_host' | 2 | 20"});
  const Platform platform(batsim.spec);
  for (std::size_t h = 0; h < 6; ++h) {
    const PowerModel& thin = *platform.hosts()[h].power;
    CHECK(watts_of(thin) == WattsOfStates{{1, 90, 100, 190}, {0.5, 80, 85, 120}});
    CHECK(thin.off == 9);
    CHECK(thin.down == 9);
    CHECK(thin.shutdown.time == 8);
    CHECK(thin.shutdown.power == 110);
    CHECK(thin.boot.time == 100);
    CHECK(thin.boot.power == 125);
  }
  CHECK(watts_of(*platform.hosts()[6].power) == WattsOfStates{{1, 150, 150, 350}});
  const SimgridPlatform all = read_simgrid(path);
  check(Platform(all.spec), 9);  // master_host, but not the host of speed 0
}
