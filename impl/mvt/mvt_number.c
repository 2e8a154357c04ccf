/* SPDX-License-Identifier: MIT */
/* Numbers as their shortest decimal digits. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mvt/mvt_dump.h"

/* Digits that always suffice: 9 for a float, 17 for a double. */
#define DIGITS_MAX_FLOAT  9
#define DIGITS_MAX_DOUBLE 17

/* 0.DIGITS * 10^exponent, without sign. */
struct decimal {
    char digits[DIGITS_MAX_DOUBLE + 1];
    int exponent;
};

/* The nearest decimal of so many digits.  printf writes d.ddde+xx, with the
 * point of the locale. */
static void nearest(double number, int digit_count, struct decimal *out)
{
    char text[40];
    int n = 0;

    snprintf(text, sizeof(text), "%.*e", digit_count - 1, number);
    for (const char *p = text; *p != 'e'; p++)
        if (*p >= '0' && *p <= '9')
            out->digits[n++] = *p;
    out->digits[n] = '\0';
    out->exponent = atoi(strchr(text, 'e') + 1) + 1;
}

static bool reads_back(const struct decimal *d, double number, bool is_float)
{
    char text[48];

    /* digits without a point, so that no locale has a say */
    snprintf(text, sizeof(text), "%se%d", d->digits,
             d->exponent - (int)strlen(d->digits));
    return is_float ? (double)strtof(text, NULL) == number
                    : strtod(text, NULL) == number;
}

/* The next decimal of the same number of digits. */
static void step_up(struct decimal *d)
{
    size_t at = strlen(d->digits);

    while (at > 0 && d->digits[at - 1] == '9')
        d->digits[--at] = '0';
    if (at > 0) {
        d->digits[at - 1]++;
        return;
    }
    d->digits[0] = '1'; /* 999 -> 100 with one more place */
    d->exponent++;
}

/* Below a power of two numbers lie twice as dense as above.  There the nearest
 * decimal can miss the number's interval, while the one above is inside. */
static void shortest(double number, bool is_float, struct decimal *out)
{
    int max = is_float ? DIGITS_MAX_FLOAT : DIGITS_MAX_DOUBLE;

    for (int n = 1; n < max; n++) {
        nearest(number, n, out);
        if (reads_back(out, number, is_float))
            return;
        step_up(out);
        if (reads_back(out, number, is_float))
            return;
    }
    nearest(number, max, out);
}

static void strip_zeros(struct decimal *d)
{
    size_t n = strlen(d->digits);

    while (n > 1 && d->digits[n - 1] == '0')
        d->digits[--n] = '\0';
}

/* Lay the digits out around the point. */
static size_t lay_out(const struct decimal *d, char *out)
{
    size_t n = strlen(d->digits), at = 0;

    if (d->exponent <= 0) {
        at += (size_t)sprintf(out, "0.");
        memset(out + at, '0', (size_t)-d->exponent);
        at += (size_t)-d->exponent;
        memcpy(out + at, d->digits, n + 1);
        return at + n;
    }
    size_t whole = (size_t)d->exponent;
    if (n <= whole) {
        memcpy(out, d->digits, n);
        memset(out + n, '0', whole - n);
        out[whole] = '\0';
        return whole;
    }
    memcpy(out, d->digits, whole);
    out[whole] = '.';
    memcpy(out + whole + 1, d->digits + whole, n - whole + 1);
    return n + 1;
}

size_t mvt_number_text(double number, bool is_float, char *out)
{
    struct decimal d;
    size_t at = 0;

    if (isnan(number))
        return (size_t)sprintf(out, "NaN");
    if (signbit(number))
        out[at++] = '-';
    number = fabs(number);
    if (isinf(number))
        return at + (size_t)sprintf(out + at, "inf");
    if (number == 0)
        return at + (size_t)sprintf(out + at, "0");
    shortest(number, is_float, &d);
    strip_zeros(&d);
    return at + lay_out(&d, out + at);
}
