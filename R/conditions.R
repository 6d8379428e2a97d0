# Every condition of the package has the class rankmix_error_<class> and rankmix_error (or
# _warning). Its message has three parts: what is wrong (`problem`), where and what was found
# (`details`), and what to do (`remedy`). `parent` is an error of other code. `...` are fields of
# the condition.

stop_input <- function(class, problem, details = NULL, remedy = NULL,
                       call = rlang::caller_env(), parent = NULL, ...) {
  rlang::abort(
    with_points(condition_bullets(problem, details, remedy)),
    class = c(paste0("rankmix_error_", class), "rankmix_error"),
    call = call, parent = parent, ...
  )
}

# Raises an error of the package again, with the call of the exported function that the user typed instead of the
# call of an internal function. `frame` is the frame of an exported function. If the package itself called this
# function, nothing changes, because the error is then raised again by the function that the user called.
raise_from_user <- function(e, frame) {
  # The core refuses numbers that only the computation shows to be unfit, such as those whose squares overflow.
  if (inherits(e, "rankmix::InvalidArgument")) {
    text <- conditionMessage(e)
    stop_input("values", paste0(toupper(substr(text, 1L, 1L)), substring(text, 2L), "."), call = frame)
  }
  if (!inherits(e, "rankmix_error") || isTRUE(e$from_user)) {
    return(invisible())
  }
  at <- Position(function(one) identical(one, frame), sys.frames())
  if (!is.na(at) && is_called_from_outside(at)) {
    e$call <- rlang::error_call(frame)
    e$from_user <- TRUE
    rlang::cnd_signal(e)
  }
}

# Whether code outside the package called the function of frame `at`. Functions of base, such as lapply(), count as
# the code that uses them.
is_called_from_outside <- function(at) {
  parents <- sys.parents()
  frames <- sys.frames()
  repeat {
    at <- parents[at]
    if (at == 0L) {
      return(TRUE)
    }
    top <- topenv(frames[[at]])
    if (!identical(top, baseenv()) && !identical(top, .BaseNamespaceEnv)) {
      return(!identical(top, topenv()))
    }
  }
}

warn_input <- function(class, problem, details = NULL, remedy = NULL) {
  rlang::warn(
    with_points(condition_bullets(problem, details, remedy)),
    class = c(paste0("rankmix_warning_", class), "rankmix_warning")
  )
}

# If code predicts many times, a warning of the package is shown once, not for each prediction.
warning_once <- function(expr) {
  seen <- character()
  withCallingHandlers(expr, rankmix_warning = function(w) {
    if (conditionMessage(w) %in% seen) rlang::cnd_muffle(w)
    seen <<- c(seen, conditionMessage(w))
  })
}

condition_bullets <- function(problem, details, remedy) {
  bullet <- function(text, mark) {
    if (length(text) > 0L) stats::setNames(text, rep(mark, length(text)))
  }
  bullets <- c(problem, bullet(details, "x"), bullet(remedy, "i"))
  stats::setNames(printable(unname(bullets)), names(bullets))
}

# Text that R can print in every locale. Bytes that are not text become escapes such as <e9>. R
# would refuse to print a message with such bytes.
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

# iconv() does not suffice: it accepts some bytes that R refuses to print.
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

# Texts of the package have a decimal point, whatever the option OutDec is, because counts have commas. Print methods
# print tables by with_points(print(table)).
number_text <- function(x, ...) format(x, ..., decimal.mark = ".")

# 100000, not 1e+05.
plain_number <- function(x) {
  number_text(x, scientific = FALSE, trim = TRUE, digits = 15, drop0trailing = TRUE)
}

# The text of a value in a message: short, and with its type if the type matters.
show_value <- function(x) {
  if (is.null(x)) {
    return("NULL")
  }
  if (is.factor(x)) {
    return("a factor")
  }
  if (inherits(x, "integer64")) {
    return("an object of class integer64, which `as.numeric()` converts")
  }
  if (is.object(x)) {
    return(paste0("an object of class ", class(x)[1L]))
  }
  # R cannot include strings of the encoding "bytes" in a message.
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
