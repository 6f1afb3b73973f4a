#include "runtime/kernel/random.h"

#include <Random123/philox.h>

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>
#include <vector>

#include "runtime/kernel/error.h"
#include "tests/support/layers.h"

using namespace perigee;
using namespace perigee::test;

namespace {

constexpr std::size_t kDraws = 40000;

template <class Draw>
std::vector<double> sample(Draw draw, std::size_t n = kDraws) {
  std::vector<double> out(n);
  for (double& x : out) x = draw();
  return out;
}

// Mean and variance within four standard errors; the fourth moment comes from the sample.
void check_moments(const std::vector<double>& x, double mean, double sd) {
  const auto n = static_cast<double>(x.size());
  const double m = std::accumulate(x.begin(), x.end(), 0.0) / n;
  double second = 0, fourth = 0;
  for (const double v : x) {
    const double d = (v - mean) * (v - mean);
    second += d / n;
    fourth += d * d / n;
  }
  CHECK(std::fabs(m - mean) <= 4 * sd / std::sqrt(n));
  CHECK(std::fabs(second - sd * sd) <= 4 * std::sqrt(std::max(0.0, fourth - second * second) / n));
}

// Kolmogorov-Smirnov at 0.1 %: sup |F_n - F| <= 1.9495 / sqrt(n).
void check_distribution(std::vector<double> x, const std::function<double(double)>& cdf) {
  std::sort(x.begin(), x.end());
  const auto n = static_cast<double>(x.size());
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double f = cdf(x[i]);
    most = std::max({most, f - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - f});
  }
  CHECK(most <= 1.9495 / std::sqrt(n));
}

double normal_cdf(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

using Block = std::array<std::uint64_t, 4>;
Block philox(Block counter, std::array<std::uint64_t, 2> key) {
  const auto out = r123::Philox4x64{}({{counter[0], counter[1], counter[2], counter[3]}}, {{key[0], key[1]}});
  return {out[0], out[1], out[2], out[3]};
}

}  // namespace

// Random123's kat_vectors, "philox4x64 10".
TEST_CASE("philox4x64-10 gives the known answers") {
  CHECK(philox({0, 0, 0, 0}, {0, 0}) ==
        Block{0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b, 0x7e68b68aec7ba23b});
  constexpr std::uint64_t ones = ~std::uint64_t{0};
  CHECK(philox({ones, ones, ones, ones}, {ones, ones}) ==
        Block{0x87b092c3013fe90b, 0x438c3c67be8d0224, 0x9cc7d7c69cd777b6, 0xa09caebf594f0ba0});
  CHECK(philox({0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89},
               {0x452821e638d01377, 0xbe5466cf34e90c6c}) ==
        Block{0xa528f45403e61d95, 0x38c72dbd566e9788, 0xa5a1610e72fd18b5, 0x57bd43b5e52b7fe6});
}

// FNV-1a 64 of "" and "a" are cbf29ce484222325 and af63dc4c8601ec8c (draft-eastlake-fnv).
TEST_CASE("names are hashed as documented") {
  CHECK(hash_name("") == SplitMix64::mix(0xcbf29ce484222325));
  CHECK(hash_name("a") == SplitMix64::mix(0xaf63dc4c8601ec8c));
}

TEST_CASE("a stream is philox keyed by seed and name") {
  Stream s(42, "arrival", 7);
  for (std::uint64_t block = 0; block < 3; ++block)
    for (const std::uint64_t expected : philox({block, 7, 0, 0}, {42, hash_name("arrival")}))
      CHECK(s() == expected);
  CHECK(s.position() == 12);
}

TEST_CASE("streams are values, independent by name, seed and substream") {
  Stream a(1, "arrival"), b(1, "execution");
  Stream copy = a;
  const std::uint64_t first = a();
  CHECK(copy() == first);
  CHECK(copy == a);
  // Drawing from another stream shifts nothing.
  for (int i = 0; i < 1000; ++i) b();
  Stream again(1, "arrival");
  again();
  CHECK(again() == a());
  // A copy in the middle of a block goes on from there.
  Stream fork = a;
  for (int i = 0; i < 9; ++i) CHECK(fork() == a());

  // sub() does not depend on what was drawn and never is the stream itself.
  CHECK(a.sub(3) == Stream(1, "arrival").sub(3));
  CHECK(Stream(1, "arrival", 0) == Stream(1, "arrival"));
  std::set<std::uint64_t> seen;
  const Stream root(1, "arrival");
  std::size_t streams = 0;
  const auto add = [&](Stream s) {
    seen.insert(s());
    ++streams;
  };
  add(root);
  for (std::uint64_t k = 0; k < 2000; ++k) {
    add(root.sub(k));
    add(root.sub(0).sub(k));
    add(Stream(1, "arrival", k + 1));
    add(Stream(k + 2, "arrival"));
    add(Stream(1, "arrival" + std::to_string(k)));
  }
  CHECK(seen.size() == streams);
}

