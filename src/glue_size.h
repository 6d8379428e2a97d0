// Included first by the glue: it runs once a call and would be half of the library, so it
// is compiled to be small. Objects of the glue are linked last (Makevars), so that what
// it shares with the core, which is compiled to be fast, is taken from there.
#pragma once
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("Os")
#endif
