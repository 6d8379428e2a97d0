# A reference implementation of YetiRank: random numbers, rankings, weights of pairs, and sums of the aligned
# solver.

# 64-bit integers as four numbers of 16 bits, the lowest first.
bits_of <- function(x) (x %/% 65536^(0:3)) %% 65536
carry <- function(parts) {
  for (i in 1:4) {
    if (i < 4) parts[i + 1] <- parts[i + 1] + parts[i] %/% 65536
    parts[i] <- parts[i] %% 65536
  }
  parts
}
add_bits <- function(a, b) carry(a + b)
xor_bits <- function(a, b) as.numeric(bitwXor(as.integer(a), as.integer(b)))
times_bits <- function(a, b) {
  sums <- numeric(4)
  for (i in 1:4) for (j in seq_len(5 - i)) {
    product <- a[i] * b[j]
    at <- i + j - 1
    sums[at] <- sums[at] + product %% 65536
    if (at < 4) sums[at + 1] <- sums[at + 1] + product %/% 65536
  }
  carry(sums)
}
shift_bits <- function(a, n) {
  for (i in seq_len(n)) a <- (a + 65536 * (c(a[-1], 0) %% 2)) %/% 2
  a
}
hex_bits <- function(text) rev(strtoi(substring(text, c(1, 5, 9, 13), c(4, 8, 12, 16)), 16L))

mix_bits <- function(x) {
  x <- add_bits(x, hex_bits("9E3779B97F4A7C15"))
  x <- times_bits(xor_bits(x, shift_bits(x, 30)), hex_bits("BF58476D1CE4E5B9"))
  x <- times_bits(xor_bits(x, shift_bits(x, 27)), hex_bits("94D049BB133111EB"))
  xor_bits(x, shift_bits(x, 31))
}
naive_stream <- function(seed, round, purpose = 7) {
  h <- mix_bits(xor_bits(mix_bits(bits_of(seed)), bits_of(purpose)))
  mix_bits(xor_bits(h, bits_of(round)))
}
naive_key <- function(name) {
  key <- hex_bits("CBF29CE484222325")
  for (byte in as.integer(charToRaw(name))) {
    key <- times_bits(xor_bits(key, bits_of(byte)), hex_bits("00000100000001B3"))
  }
  key
}

# Which documents of a query are sampled with this fraction. The random numbers have purpose 3, and depend on
# the name of the query and on the position of each document in content order.
naive_drawn <- function(position, seed, round, name, fraction) {
  stream <- naive_stream(seed, round, 3)
  query <- mix_bits(naive_key(name))
  vapply(position - 1, function(position) {
    bits <- mix_bits(xor_bits(stream, xor_bits(query, bits_of(position))))
    # The upper 53 bits.
    sum(shift_bits(bits, 11) * 65536^(0:3)) / 2^53 < fraction
  }, NA)
}

# The logistic noise of n documents in ranking r (from 0) of a query, from 16 random bits for each document.
naive_noise <- function(n, seed, round, name, r) {
  stream <- mix_bits(xor_bits(mix_bits(xor_bits(naive_stream(seed, round), naive_key(name))),
                              bits_of(r)))
  bits <- unlist(lapply(seq_len(ceiling(n / 4)) - 1,
                        function(k) mix_bits(xor_bits(stream, bits_of(k)))))[seq_len(n)]
  p <- (bits + 0.5) / 65536
  log(p / (1 - p))
}

# The sum of weights of each pair of neighbours over the rankings. The weight is that of the rank of the upper
# document.
naive_seen <- function(x, rankings, position, neighbours = 1, noise) {
  n <- length(x)
  seen <- matrix(0, n, n)
  for (r in seq_len(rankings)) {
    order <- order(-(x + noise(r - 1)))
    for (a in seq_len(n - 1)) {
      for (b in (a + 1):min(n, a + neighbours)) {
        pair <- order[c(a, b)]
        weight <- position(a, b, order)
        seen[pair[1], pair[2]] <- seen[pair[1], pair[2]] + weight
        seen[pair[2], pair[1]] <- seen[pair[2], pair[1]] + weight
      }
    }
  }
  seen
}

# The gain if a document of grade a is ranked above a document of grade b, (8).
naive_confusion_gain <- function(p, a, b) {
  gain <- 0
  for (u in seq_len(ncol(p))) for (v in seq_len(ncol(p))) {
    if (u > v) gain <- gain + p[a + 1, u] * p[b + 1, v]
  }
  gain
}

# The Laplacian and the pushes of the leaves, from pairs with weight w in which i should rank above j.
naive_leaf_system <- function(i, j, w, x, leaf, leaves) {
  s <- 1 / (1 + exp(x[i] - x[j]))
  # A row for each pair: 1 in the column of the leaf of i, -1 in that of j, and 0 if both are in one leaf.
  e <- outer(leaf[i], seq_len(leaves), "==") - outer(leaf[j], seq_len(leaves), "==")
  list(m = crossprod(e, w * e), v = drop(crossprod(e, w * s)))
}
pseudo_inverse <- function(m) {
  e <- eigen(m, symmetric = TRUE)
  some <- e$values > 1e-9 * max(e$values, 0)
  e$vectors[, some, drop = FALSE] %*% (t(e$vectors[, some, drop = FALSE]) / e$values[some])
}
