static inline int twist(int x)
{
    x ^= x << 3;
    x += 7;
    return x ^ (x >> 5);
}
