/* The command `limbic`: what its commands share. It uses the public headers alone. */
#ifndef LIMBIC_TOOL_TOOL_H
#define LIMBIC_TOOL_TOOL_H

#include "limbic/limbic.h"

/* Exit codes. */
enum { LIMBIC_TOOL_OK = 0, LIMBIC_TOOL_FAILURE = 1, LIMBIC_TOOL_USAGE = 2 };

/* What the options said. */
struct limbic_tool_options {
    int json, verbose;
    int curve;      /* a limbic_curve, or 0 for all of them */
    double seconds; /* for each figure of speed */
};

int limbic_tool_info(const struct limbic_tool_options *o);
int limbic_tool_speed(const struct limbic_tool_options *o);

/* Prints a text as a JSON string. Bytes that are not printable ASCII become \u00XX, so that the output is valid JSON
 * whatever stands in the environment. */
void limbic_tool_json_string(const char *text);
/* Prints the words of text, which have a space between, as a JSON array. */
void limbic_tool_json_words(const char *text);
/* Prints text with '?' for bytes that could steer a terminal. */
void limbic_tool_plain(const char *text);

#endif