TEST_CASE("two streams are uncorrelated") {
  Stream a(5, "a"), b(5, "b");
  double sum = 0;
  for (std::size_t i = 0; i < kDraws; ++i) sum += (a.uniform() - 0.5) * (b.uniform() - 0.5);
  CHECK(std::fabs(sum / kDraws * 12) <= 4 / std::sqrt(static_cast<double>(kDraws)));
}

// Reference outputs of the published generator.
TEST_CASE("SplitMix64 gives the prescribed numbers") {
  SplitMix64 s(1);
  CHECK(s() == 0x910a2dec89025cc1);
  CHECK(s() == 0xbeeb8da1658eec67);
  CHECK(s() == 0xf893a2eefb32555e);

  // Section 7: 512 requested times 100 + floor(u 2901), w = 1.
  SplitMix64 w(1);
  std::vector<std::uint64_t> times;
  for (int i = 0; i < 512; ++i) times.push_back(100 + w.floor_below(2901));
  CHECK(times[0] == 1743);
  CHECK(times[1] == 2263);
  CHECK(times[2] == 2916);
  CHECK(times[3] == 1389);
  CHECK(std::accumulate(times.begin(), times.end(), std::uint64_t{0}) == 774227);

  // Exponential by inversion, normal by Box-Muller with the cosine, from open numbers.
  const auto open = [](std::uint64_t out) {
    return (static_cast<double>(out >> 11) + 0.5) / 9007199254740992.0;
  };
  const double u = open(0x910a2dec89025cc1), v = open(0xbeeb8da1658eec67);
  CHECK(SplitMix64(1).exponential(3) == Approx(-3 * std::log(u)).epsilon(1e-15));
  SplitMix64 n(1);
  CHECK(n.normal(10, 2) ==
        Approx(10 + 2 * std::sqrt(-2 * std::log(u)) * std::cos(2 * M_PI * v)).epsilon(1e-15));
  CHECK(n() == 0xf893a2eefb32555e);
}

TEST_CASE("uniform numbers of a stream are in the open interval") {
  Stream s(1, "u");
  const auto x = sample([&] { return s.uniform(); });
  CHECK(*std::min_element(x.begin(), x.end()) > 0);
  CHECK(*std::max_element(x.begin(), x.end()) < 1);
  check_moments(x, 0.5, std::sqrt(1 / 12.0));
  check_distribution(x, [](double v) { return v; });
}

