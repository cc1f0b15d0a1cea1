/* What compiled models call for texts: work that is no loop over numbers. Programs may use it as well.
 *
 * A text is a sequence of bytes that ends at the first zero, meant to be UTF-8; every sequence is safe. Functions that
 * make a text put it into the caller's area (abi.h) and give its address; where it has no room, the address of an empty
 * text. None allocates memory, keeps state or depends on the locale; all may be called from several threads, with one
 * area too. */
#ifndef CAMEO_TEXT_H
#define CAMEO_TEXT_H

#include "cameo/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Room for `bytes` bytes and a zero behind them, which is written; null when the area is full. */
char *cameo_text_allocate(cameo_text_area *area, uint64_t bytes);

/* Below 0, 0 or above 0, as bytes (and so as code points). */
int32_t cameo_text_compare(const char *a, const char *b);

const char *cameo_text_concat(cameo_text_area *area, const char *a, const char *b);

/* All letters in one case, by Unicode's simple mapping (one code point to one). What is not UTF-8 stays as it is. */
const char *cameo_text_lower(cameo_text_area *area, const char *text);
const char *cameo_text_upper(cameo_text_area *area, const char *text);

/* ---- numbers -------------------------------------------------------------------------------------------------------
 */

/* Floats with the fewest digits that give the same number back when read as their own type, as Python and NumPy write
 * them: "0.1", "3.0", "1e-07", "1e+16", "nan", "inf", "-inf". The narrow ones are given as their bits. Booleans:
 * "True", "False". */
const char *cameo_text_from_float64(cameo_text_area *area, double number);
const char *cameo_text_from_float32(cameo_text_area *area, float number);
const char *cameo_text_from_float16(cameo_text_area *area, int32_t bits);
const char *cameo_text_from_bfloat16(cameo_text_area *area, int32_t bits);
const char *cameo_text_from_int64(cameo_text_area *area, int64_t number);
const char *cameo_text_from_uint64(cameo_text_area *area, uint64_t number);
const char *cameo_text_from_bool(cameo_text_area *area, int32_t number);

/* Decimal numbers with blanks around them, rounded to the nearest float; "inf", "infinity" and "nan" in either case,
 * with or without a sign. Any other text gives a float that is not a number. To integers: digits exactly; what has a
 * fraction or an exponent is truncated; beyond the type its end; no number gives 0. Booleans: 0 for "false", 1 for
 * "true" in either case, else whether the number is another than 0. */
double cameo_text_to_float64(const char *text);
float cameo_text_to_float32(const char *text);
int64_t cameo_text_to_int64(const char *text);
uint64_t cameo_text_to_uint64(const char *text);
int32_t cameo_text_to_bool(const char *text);

/* ---- parts ---------------------------------------------------------------------------------------------------------
 */

/* The parts between delimiters, of which the first `most_splits` count (below 0: all); the last part is then what is
 * left. An empty delimiter is a run of blanks, and those at both ends are dropped (but not behind what is left): the
 * split of Python. */
int64_t cameo_text_count_parts(const char *text, const char *delimiter, int64_t most_splits);
/* Part `number`, from 0; an empty text behind the last one. */
const char *cameo_text_take_part(cameo_text_area *area, const char *text, const char *delimiter, int64_t most_splits,
                                 int64_t number);

/* ---- patterns ------------------------------------------------------------------------------------------------------
 */

/* Whether the whole text is in the language of `automaton`, which the compiler wrote (text_pattern.c says how). */
int32_t cameo_text_matches(const char *text, const char *automaton);

#ifdef __cplusplus
}
#endif
#endif
