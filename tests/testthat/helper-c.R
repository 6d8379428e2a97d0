compiler_of_c <- function() Sys.which("cc")

# Scores of the program that a compiler makes of the C file. Warnings of the compiler are errors.
scores_of_c <- function(model, x) {
  folder <- withr::local_tempdir()
  path <- function(name) file.path(folder, name)
  write_model(model, path("model.c"), "c")
  writeLines(c(
    "#include <stdio.h>", "double score(const double *x);", "int main(int count, char **names) {",
    sprintf("  double x[%d], s;", ncol(x)), "  FILE *in = fopen(names[1], \"rb\");",
    "  FILE *out = fopen(names[2], \"wb\");",
    sprintf("  while (fread(x, sizeof(double), %d, in) == %d) {", ncol(x), ncol(x)),
    "    s = score(x);", "    fwrite(&s, sizeof(double), 1, out);", "  }", "  fclose(out);",
    "  return count != 3;", "}"
  ), path("main.c"))
  status <- system2(compiler_of_c(), c(
    "-std=c99", "-O2", "-Wall", "-Wextra", "-pedantic", "-Werror", "-o", shQuote(path("run")),
    shQuote(path(c("main.c", "model.c"))), "-lm"
  ))
  expect_identical(status, 0L)
  writeBin(as.vector(t(x)), path("in"))
  expect_identical(system2(path("run"), shQuote(path(c("in", "out")))), 0L)
  readBin(path("out"), "double", nrow(x))
}

expect_same_c <- function(model, x, label) {
  expect_identical(scores_of_c(model, x), predict(model, x), label = label)
}
