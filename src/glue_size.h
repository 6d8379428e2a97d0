// Must be included first in the glue. Each glue function runs once in a call but would be
// half of the library, so the glue is optimised for size. Its objects are linked last
// (Makevars), so that shared templates come from the core, which is optimised for speed.
#pragma once
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("Os")
#endif
