// The fields of the words that make probability distributions, and of samplers.
#pragma once

#include "interpreter/host/field_row.h"

namespace perigee::language::distribution_fields {

constexpr FieldRow parameter(std::string_view name, Range range, std::string_view meaning) {
  return number_field(name, Dimension::count, range, {}, meaning);
}

inline constexpr FieldRow kLow = parameter("low", kAnyNumber, "the least value");
inline constexpr FieldRow kMode = parameter("mode", kAnyNumber, "the most likely value");
inline constexpr FieldRow kHigh = parameter("high", kAnyNumber, "the greatest value");
inline constexpr FieldRow kAnyMean = parameter("mean", kAnyNumber, "of the values");
inline constexpr FieldRow kMean = parameter("mean", kPositive, "of the values");
inline constexpr FieldRow kMeanCount = parameter("mean", {0, 1e15}, "of the values");
inline constexpr FieldRow kSd = parameter("sd", kNotNegative, "standard deviation");
inline constexpr FieldRow kMu = parameter("mu", kAnyNumber, "mean of the logarithm");
inline constexpr FieldRow kSigma = parameter("sigma", kNotNegative, "standard deviation of the logarithm");
inline constexpr FieldRow kShape = parameter("shape", kPositive, "of the law, > 0");
inline constexpr FieldRow kScale = parameter("scale", kPositive, "of the law, > 0");
inline constexpr FieldRow kMinimum = parameter("minimum", kPositive, "the least value, > 0");
inline constexpr FieldRow kK = whole_field("k", {1, 1'000'000}, {}, "how many exponentials are added");
inline constexpr FieldRow kProbabilities =
    other_field("probabilities", "a list with the sum 1").of_type("number[]");
inline constexpr FieldRow kMeans =
    other_field("means", "a list, one for each probability").of_type("number[]");
inline constexpr FieldRow kValue = parameter("value", kAnyNumber, "the one value");

inline constexpr FieldRow kUniform[] = {kLow.must_be_given(), kHigh.must_be_given()};
inline constexpr FieldRow kExponential[] = {kMean.must_be_given()};
inline constexpr FieldRow kNormal[] = {kAnyMean.must_be_given(), kSd.must_be_given()};
inline constexpr FieldRow kLognormal[] = {kMean, kSd, kMu, kSigma};
inline constexpr FieldRow kGamma[] = {kMean, kSd, kShape, kScale};
inline constexpr FieldRow kErlang[] = {kK.must_be_given(), kMean.must_be_given()};
inline constexpr FieldRow kHyperexponential[] = {kProbabilities.must_be_given(), kMeans.must_be_given()};
inline constexpr FieldRow kWeibull[] = {kShape.must_be_given(), kScale.must_be_given()};
inline constexpr FieldRow kPareto[] = {kShape.must_be_given(), kMinimum.must_be_given()};
inline constexpr FieldRow kTriangular[] = {kLow.must_be_given(), kMode.must_be_given(),
                                           kHigh.must_be_given()};
inline constexpr FieldRow kPoisson[] = {kMeanCount.must_be_given()};
inline constexpr FieldRow kDeterministic[] = {kValue.must_be_given()};

// The bounds of d:truncated; math.huge on either side is no bound.
inline constexpr FieldRow kFrom = parameter("low", {}, kLow.meaning);
inline constexpr FieldRow kUpTo = parameter("high", {}, kHigh.meaning);
inline constexpr FieldRow kTruncated[] = {kFrom, kUpTo};

inline constexpr FieldRow kDensity =
    other_field("density", "density(x) >= 0").of_type("fun(x: number): number");
inline constexpr FieldRow kMajorant =
    other_field("majorant", "a number c with density(x) <= c * density of the proposal")
        .of_type("number|fun(x: number): number");
inline constexpr FieldRow kProposal =
    other_field("proposal", "a distribution with a density")
        .of_type("probability distribution|fun(rng: random stream): number");
inline constexpr FieldRow kAcceptance[] = {kDensity.must_be_given(), kMajorant.must_be_given(),
                                           kProposal.must_be_given()};

}  // namespace perigee::language::distribution_fields
