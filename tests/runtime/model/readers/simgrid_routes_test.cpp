// Routes of SimGrid's platform files: through zones, by gateways and backbones, and from where files start.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <chrono>
#include <string>
#include <string_view>

#include "runtime/model/readers/simgrid.h"
#include "tests/runtime/model/readers/simgrid_files.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

// The links of the way to a host of its own, in order.
std::string way_to(const Platform& platform, std::string_view host) {
  std::string way;
  for (const LinkId link : platform.route(platform.cluster(host)))
    if (!platform[link].implied) way += (way.empty() ? "" : " ") + platform[link].name;
  return way;
}

// Routes from m: to a over up and a; to b over up, x and b; to c over up and x; to d over up and x. From a
// there is a way to b that nobody needs.
constexpr std::string_view kStar = R"(
<host id="m" speed="1f"/><host id="a" speed="1f"/><host id="b" speed="2f"/><host id="c" speed="1f"/><host id="d" speed="1f"/>
<link id="up" bandwidth="10Bps" latency="1s"/>
<link id="a" bandwidth="5Bps" latency="2s" sharing_policy="FATPIPE"/>
<link id="b" bandwidth="4Bps" sharing_policy="SPLITDUPLEX"/>
<link id="x" bandwidth="3Bps" latency="500ms" sharing_policy="SHARED"/>
<link id="spare" bandwidth="1Bps"/>
<route src="m" dst="a"><link_ctn id="up"/><link_ctn id="a"/></route>
<route src="b" dst="m"><link_ctn id="b_UP"/><link_ctn id="x"/><link_ctn id="up"/></route>
<route src="m" dst="c" symmetrical="NO"><link_ctn id="up"/><link_ctn id="x"/></route>
<route src="m" dst="d" symmetrical="no"><link_ctn id="up"/><link_ctn id="x"/></route>
<route src="d" dst="m" symmetrical="no"><link_ctn id="x"/><link_ctn id="up"/></route>
<route src="a" dst="b"><link_ctn id="spare"/></route>
)";

}  // namespace

TEST_CASE("from a place where files start, each host is behind the links of its route") {
  const SimgridPlatform read = parse_simgrid(full_zone(kStar), "p.xml", from_host("m"));
  const Platform platform(read.spec);
  CHECK(hosts_of(platform) == NamesOfHosts{"m", "a", "b", "c", "d"});
  CHECK(platform.clusters().size() == 5);
  CHECK(way_to(platform, "m").empty());
  CHECK(way_to(platform, "a") == "up a.link");
  CHECK(way_to(platform, "b") == "up x b.link");
  CHECK(way_to(platform, "c") == "up x");
  CHECK(way_to(platform, "d") == "up x");
  const auto& up = platform[platform.link("up")];
  CHECK(up.bandwidth == Profile(10));
  CHECK(up.latency == Profile(1));
  CHECK(up.sharing == Sharing::fair);
  CHECK(platform[platform.link("a.link")].sharing == Sharing::unlimited);
  CHECK(platform[platform.link("x")].latency == Profile(0.5));
  // All stand in zone z.
  CHECK(platform.switch_of(platform.host("m")) == platform.switch_of(platform.host("d")));
  CHECK(notes_of(read) ==
        NotesOfFile{"names of links that something else has (called .link) | 2 | 5",
                    "directions of SPLITDUPLEX links (one link for both) | 1 | 6",
                    "links that are on no way from 'm' to a host | 1 | 8",
                    "ways back over other links (outputs take the way of inputs) | 1 | 11"});

  // From b, m is the first to be reached; there is no route from b to c.
  CHECK(simgrid_refused(full_zone(kStar), from_host("b")) ==
        "unsupported_route | 3 | there is no route from 'b' to 'c'");
  CHECK(simgrid_refused(full_zone(kStar), from_host("n")) ==
        "unknown_reference | 0 | origin: there is no host or router 'n'");
  CHECK(simgrid_refused(full_zone(kStar), from_host("z")) ==
        "unknown_reference | 0 | origin: there is no host or router 'z'");
}

