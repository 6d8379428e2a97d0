# Simulated data of the shape of MSLR-WEB: 136 features, 5 grades, about 120
# documents a query. The features have counts, heavy tails, many zeros and query-level values, as real ranking
# features do.

simulate_web <- function(documents = 240000, features = 136, seed = 1) {
  set.seed(seed)
  queries <- documents %/% 120
  query <- sort(sample.int(queries, documents, replace = TRUE))
  latent <- matrix(rnorm(documents * 8), documents)
  shift <- matrix(rnorm(queries * 2), queries)
  x <- matrix(0, documents, features)
  for (f in seq_len(features)) {
    signal <- latent[, sample.int(8, 1)] + 0.6 * latent[, sample.int(8, 1)]
    noisy <- signal + rnorm(documents)
    x[, f] <- switch(
      sample.int(5, 1, prob = c(0.3, 0.25, 0.2, 0.1, 0.15)),
      exp(noisy),                          # heavy tail
      floor(exp(1 + noisy)),               # count
      ifelse(noisy > 1, exp(noisy), 0),    # mostly zero
      shift[query, sample.int(2, 1)],      # a value of the query
      noisy
    )
  }
  utility <- 1.3 * tanh(latent[, 1] * latent[, 2]) + pmax(latent[, 3], 0) -
    0.5 * latent[, 4]^2 + 0.8 * sin(2 * latent[, 5]) + 0.5 * latent[, 6] +
    0.5 * shift[query, 1] + rnorm(documents)
  cuts <- quantile(utility, c(0.52, 0.84, 0.97, 0.99))
  list(x = x, grade = findInterval(utility, cuts), query = query)
}

# Writes the result of simulate_web() to a file for programs in C and C++, little endian: the numbers of rows,
# columns and queries (int32), the columns (float32), the grades (float32), and the documents of each query (int32).
write_bin <- function(data, file) {
  sizes <- rle(data$query)$lengths
  stopifnot(length(sizes) == length(unique(data$query)))  # documents of a query are contiguous
  to <- file(file, "wb")
  on.exit(close(to))
  write <- function(values, kind) writeBin(kind(values), to, size = 4L, endian = "little")
  write(c(dim(data$x), length(sizes)), as.integer)
  for (f in seq_len(ncol(data$x))) write(data$x[, f], as.numeric)
  write(data$grade, as.numeric)
  write(sizes, as.integer)
}
