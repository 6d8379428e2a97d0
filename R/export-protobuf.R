# The bytes of protobuf messages, as in ONNX files. A field is a key (its number with
# the kind of value), followed by a number or the bytes of a value. All vectors are raw.

# Numbers from 0 in groups of seven bits, the lowest first; 128 marks that more follow.
varints <- function(x) {
  x <- as.double(x)
  if (length(x) == 1L && x < 128) return(as.raw(x))
  most <- 1
  while (any(x >= 128^most)) most <- most + 1
  sevens <- floor(outer(1 / 128^(seq_len(most) - 1), x)) %% 128
  count <- 1 + colSums(outer(128^seq_len(most), x, `<=`))
  position <- row(sevens)
  used <- position <= count[col(sevens)]
  more <- position < count[col(sevens)]
  as.raw(sevens[used] + 128 * more[used])
}

pb_number <- function(field, x) c(varints(field * 8), varints(x))

pb_bytes <- function(field, bytes) c(varints(field * 8 + 2), varints(length(bytes)), bytes)

# One field for each text.
pb_texts <- function(field, x) {
  known <- unique(x)
  fields <- lapply(known, function(text) pb_bytes(field, charToRaw(enc2utf8(text))))
  unlist(fields[match(x, known)])
}

# One field that holds several numbers.
pb_numbers <- function(field, x) pb_bytes(field, varints(x))

pb_floats <- function(field, x) pb_bytes(field, little_endian(x, 4L))

# Finite numbers beyond the range of floats become the largest float.
little_endian <- function(x, size) {
  if (is.logical(x)) return(as.raw(x))
  if (size == 4L && is.double(x)) {
    finite <- is.finite(x)
    x[finite] <- as_float(x[finite])
  }
  writeBin(x, raw(), size = size, endian = "little")
}
