# Changes the case of ASCII letters in the same way in every locale. In Turkish, for example, the small letter of
# "I" is not "i". Bytes that are not text become escapes, as in messages.
ascii_lower <- function(x) {
  chartr("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", printable(x))
}

ascii_upper <- function(x) {
  chartr("abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", printable(x))
}
