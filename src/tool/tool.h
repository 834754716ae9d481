/* The command `limbic`: what its commands share. It uses the public headers alone. */
#ifndef LIMBIC_TOOL_TOOL_H
#define LIMBIC_TOOL_TOOL_H

#include "limbic/key.h"

#include <stdio.h>

/* Exit codes. */
enum { LIMBIC_TOOL_OK = 0, LIMBIC_TOOL_FAILURE = 1, LIMBIC_TOOL_USAGE = 2 };

/* What the options said; a text that was not given is NULL. */
struct limbic_tool_options {
    int json, verbose;
    int curve;      /* a limbic_curve, or 0 for all of them */
    double seconds; /* for each figure of speed */
    const char *alg, *key, *signature, *out, *format, *hash, *id, *padding, *label, *input;
    int digest, compressed, traditional;
};

int limbic_tool_info(const struct limbic_tool_options *o);
int limbic_tool_speed(const struct limbic_tool_options *o);
/* Runs a program, whose place is given from this one's folder, with these arguments; argv[0] is set. Returns if that fails; takes: what it comes with. */
int limbic_tool_run(const char *from_bin, char **argv, const char *takes);
int limbic_tool_openssl_check(const struct limbic_tool_options *o);
int limbic_tool_keygen(const struct limbic_tool_options *o);
int limbic_tool_pubkey(const struct limbic_tool_options *o);
int limbic_tool_sign(const struct limbic_tool_options *o);
int limbic_tool_verify(const struct limbic_tool_options *o);
int limbic_tool_encrypt(const struct limbic_tool_options *o);
int limbic_tool_decrypt(const struct limbic_tool_options *o);

/* Say what is wrong, on standard error, and return the exit code. */
__attribute__((format(printf, 1, 2))) int limbic_tool_usage(const char *format, ...);
__attribute__((format(printf, 1, 2))) int limbic_tool_fail(const char *format, ...);

/* The limbic_curve with this name, "P-256" or "p256"; 0 if there is none. */
int limbic_tool_curve(const char *text);

/* Bytes in memory; wiped and given back by limbic_tool_free. */
struct limbic_tool_bytes {
    uint8_t *p;
    size_t n;
};
/* n bytes of zeros; 0 and a message if there is no memory. */
int limbic_tool_alloc(struct limbic_tool_bytes *b, size_t n);
void limbic_tool_free(struct limbic_tool_bytes *b);
/* Opens a file for reading; NULL or "-" is standard input. NULL and a message if that fails. */
FILE *limbic_tool_open(const char *name);
/* All that a file has, at most limit bytes; 0 and a message if that fails. */
int limbic_tool_read(const char *name, struct limbic_tool_bytes *b, size_t limit);
/* Whether both names are of one file that exists. */
int limbic_tool_same_file(const char *a, const char *b);
/* How a result is written: as any file; readable by its owner alone; so, and only to a new file. */
enum { LIMBIC_TOOL_PUBLIC, LIMBIC_TOOL_PRIVATE, LIMBIC_TOOL_NEW };
/* Writes a result, whole or not at all where the file is an ordinary one: NULL or "-" is standard output. Returns the exit code. */
int limbic_tool_write(const char *name, const uint8_t *p, size_t n, int how);
/* The same as hexadecimal digits and a line's end. */
int limbic_tool_write_hex(const char *name, const uint8_t *p, size_t n, int how);
/* Hexadecimal digits, white space between them, to bytes in place of them; 0 if something else stands there. */
int limbic_tool_unhex(struct limbic_tool_bytes *b);

/* A key: of a curve, or RSA. */
struct limbic_tool_key {
    limbic_key_info info;
    size_t bytes; /* of a scalar; of the RSA modulus */
    uint8_t private_key[LIMBIC_MAX_BYTES], public_key[LIMBIC_MAX_POINT_BYTES]; /* EC; uncompressed */
    struct limbic_tool_bytes rsa;                                              /* RSA: the key buffer */
};
/* Reads the file of --key, which must be of --alg where that is given; is_private: it must be a private key. 0, or the exit code, a
 * message being printed. */
int limbic_tool_load(struct limbic_tool_key *key, const struct limbic_tool_options *o, int is_private);
void limbic_tool_unload(struct limbic_tool_key *key);

/* Prints a text as a JSON string. Bytes that are not printable ASCII become \u00XX, so that the output is valid JSON
 * whatever stands in the environment. */
void limbic_tool_json_string(const char *text);
/* Prints the words of text, which have a space between, as a JSON array. */
void limbic_tool_json_words(const char *text);
/* Prints text with '?' for bytes that could steer a terminal. */
void limbic_tool_plain(const char *text);

#endif
