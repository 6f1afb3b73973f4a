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
inline constexpr FieldRow kMu =
    parameter("mu", kAnyNumber, "services per second; of the lognormal law the mean of the logarithm");
inline constexpr FieldRow kSigma = parameter("sigma", kNotNegative, "standard deviation of the logarithm");
inline constexpr FieldRow kShape = parameter("shape", kPositive, "of the law, > 0");
inline constexpr FieldRow kScale = parameter("scale", kPositive, "of the law, > 0");
inline constexpr FieldRow kMinimum = parameter("minimum", kPositive, "the least value, > 0");
inline constexpr FieldRow kK = whole_field("k", {1, 1'000'000}, {}, "how many exponentials are added");
inline constexpr FieldRow kProbabilities = other_field("probabilities", "a list with the sum 1");
inline constexpr FieldRow kMeans = other_field("means", "a list, one for each probability");
inline constexpr FieldRow kValue = parameter("value", kAnyNumber, "the one value");

inline constexpr FieldRow kUniform[] = {kLow, kHigh};
inline constexpr FieldRow kExponential[] = {kMean};
inline constexpr FieldRow kNormal[] = {kAnyMean, kSd};
inline constexpr FieldRow kLognormal[] = {kMean, kSd, kMu, kSigma};
inline constexpr FieldRow kGamma[] = {kMean, kSd, kShape, kScale};
inline constexpr FieldRow kErlang[] = {kK, kMean};
inline constexpr FieldRow kHyperexponential[] = {kProbabilities, kMeans};
inline constexpr FieldRow kWeibull[] = {kShape, kScale};
inline constexpr FieldRow kPareto[] = {kShape, kMinimum};
inline constexpr FieldRow kTriangular[] = {kLow, kMode, kHigh};
inline constexpr FieldRow kPoisson[] = {kMeanCount};
inline constexpr FieldRow kDeterministic[] = {kValue};

// The bounds of d:truncated; math.huge on either side is no bound.
inline constexpr FieldRow kFrom = parameter("low", {}, kLow.meaning);
inline constexpr FieldRow kUpTo = parameter("high", {}, kHigh.meaning);
inline constexpr FieldRow kTruncated[] = {kFrom, kUpTo};

inline constexpr FieldRow kDensity = other_field("density", "density(x) >= 0");
inline constexpr FieldRow kMajorant =
    other_field("majorant", "a number c with density(x) <= c * density of the proposal");
inline constexpr FieldRow kProposal = other_field("proposal", "a distribution with a density");
inline constexpr FieldRow kAcceptance[] = {kDensity, kMajorant, kProposal};

}  // namespace perigee::language::distribution_fields
