/* String functions that compiled models call where loops over numbers do not suffice. Programs may use them as well.
 *
 * A string is a sequence of bytes that ends at the first zero. It should be UTF-8, but any bytes are safe. Functions
 * that create a string store it in the caller's area (abi.h) and return its address; if the area is full, they return
 * the address of an empty string. No function allocates memory, keeps state or depends on the locale. All may be called
 * from several threads, also with the same area. */
#ifndef CAMEO_TEXT_H
#define CAMEO_TEXT_H

#include "cameo/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Allocates `bytes` bytes and a zero after them, which is written. Returns null if the area is full. */
char *cameo_text_allocate(cameo_text_area *area, uint64_t bytes);

/* Returns a negative number, 0 or a positive number. Compares bytes, which gives the order of code points. */
int32_t cameo_text_compare(const char *a, const char *b);

const char *cameo_text_concat(cameo_text_area *area, const char *a, const char *b);

/* Converts all letters to one case by Unicode's simple mapping (one code point to one). Bytes that are not UTF-8 are
 * kept. */
const char *cameo_text_lower(cameo_text_area *area, const char *string);
const char *cameo_text_upper(cameo_text_area *area, const char *string);

/* ---- numbers -------------------------------------------------------------------------------------------------------
 */

/* Floats are written with the fewest digits that read back as the same number of the same type, as Python and NumPy do:
 * "0.1", "3.0", "1e-07", "1e+16", "nan", "inf", "-inf". The 16-bit types are passed as their bits. Booleans: "True",
 * "False". */
const char *cameo_text_from_float64(cameo_text_area *area, double number);
const char *cameo_text_from_float32(cameo_text_area *area, float number);
const char *cameo_text_from_float16(cameo_text_area *area, int32_t bits);
const char *cameo_text_from_bfloat16(cameo_text_area *area, int32_t bits);
const char *cameo_text_from_int64(cameo_text_area *area, int64_t number);
const char *cameo_text_from_uint64(cameo_text_area *area, uint64_t number);
const char *cameo_text_from_bool(cameo_text_area *area, int32_t number);

/* Parses a decimal number, with blanks around it allowed, and rounds it to the nearest float; also "inf", "infinity"
 * and "nan" in either case, with or without a sign. Any other string gives NaN. To integers: digits exactly; a number
 * with a fraction or an exponent is truncated; a number out of range gives the nearest limit of the type; any other
 * string gives 0. Booleans: 0 for "false" and 1 for "true" in either case, else whether the number differs from 0. */
double cameo_text_to_float64(const char *string);
float cameo_text_to_float32(const char *string);
int64_t cameo_text_to_int64(const char *string);
uint64_t cameo_text_to_uint64(const char *string);
int32_t cameo_text_to_bool(const char *string);

/* ---- parts ---------------------------------------------------------------------------------------------------------
 */

/* Returns the number of parts between delimiters. Only the first `most_splits` delimiters are split at (negative: all);
 * the last part is the rest. An empty delimiter stands for runs of blanks; blanks at both ends are then dropped, except
 * at the end of the rest. This is Python's split. */
int64_t cameo_text_count_parts(const char *string, const char *delimiter, int64_t most_splits);
/* Returns part `number`, from 0 on; an empty string if there are fewer parts. */
const char *cameo_text_take_part(cameo_text_area *area, const char *string, const char *delimiter, int64_t most_splits,
                                 int64_t number);

/* ---- patterns ------------------------------------------------------------------------------------------------------
 */

/* Returns whether the whole string matches `automaton`, which the compiler wrote in the format of text_pattern.c. */
int32_t cameo_text_matches(const char *string, const char *automaton);

#ifdef __cplusplus
}
#endif
#endif
