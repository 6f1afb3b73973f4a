// The fields of the words that draw figures and Gantt charts.
#pragma once

#include <cstdint>

#include "interpreter/host/field_row.h"
#include "interpreter/language/fields/statistics.h"

namespace perigee::language {

// The part of a run that its Gantt chart shows, and the chart in the terminal.
namespace chart_fields {

inline constexpr FieldRow kFrom =
    number_field("from", Dimension::seconds, kNotNegative, {}, "where the chart begins, s (the first event)");
inline constexpr FieldRow kTo =
    number_field("to", Dimension::seconds, kNotNegative, {}, "where it ends, s (the end of the run)");
inline constexpr FieldRow kHosts =
    other_field("hosts", "those that it shows: names of hosts and clusters (all)").of_type("string|string[]");
inline constexpr std::int64_t kLeastColumns = 40, kMostColumns = 10'000;
inline constexpr FieldRow kWidth =
    whole_field("width", {kLeastColumns, kMostColumns}, {}, "of the terminal, columns");
inline constexpr FieldRow kRows = whole_field(
    "rows", {1, 100}, {},
    "so many at most, each of neighbouring hosts and shaded by how busy they are (what can be read)");
inline constexpr FieldRow kAll[] = {kFrom, kTo, kHosts, kRows, kWidth};

}  // namespace chart_fields

// Figures of rows take these.
namespace plot_fields {

using statistics_fields::kConfidence;

inline constexpr Range kSide{200, 10'000};  // pixels

inline constexpr FieldRow kX = text_field("x", "", "the column along the horizontal axis");
inline constexpr FieldRow kY =
    other_field("y", "the column along the vertical axis").of_type("string|string[]").must_be_given();
inline constexpr FieldRow kBy =
    other_field("by", "the column, or list of columns, whose values are shown side by side")
        .of_type("string|string[]");
inline constexpr FieldRow kKind =
    choice_field("kind", "lines|steps|points|bars|stacked|box|histogram|areas|ecdf|heatmap",
                 "of the figure (what suits the columns)");
inline constexpr FieldRow kFacet =
    other_field("facet", "the column, or two columns, for each of whose values there is a small figure")
        .of_type("string|string[]");
inline constexpr FieldRow kValue = text_field("value", "", "of a heat map: the column that its colours show");
inline constexpr FieldRow kValueLabel = text_field("value_label", {}, "in place of the column's name");
inline constexpr FieldRow kValueUnit =
    text_field("value_unit", {}, "of the colours; known units are converted");
inline constexpr FieldRow kTitle = text_field("title", "", "of the figure");
inline constexpr FieldRow kXLabel = text_field("x_label", {}, "in place of the column's name");
inline constexpr FieldRow kYLabel = text_field("y_label", {}, "in place of the column's name");
inline constexpr FieldRow kXUnit = text_field("x_unit", {}, "of the axis; known units are converted");
inline constexpr FieldRow kYUnit = text_field("y_unit", {}, "of the axis; known units are converted");
inline constexpr FieldRow kLogX =
    flag_field("log_x", false, "true: a logarithmic axis; values must be positive");
inline constexpr FieldRow kLogY =
    flag_field("log_y", false, "true: a logarithmic axis; values must be positive");
inline constexpr FieldRow kBins = whole_field("bins", {1, 1000}, {}, "of a histogram: how many");
inline constexpr FieldRow kFile =
    text_field("file", "", "the name of the files below --out, without their ends (from the columns)");
inline constexpr FieldRow kWidth = whole_field("width", kSide, 640, "of the SVG, pixels ({default})");
inline constexpr FieldRow kHeight =
    whole_field("height", kSide, {}, "of the SVG, pixels (what suits the figure)");
inline constexpr FieldRow kText = flag_field("text", true, "false: nothing is printed ({default})");
inline constexpr FieldRow kFormats =
    other_field("formats", "a list of those of the files: svg, pdf, png ({ \"svg\" })").of_type("string[]");
inline constexpr FieldRow kAll[] = {
    kX,          kY,         kBy,   kFacet, kKind, kTitle,      kXLabel, kYLabel,  kXUnit, kYUnit,  kValue,
    kValueLabel, kValueUnit, kLogX, kLogY,  kBins, kConfidence, kFile,   kFormats, kWidth, kHeight, kText};

// The same of rows whose columns are known.
inline constexpr FieldRow kOwnY =
    other_field("y", "the column along the vertical axis (what is found)").of_type("string|string[]");
inline constexpr FieldRow kOfOwnRows[] = {
    kX,          kOwnY,      kBy,   kFacet, kKind, kTitle,      kXLabel, kYLabel,  kXUnit, kYUnit,  kValue,
    kValueLabel, kValueUnit, kLogX, kLogY,  kBins, kConfidence, kFile,   kFormats, kWidth, kHeight, kText};

}  // namespace plot_fields

// Figures of a result take these.
namespace result_plot_fields {

using chart_fields::kFrom;
using chart_fields::kHosts;
using chart_fields::kRows;
using chart_fields::kTo;
using plot_fields::kFormats;
using plot_fields::kHeight;
using plot_fields::kText;
using plot_fields::kTitle;

inline constexpr FieldRow kKind =
    choice_field("kind", "gantt|utilization|queue|power", "of the figure ({default})");
inline constexpr FieldRow kFile = text_field(
    "file", "", "the name of the files below --out, without their ends (the kind and the number of the run)");
inline constexpr FieldRow kWidth =
    whole_field("width", plot_fields::kSide, 800, "of the SVG, pixels ({default})");
inline constexpr FieldRow kAll[] = {kKind, kTitle, kFile, kFormats, kWidth, kHeight,
                                    kText, kFrom,  kTo,   kHosts,   kRows};

}  // namespace result_plot_fields

// r:classes takes these.
namespace report_fields {

inline constexpr FieldRow kTitle = text_field("title", "", "of the page (what it tells of)");
inline constexpr FieldRow kAll[] = {kTitle};

}  // namespace report_fields

namespace classes_fields {

inline constexpr FieldRow kWidths = numbers_field(
    "widths", Dimension::count, {1},
    "upper borders of classes of width, ascending whole numbers; { }: one class ({ 1, 8, 64 })");
inline constexpr FieldRow kLengths = numbers_field(
    "lengths", Dimension::seconds, kPositive,
    "upper borders of classes of run time, s, ascending; { }: one class ({ \"10 min\", \"1 h\", \"8 h\" })");
inline constexpr FieldRow kUnit = choice_field("unit", "cores|nodes", "of widths ({default})");
inline constexpr FieldRow kAll[] = {kWidths, kLengths, kUnit};

}  // namespace classes_fields

namespace groups_fields {

inline constexpr FieldRow kBy =
    choice_field("by", "user|queue|qos|account", "what the works of a row have in common ({default})");
inline constexpr FieldRow kAll[] = {kBy};

}  // namespace groups_fields

// A result is saved with these, beside the names of further formats.
namespace save_fields {

inline constexpr FieldRow kOnly =
    other_field("only",
                "a list of those to be written of jobs, resources, trace, chrome_trace and metrics (all)")
        .of_type("string[]");
inline constexpr FieldRow kGzip = flag_field(
    "gzip", false, "true: CSV files and chrome_trace.json are compressed; .gz ends their names ({default})");
inline constexpr FieldRow kAll[] = {kOnly, kGzip};

}  // namespace save_fields

}  // namespace perigee::language