TEMPLATE_TEST_CASE("variates have the right moments and distributions", "", Stream, SplitMix64) {
  TestType rng = [] {
    if constexpr (std::is_same_v<TestType, Stream>)
      return Stream(2024, "variates");
    else
      return SplitMix64(2024);
  }();

  SECTION("uniform") {
    check_moments(sample([&] { return rng.uniform(90, 110); }), 100, 20 / std::sqrt(12.0));
    CHECK(rng.uniform(3, 3) == 3);
  }
  SECTION("exponential") {
    const auto x = sample([&] { return rng.exponential(67); });
    check_moments(x, 67, 67);
    check_distribution(x, [](double v) { return 1 - std::exp(-v / 67); });
  }
  SECTION("normal") {
    const auto x = sample([&] { return rng.normal(100, 15); });
    check_moments(x, 100, 15);
    check_distribution(x, [](double v) { return normal_cdf((v - 100) / 15); });
    CHECK(rng.normal(7, 0) == 7);
  }
  SECTION("lognormal") {
    const auto x = sample([&] { return rng.lognormal(10, 5); });
    check_moments(x, 10, 5);
    const double s2 = std::log(1.25), mu = std::log(10) - s2 / 2;
    check_distribution(x, [&](double v) { return normal_cdf((std::log(v) - mu) / std::sqrt(s2)); });
    check_distribution(sample([&] { return rng.lognormal_mu_sigma(1, 0.5); }),
                       [](double v) { return normal_cdf((std::log(v) - 1) / 0.5); });
    CHECK(rng.lognormal(10, 0) == 10);
  }
  SECTION("gamma") {
    check_moments(sample([&] { return rng.gamma(4, 2.5); }), 10, 5);
    check_distribution(sample([&] { return rng.gamma(3, 2); }), [](double v) {
      const double y = v / 2;
      return 1 - std::exp(-y) * (1 + y + y * y / 2);
    });
    check_distribution(sample([&] { return rng.gamma(0.5, 2); }),
                       [](double v) { return std::erf(std::sqrt(v / 2)); });
    check_distribution(sample([&] { return rng.gamma(1, 2); }),
                       [](double v) { return 1 - std::exp(-v / 2); });
    // Shape 40000, of a grouping study (mean 1000, sd 5); by then the law is normal to 0.2 %.
    const auto wide = sample([&] { return rng.gamma_mean_sd(1000, 5); });
    check_moments(wide, 1000, 5);
    check_distribution(wide, [](double v) { return normal_cdf((v - 1000) / 5); });
    check_moments(sample([&] { return rng.gamma_mean_sd(100, 50); }), 100, 50);
    CHECK(rng.gamma_mean_sd(1000, 0) == 1000);
  }
  SECTION("weibull") {
    const auto x = sample([&] { return rng.weibull(2, 3); });
    check_moments(x, 3 * std::sqrt(M_PI) / 2, 3 * std::sqrt(1 - M_PI / 4));
    check_distribution(x, [](double v) { return 1 - std::exp(-v * v / 9); });
  }
  SECTION("erlang") {
    const auto x = sample([&] { return rng.erlang(4, 10); });
    check_moments(x, 10, 5);
    check_distribution(x, [](double v) {
      const double y = v / 2.5;
      return 1 - std::exp(-y) * (1 + y + y * y / 2 + y * y * y / 6);
    });
    check_moments(sample([&] { return rng.erlang(2000, 10); }), 10, 10 / std::sqrt(2000.0));
  }
  SECTION("hyperexponential") {
    const std::vector<double> p = {0.3, 0.7}, means = {10, 1};
    const auto x = sample([&] { return rng.hyperexponential(p, means); });
    check_moments(x, 3.7, std::sqrt(2 * (0.3 * 100 + 0.7) - 3.7 * 3.7));
    check_distribution(x, [](double v) { return 1 - 0.3 * std::exp(-v / 10) - 0.7 * std::exp(-v); });
  }
  SECTION("pareto") {
    const auto x = sample([&] { return rng.pareto(6, 2); });
    check_moments(x, 12.0 / 5, std::sqrt(4 * 6 / (25.0 * 4)));
    check_distribution(x, [](double v) { return 1 - std::pow(2 / v, 6); });
  }
  SECTION("triangular") {
    const auto x = sample([&] { return rng.triangular(1, 2, 5); });
    check_moments(x, 8.0 / 3, std::sqrt((1 + 4 + 25 - 2 - 5 - 10) / 18.0));
    check_distribution(x,
                       [](double v) { return v < 2 ? (v - 1) * (v - 1) / 4 : 1 - (5 - v) * (5 - v) / 12; });
    CHECK(rng.triangular(2, 2, 2) == 2);
  }
  SECTION("poisson") {
    for (const double mean : {0.3, 3.0, 9.9, 10.0, 50.0, 1e6}) {
      const auto x = sample([&] { return static_cast<double>(rng.poisson(mean)); });
      check_moments(x, mean, std::sqrt(mean));
    }
    const auto x = sample([&] { return static_cast<double>(rng.poisson(12)); });
    double p = std::exp(-12.0), chi2 = 0;  // cells 5..20: 16, sum of squares below the 0.1 % point
    for (int k = 0; k <= 20; ++k) {
      if (k > 0) p *= 12.0 / k;
      if (k < 5) continue;
      const auto seen = static_cast<double>(std::count(x.begin(), x.end(), k));
      chi2 += (seen - p * kDraws) * (seen - p * kDraws) / (p * kDraws);
    }
    CHECK(chi2 < 39.25);
    CHECK(rng.poisson(0) == 0);
  }
  SECTION("bernoulli, discrete, empirical") {
    check_moments(sample([&] { return rng.bernoulli(0.3) ? 1.0 : 0.0; }), 0.3, std::sqrt(0.21));
    CHECK_FALSE(rng.bernoulli(0));
    CHECK(rng.bernoulli(1));
    const std::vector<double> weights = {0, 2, 0, 6, 0};
    check_moments(sample([&] { return static_cast<double>(rng.discrete(weights)); }), 2.5, std::sqrt(0.75));
    const std::vector<double> values = {1, 2, 6};
    check_moments(sample([&] { return rng.empirical(values); }), 3, std::sqrt(14.0 / 3));
  }
  SECTION("below") {
    check_moments(sample([&] { return static_cast<double>(rng.below(10)); }), 4.5, std::sqrt(99 / 12.0));
    CHECK(rng.below(1) == 0);
    // 3 * 2^62: without rejection the first third would be twice as likely as the last.
    const std::uint64_t n = std::uint64_t{3} << 62;
    check_distribution(sample([&] { return static_cast<double>(rng.below(n)) / static_cast<double>(n); }),
                       [](double v) { return v; });
    CHECK(rng.floor_below(1) == 0);
    CHECK(rng.floor_below(~std::uint64_t{0}) < ~std::uint64_t{0});
  }
  SECTION("shuffle") {
    std::vector<int> seen(6);
    for (int i = 0; i < 60000; ++i) {
      std::vector<int> v = {0, 1, 2};
      rng.shuffle(v);
      ++seen[static_cast<std::size_t>(v[0] * 2 + (v[1] > v[2] ? 1 : 0))];
    }
    for (const int count : seen)  // 10000, sd 91
      CHECK(std::abs(count - 10000) < 4 * 92);
    std::vector<int> none;
    rng.shuffle(none);
  }
}

