#include "tool.h"

#include <stdio.h>
#include <string.h>

static int printable(unsigned char c) {
    return c >= 0x20 && c < 0x7f;
}

static void json_chars(const char *text, size_t n) {
    putchar('"');
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (printable(c))
            putchar(c);
        else
            printf("\\u%04x", c);
    }
    putchar('"');
}

void limbic_tool_json_string(const char *text) {
    json_chars(text, strlen(text));
}

void limbic_tool_json_words(const char *text) {
    const char *comma = "";
    putchar('[');
    while (*(text += strspn(text, " ")) != '\0') {
        size_t n = strcspn(text, " ");
        fputs(comma, stdout);
        json_chars(text, n);
        comma = ", ";
        text += n;
    }
    putchar(']');
}

void limbic_tool_plain(const char *text) {
    for (; *text != '\0'; text++)
        putchar(printable((unsigned char)*text) ? *text : '?');
}
