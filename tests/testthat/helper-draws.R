# Tests come in three sizes, by RANKMIX_TESTS:
# "quick", the default, for `make test`: few random cases, and no test that takes long;
# "usual", for `make test-all`: also the tests that take long, with some more random cases;
# "long", for `make test-long`: all random cases, and all sizes in full. A workflow runs it each night.
test_size <- function() {
  size <- Sys.getenv("RANKMIX_TESTS", "quick")
  stopifnot(size %in% c("quick", "usual", "long"))
  size
}

# For a test that takes more than some seconds of processor time.
skip_if_quick <- function() {
  testthat::skip_if(test_size() == "quick", "It takes long, `make test-all` runs it")
}

# The seeds of the random cases of a property test. RANKMIX_SEED gives other cases.
draws <- function(all) {
  shift <- as.integer(Sys.getenv("RANKMIX_SEED", "0"))
  count <- switch(test_size(), quick = ceiling(all / 12), usual = max(2, ceiling(all / 8)),
                  long = all)
  shift * all + seq_len(count)
}

# A size of data, of a model or of a loop: `all` at the size "long", and `small` at the others.
at_size <- function(small, all) if (test_size() == "long") all else small

# The number of repetitions of a simulation that checks an error rate or a coverage. The test computes its bound from
# this number.
repetitions <- function(all) at_size(ceiling(all / 4), all)
