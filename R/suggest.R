# Suggestions for misspelt names.

# "Did you mean `query`?", or if several names are equally near, "Did you mean `a` or
# `b`?". NULL if no name is similar. A name is near if at most a third of its letters
# differ, if only the case differs, or if the shorter name is the beginning of the
# longer one.
did_you_mean <- function(word, choices) {
  choices <- unique(choices[!is.na(choices) & nzchar(choices)])
  if (!is.character(word) || length(word) != 1L || is.na(word) || !nzchar(word) ||
        length(choices) == 0L) {
    return(NULL)
  }
  near <- near_names(word, choices)
  if (length(near) == 0L) {
    return(NULL)
  }
  sprintf("Did you mean %s?", paste0("`", utils::head(near, 3L), "`", collapse = " or "))
}

near_names <- function(word, choices) {
  word <- printable(word)
  distance <- as.vector(utils::adist(ascii_lower(word), ascii_lower(choices)))
  # Two swapped letters count as one error, not two.
  distance[swapped_letters(word, choices)] <- 1
  allowed <- pmax(1, floor(pmax(nchar(word), nchar(choices)) / 3))
  if (nchar(word) <= 2L) {
    allowed[] <- 0
  }
  near <- distance <= allowed
  if (any(near)) {
    return(choices[near & distance == min(distance[near])])
  }
  shorter <- pmin(nchar(word), nchar(choices))
  begins <- startsWith(ascii_lower(choices), ascii_lower(word)) |
    startsWith(rep(ascii_lower(word), length(choices)), ascii_lower(choices))
  choices[begins & shorter >= 3L]
}

swapped_letters <- function(word, choices) {
  letters_of <- function(x) strsplit(ascii_lower(x), "")
  own <- letters_of(word)[[1L]]
  vapply(letters_of(choices), function(other) {
    if (length(other) != length(own)) {
      return(FALSE)
    }
    differs <- which(other != own)
    length(differs) == 2L && diff(differs) == 1L &&
      identical(own[differs], rev(other[differs]))
  }, logical(1))
}
