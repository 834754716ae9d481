/*
 * Marks for the constant-time tests: under Valgrind (a build with LIMBIC_CT_TEST) secret memory counts as undefined, so
 * that a branch or address made from it is reported. A value that may be told is declassified. No code otherwise.
 */
#ifndef LIMBIC_BASE_SECRET_H
#define LIMBIC_BASE_SECRET_H

#ifdef LIMBIC_CT_TEST
#include <valgrind/memcheck.h>
#define LIMBIC_SECRET(p, n)     VALGRIND_MAKE_MEM_UNDEFINED(p, n)
#define LIMBIC_DECLASSIFY(p, n) VALGRIND_MAKE_MEM_DEFINED(p, n)
#else
#define LIMBIC_SECRET(p, n)     ((void)(p), (void)(n))
#define LIMBIC_DECLASSIFY(p, n) ((void)(p), (void)(n))
#endif

#endif
