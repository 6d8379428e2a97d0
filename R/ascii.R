# Letters of ASCII in the other case, whatever the language of the session: in Turkish, the
# small letter of "I" is no "i". Bytes that are no text become escapes, as in messages.
ascii_lower <- function(x) {
  chartr("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", printable(x))
}

ascii_upper <- function(x) {
  chartr("abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", printable(x))
}
