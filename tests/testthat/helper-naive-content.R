# A reference implementation of the order of documents by their content. It uses the 64-bit integers of
# helper-naive-yeti.R.

double_bits <- function(x) {
  if (is.na(x)) return(bits_of(1))
  readBin(writeBin(as.double(x), raw(), endian = "little"), "integer", 4L, 2L, signed = FALSE,
          endian = "little")
}

# The digest of a document: the sum of a number for each feature that is not 0. The grade counts as one more
# feature.
naive_digest <- function(x, grade) {
  sum <- numeric(4)
  values <- c(x, grade)
  for (position in which(is.na(values) | values != 0)) {
    one <- mix_bits(xor_bits(double_bits(values[position]), mix_bits(bits_of(position))))
    sum <- add_bits(sum, one)
  }
  sum
}

# The position of each document in its query, from 1, in the order of the digests.
content_positions <- function(data) {
  x <- as.matrix(data$x)
  digests <- vapply(seq_len(nrow(x)), function(i) naive_digest(x[i, ], data$relevance[i]),
                    numeric(4))
  order <- order(data$query, digests[4, ], digests[3, ], digests[2, ], digests[1, ])
  positions <- integer(nrow(x))
  positions[order] <- sequence(tabulate(data$query))
  positions
}