TEST_CASE("routes go through zones by their gateways, and through clusters by their backbones") {
  const std::string text = R"(<platform version="4.1">
  <zone id="world" routing="Full">
    <zone id="home" routing="Full">
      <host id="m" speed="1f"/> <router id="door"/> <link id="hall" bandwidth="8Bps" latency="1s"/>
      <route src="m" dst="door"><link_ctn id="hall"/></route>
    </zone>
    <cluster id="c" prefix="c" suffix="" radical="1-2" speed="1f" bw="2Bps" lat="3s" bb_bw="6Bps" bb_lat="4s"/>
    <zone id="far" routing="Full">
      <zone id="near" routing="Full"><host id="n" speed="1f"/><router id="gate"/>
        <link id="n_link" bandwidth="1Bps"/><route src="gate" dst="n"><link_ctn id="n_link"/></route></zone>
      <cluster id="e" prefix="e" suffix="" radical="1-2" speed="1f" bw="2Bps" lat="3s" sharing_policy="SHARED"/>
      <link id="near_e" bandwidth="5Bps" latency="2s"/>
      <zoneRoute src="e" dst="near" gw_src="ee_router" gw_dst="gate"><link_ctn id="near_e"/></zoneRoute>
    </zone>
    <zone id="none" routing="None"><router id="lost"/></zone>
    <link id="to_c" bandwidth="7Bps"/> <link id="to_far" bandwidth="9Bps"/>
    <zoneRoute src="home" dst="c" gw_src="door" gw_dst="cc_router"><link_ctn id="to_c"/></zoneRoute>
    <zoneRoute src="far" dst="home" gw_src="gate" gw_dst="door"><link_ctn id="to_far"/></zoneRoute>
    <zoneRoute src="c" dst="far" gw_src="cc_router" gw_dst="gate"><link_ctn id="to_far"/></zoneRoute>
  </zone>
</platform>)";
  const Platform platform(parse_simgrid(text, "p.xml", from_host("m")).spec);
  CHECK(way_to(platform, "m").empty());
  CHECK(way_to(platform, "c1") == "hall to_c c_backbone c_link_1");
  CHECK(way_to(platform, "c2") == "hall to_c c_backbone c_link_2");
  CHECK(way_to(platform, "n") == "hall to_far n_link");
  CHECK(way_to(platform, "e1") == "hall to_far near_e e_link_1");
  CHECK(platform.switch_of(platform.host("c1")) == platform.switch_of(platform.host("c2")));
  CHECK(platform.switch_of(platform.host("c1")) != platform.switch_of(platform.host("e1")));
  CHECK(platform[platform.link("c_backbone")].bandwidth == Profile(6));
  CHECK(platform[platform.link("c_backbone")].sharing == Sharing::fair);
  CHECK(platform[platform.link("c_link_1")].latency == Profile(3));

  // From a host of the cluster: over its own link and the backbone.
  const Platform other(parse_simgrid(text, "p.xml", from_host("c2")).spec);
  CHECK(way_to(other, "c2").empty());
  CHECK(way_to(other, "c1") == "c_link_2 c_backbone c_link_1");
  CHECK(way_to(other, "m") == "c_link_2 c_backbone to_c hall");
  CHECK(way_to(other, "e2") == "c_link_2 c_backbone to_far near_e e_link_2");
  std::string without = text;
  const std::size_t last = without.find("<zoneRoute src=\"c\"");
  without.erase(last, without.find('\n', last) - last);
  CHECK(simgrid_refused(without, from_host("e1")) ==
        "unsupported_route | 7 | there is no route from 'far' to 'c'");
}