TEST_CASE("shuffle goes from the last position down with j = floor(u (i + 1))") {
  std::vector<int> v = {0, 1, 2, 3, 4};
  std::vector<int> expected = v;
  SplitMix64 draws(9);
  for (std::size_t i = 4; i > 0; --i)
    std::swap(expected[i], expected[static_cast<std::size_t>(draws.uniform() * static_cast<double>(i + 1))]);
  SplitMix64 rng(9);
  rng.shuffle(v);
  CHECK(v == expected);
}

TEST_CASE("bad parameters are refused by name") {
  Stream s(1, "x");
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  for (const double bad : {0.0, -1.0, inf, nan}) {
    CHECK_THROWS_AS(s.exponential(bad), Error);
    CHECK_THROWS_AS(s.gamma(bad, 1), Error);
    CHECK_THROWS_AS(s.gamma(1, bad), Error);
    CHECK_THROWS_AS(s.gamma_mean_sd(bad, 1), Error);
    CHECK_THROWS_AS(s.weibull(1, bad), Error);
    CHECK_THROWS_AS(s.pareto(bad, 1), Error);
    CHECK_THROWS_AS(s.erlang(2, bad), Error);
    CHECK_THROWS_AS(s.lognormal(bad, 1), Error);
  }
  for (const double bad : {-1.0, inf, nan}) {
    CHECK_THROWS_AS(s.normal(0, bad), Error);
    CHECK_THROWS_AS(s.poisson(bad), Error);
    CHECK_THROWS_AS(s.bernoulli(bad), Error);
    CHECK_THROWS_AS(s.discrete(std::vector<double>{1, bad}), Error);
  }
  CHECK_THROWS_AS(s.uniform(2, 1), Error);
  CHECK_THROWS_AS(s.uniform(-1.7e308, 1.7e308), Error);
  CHECK_THROWS_AS(s.below(0), Error);
  CHECK_THROWS_AS(s.erlang(0, 1), Error);
  CHECK_THROWS_AS(s.triangular(1, 0, 2), Error);
  CHECK_THROWS_AS(s.discrete({}), Error);
  CHECK_THROWS_AS(s.discrete(std::vector<double>{0, 0}), Error);
  CHECK_THROWS_AS(s.empirical({}), Error);
  CHECK_THROWS_AS(s.hyperexponential(std::vector<double>{0.5, 0.4}, std::vector<double>{1, 2}), Error);
  CHECK_THROWS_AS(s.gamma_mean_sd(1e300, 1e-300), Error);
  try {
    s.exponential(-2);
    FAIL("accepted");
  } catch (const Error& e) {
    CHECK(e.diagnostic().code == "bad_parameter");
    CHECK(std::string(e.what()) == "exponential: the mean must be finite and > 0, got -2");
  }
}

// Any change of these numbers changes every stored result.
TEST_CASE("variates of a stream are pinned bit by bit") {
  Stream s(1, "pinned");
  std::uint64_t h = 0;
  const auto take = [&](double x) { h = SplitMix64::mix(h ^ std::bit_cast<std::uint64_t>(x)); };
  for (int i = 0; i < 1000; ++i) {
    take(s.uniform());
    take(s.exponential(2));
    take(s.normal(1, 2));
    take(s.gamma(2.5, 2));
    take(s.gamma(0.4, 2));
    take(s.weibull(1.5, 2));
    take(s.lognormal(3, 1));
    take(s.pareto(2, 1));
    take(static_cast<double>(s.poisson(4)));
    take(static_cast<double>(s.poisson(400)));
  }
  CHECK(h == 0x0c2e2ecd620c99e9u);
}
