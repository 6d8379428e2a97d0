# Every condition of the package is classed: rankmix_error_<class> and
# rankmix_error (or _warning). The message says what is wrong (`problem`), where
# and what was found (`details`) and what to do (`remedy`); `parent` is an error of
# somebody else's code, `...` are fields of the condition.

stop_input <- function(class, problem, details = NULL, remedy = NULL,
                       call = rlang::caller_env(), parent = NULL, ...) {
  rlang::abort(
    condition_bullets(problem, details, remedy),
    class = c(paste0("rankmix_error_", class), "rankmix_error"),
    call = call, parent = parent, ...
  )
}

warn_input <- function(class, problem, details = NULL, remedy = NULL) {
  rlang::warn(
    condition_bullets(problem, details, remedy),
    class = c(paste0("rankmix_warning_", class), "rankmix_warning")
  )
}

condition_bullets <- function(problem, details, remedy) {
  bullet <- function(text, mark) {
    if (length(text) > 0L) stats::setNames(text, rep(mark, length(text)))
  }
  bullets <- c(problem, bullet(details, "x"), bullet(remedy, "i"))
  stats::setNames(printable(unname(bullets)), names(bullets))
}

# Text that can be printed in every locale: bytes that are no text become escapes such as
# <e9>. What R cannot translate it would refuse to print, and the message with it.
printable <- function(text) {
  if (length(text) == 0L) {
    return(text)
  }
  bytes <- Encoding(text) == "bytes"
  Encoding(text)[bytes] <- "unknown"
  text[!bytes] <- enc2utf8(text[!bytes])
  broken <- !validUTF8(text)
  text[broken] <- vapply(text[broken], escape_broken, "")
  text
}

# iconv() does not do: it takes some bytes for characters that R refuses to print.
escape_broken <- function(text) {
  bytes <- charToRaw(text)
  out <- character()
  while (length(bytes) > 0L) {
    sizes <- seq_len(min(4L, length(bytes)))
    whole <- vapply(sizes, function(size) validUTF8(rawToChar(bytes[seq_len(size)])), NA)
    size <- if (any(whole)) sizes[whole][1L] else 1L
    piece <- bytes[seq_len(size)]
    out <- c(out, if (any(whole)) rawToChar(piece) else sprintf("<%02x>", as.integer(piece)))
    bytes <- bytes[-seq_len(size)]
  }
  out <- paste(out, collapse = "")
  Encoding(out) <- "UTF-8"
  out
}

# "`a`, `b` and 3 more", for messages.
enumerate <- function(items, show = 5L) {
  items <- if (is.character(items)) printable(items) else items
  items <- paste0("`", items, "`")
  if (length(items) > show) {
    rest <- length(items) - show
    return(paste0(paste(items[seq_len(show)], collapse = ", "),
                  " and ", rest, " more"))
  }
  paste(items, collapse = ", ")
}

# 100000, not 1e+05.
plain_number <- function(x) {
  format(x, scientific = FALSE, trim = TRUE, digits = 15, drop0trailing = TRUE)
}

# A value as a message shows it: short, and telling its type where that matters.
show_value <- function(x) {
  if (is.null(x)) {
    return("NULL")
  }
  if (is.factor(x)) {
    return("a factor")
  }
  if (is.object(x)) {
    return(paste0("an object of class ", class(x)[1L]))
  }
  # Bytes of no encoding cannot be put into a message.
  if (is.character(x) && any(Encoding(x) == "bytes")) {
    return("text of the encoding \"bytes\"")
  }
  if (is.atomic(x) && length(x) == 1L) {
    return(if (is.character(x)) paste0("\"", printable(x), "\"") else plain_number(x))
  }
  if (is.matrix(x)) {
    return(paste("a", nrow(x), "x", ncol(x), "matrix"))
  }
  if (is.atomic(x)) {
    article <- if (is.integer(x)) "an" else "a"
    return(paste(article, typeof(x), "vector of length", length(x)))
  }
  paste0("an object of class ", class(x)[1L])
}