TEST_CASE("routes that the model cannot say are refused, but only where they are asked for") {
  const auto with = [](std::string_view more) {
    return full_zone(
        "<host id='m' speed='1f'/><host id='a' speed='1f'/><host id='b' speed='1f'/>\n"
        "<link id='x' bandwidth='1Bps'/><link id='y' bandwidth='1Bps'/><link id='w' "
        "bandwidth='54Mbps,1Mbps' sharing_policy='WIFI'/>\n" +
        std::string(more));
  };
  const auto route = [](std::string_view to, std::string_view links) {
    std::string text = fmt::format("<route src='m' dst='{}'>", to);
    for (const char link : links) text += fmt::format("<link_ctn id='{}'/>", link);
    return text + "</route>\n";
  };
  const std::string crossed = with(route("a", "xy") + route("b", "yx"));
  CHECK(simgrid_refused(crossed) == "nothing");
  CHECK(
      simgrid_refused(crossed, from_host("m")) ==
      "unsupported_route | 5 | the routes from 'm' make no tree: link 'y' on the way to 'b' comes behind other "
      "links than on another way; without 'origin' all routes are left out");
  CHECK(
      simgrid_refused(with(route("a", "xx") + route("b", "y")), from_host("m")) ==
      "unsupported_route | 4 | the routes from 'm' make no tree: link 'x' on the way to 'a' comes behind other "
      "links than on another way; without 'origin' all routes are left out");
  CHECK(simgrid_refused(with(route("a", "w") + route("b", "y")), from_host("m")) ==
        "unsupported_route | 3 | link 'w': WIFI has no counterpart");
  CHECK(simgrid_refused(with(route("a", "x")), from_host("m")) ==
        "unsupported_route | 2 | there is no route from 'm' to 'b'");
  CHECK(
      simgrid_refused(with(route("a", "x") + route("b", "y") + "<bypassRoute src='m' dst='a'/>"),
                      from_host("m")) ==
      "unsupported_route | 6 | routes that replace others (bypassRoute) are not read; without 'origin' all routes "
      "are left out");

  const auto of_kind = [](std::string_view kind, std::string_view more) {
    return simgrid_file(
        fmt::format("<zone id='z' routing='{}'>\n<host id='m' speed='1f'/><host id='a' speed='1f'/>"
                    "<link id='x' bandwidth='1Bps'/>{}</zone>",
                    kind, more));
  };
  CHECK(
      simgrid_refused(of_kind("Floyd", route("a", "x")), from_host("m")) ==
      "unsupported_route | 2 | zone 'z': in its kind Floyd a route may go over others, only those of Full can be "
      "read; without 'origin' all routes are left out");
  CHECK(
      simgrid_refused(of_kind("Vivaldi", ""), from_host("m")) ==
      "unsupported_route | 2 | zone 'z': of its kind Vivaldi no route to 'a' can be told, only of Full; without "
      "'origin' all routes are left out");
  CHECK(simgrid_refused(of_kind("Vivaldi", "")) == "nothing");

  for (const std::string_view more : {"topology='TORUS' topo_parameters='2'", "limiter_link='1MBps'"}) {
    const std::string text =
        simgrid_file(fmt::format("<cluster id='c' radical='1-2' speed='1f' bw='1Bps' lat='0s' {}/>", more));
    CHECK(simgrid_refused(text) == "nothing");
    CHECK(simgrid_refused(text, from_host("1")) ==
          fmt::format(
              "unsupported_route | 2 | <cluster> 'c': {} has no counterpart; without 'origin' all routes are "
              "left out",
              more.starts_with("topology") ? "topology TORUS" : "limiter_link"));
  }
  // Two trees of zones have no route between them.
  CHECK(simgrid_refused(simgrid_file("<zone id='y' routing='Full'><host id='m' speed='1f'/></zone>\n"
                                     "<zone id='z' routing='Full'><host id='a' speed='1f'/></zone>"),
                        from_host("m")) == "unsupported_route | 3 | there is no route from 'y' to 'z'");
}

