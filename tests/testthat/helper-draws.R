# Property tests go through random cases, each by its seed: a quarter of them as a rule, all
# with RANKMIX_ALL_DRAWS (`make test-long`). RANKMIX_SEED gives other cases.

draws <- function(all) {
  every <- nzchar(Sys.getenv("RANKMIX_ALL_DRAWS"))
  shift <- as.integer(Sys.getenv("RANKMIX_SEED", "0"))
  shift * all + seq_len(if (every) all else max(2, ceiling(all / 4)))
}
