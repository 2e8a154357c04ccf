/* Inlined wherever it is used. */
static inline unsigned twist(unsigned x)
{
    return (x * 2654435761u) ^ (x >> 7);
}