TEST_CASE("routes and profiles name what is there") {
  const auto refused = [](std::string_view more) {
    return simgrid_refused(
        full_zone("<host id='left' speed='1f'/><host id='right' speed='1f'/><link id='line' "
                  "bandwidth='1Bps'/><zone id='in' routing='Full'><host id='inner' speed='1f'/>"
                  "</zone><zone id='other' routing='Full'><router id='door'/></zone>\n" +
                  std::string(more)),
        from_host("left"));
  };
  CHECK(refused("<route src='left' dst='rigth'/>") ==
        "unknown_reference | 3 | <route>: dst: unknown host, router or zone 'rigth'; did you mean 'right'?");
  CHECK(refused("<route src='left' dst='right'><link_ctn id='lin'/></route>") ==
        "unknown_reference | 3 | <link_ctn>: id: unknown link 'lin'; did you mean 'line'?");
  CHECK(refused("<route src='left' dst='right'><link_ctn id='line_UP'/></route>") ==
        "unknown_reference | 3 | <link_ctn>: id: unknown link 'line_UP'; did you mean 'line'?");
  CHECK(refused("<route src='left' dst='in'/>") ==
        "bad_xml | 3 | <route>: dst: 'in' is a zone, to which a zoneRoute leads");
  CHECK(refused("<zoneRoute src='in' dst='left' gw_src='inner' gw_dst='left'/>") ==
        "bad_xml | 3 | <zoneRoute>: dst: 'left' is a host or router, to which a route leads");
  CHECK(refused("<zoneRoute src='in' dst='other' gw_src='door' gw_dst='door'/>") ==
        "bad_xml | 3 | <zoneRoute>: gw_src: 'door' is no host or router of 'in'");
  CHECK(refused("<route src='left' dst='inner'/>") ==
        "bad_xml | 3 | <route>: dst: 'inner' does not stand in the zone of the route");
  CHECK(refused("<route src='left' dst='right' symmetrical='maybe'/>") ==
        "bad_xml | 3 | <route>: symmetrical must be one of YES, NO, got 'maybe'");
  CHECK(
      refused("<route src='left' dst='right'/>\n<route src='right' dst='left'/>") ==
      "duplicate_name | 4 | a route from 'right' to 'left' is there already, in line 3; routes lead both ways "
      "unless symmetrical is NO");
  CHECK(refused("<trace id='load'>0 1</trace>\n<trace_connect kind='SPEED' trace='laod' element='left'/>") ==
        "unknown_reference | 4 | <trace_connect>: trace: unknown trace 'laod'; did you mean 'load'?");
  CHECK(refused("<trace id='t'>0 1</trace>\n<trace_connect kind='SPEED' trace='t' element='lefft'/>") ==
        "unknown_reference | 4 | <trace_connect>: element: unknown host 'lefft'; did you mean 'left'?");
  CHECK(refused("<trace id='t'>0 1</trace>\n<trace_connect kind='SPEED' trace='t' element='door'/>") ==
        "bad_xml | 4 | <trace_connect>: element: 'door' is no host");
  for (const char* line : {"1", "x 1", "1 -1", "0 1 2", "LOOPAFTER", "LOOPAFTER -1", "-1 1"}) {
    INFO(line);
    CHECK(
        refused(fmt::format("<trace id='t'>{}</trace>", line)) ==
        fmt::format(
            "bad_xml | 3 | <trace> 't': a line must be a time, later than that before it, and a value >= 0, "
            "or LOOPAFTER and a time, got '{}'",
            line));
  }
  CHECK(
      refused("<trace id='t'>1 1\n1 0.5</trace>") ==
      "bad_xml | 3 | <trace> 't': a line must be a time, later than that before it, and a value >= 0, or LOOPAFTER "
      "and a time, got '1 0.5'");
  CHECK(refused("<trace id='t'>1e20 1\nLOOPAFTER 1</trace>") ==
        "bad_xml | 3 | <trace> 't': after its last time 1e+20 it cannot be repeated 1 s later");
  CHECK(refused("<trace id='t' periodicity='often'/>") ==
        "bad_xml | 3 | <trace> 't': periodicity must be a number, got 'often'");
  CHECK(refused("<trace id='t'/>\n<trace id='t'/>") ==
        "duplicate_name | 4 | <trace> 't': a trace of that name is there already");
}

TEST_CASE("large platforms of SimGrid are read in time in proportion to their size") {
  // A star of 20000 hosts, each behind a link of its own, a trace for each, and all behind one of 20000 links.
  std::string text =
      "<platform version='4.1'><zone id='z' routing='Full'><host id='m' speed='1f'/>"
      "<link id='up' bandwidth='1Bps'/><zone id='y' routing='Full'><router id='r'/>";
  constexpr int kHosts = 20'000;
  for (int i = 0; i < kHosts; ++i)
    text += fmt::format(
        "<host id='h{0}' speed='1f'/><link id='l{0}' bandwidth='1Bps'/><link id='x{0}' bandwidth='1Bps'/>"
        "<route src='r' dst='h{0}'><link_ctn id='l{0}'/></route>",
        i);
  text += "</zone>";
  // The way into the zone is long, and all hosts share it.
  text +=
      "<zone id='w' routing='Full'><host id='o' speed='1f'/></zone>"
      "<zoneRoute src='w' dst='y' gw_src='o' gw_dst='r'><link_ctn id='up'/>";
  for (int i = 0; i < kHosts; ++i) text += fmt::format("<link_ctn id='x{}'/>", i);
  text += "</zoneRoute></zone></platform>";
  // The host m has no route; it cannot be reached.
  CHECK(simgrid_refused(text, from_host("o")) == "unsupported_route | 1 | there is no route from 'w' to 'm'");
  text.replace(text.find("<host id='m' speed='1f'/>"), 25, "");
  const auto begin = std::chrono::steady_clock::now();
  const SimgridPlatform read = parse_simgrid(text, "p.xml", from_host("o"));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  CHECK(read.spec.clusters.size() == kHosts + 1);
  CHECK(read.spec.links.size() == kHosts + 1);
  CHECK(took.count() < 10);  // far less, but for a quadratic step
}
