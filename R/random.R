# Runs `code` with a seed, and then restores R's generator.
with_seed <- function(seed, code) {
  global <- globalenv()
  old <- global[[".Random.seed"]]
  kinds <- RNGkind()
  on.exit({
    do.call(RNGkind, as.list(kinds))
    if (is.null(old)) {
      rm(".Random.seed", envir = global)
    } else {
      assign(".Random.seed", old, envir = global)
    }
  })
  set.seed(seed %% .Machine$integer.max, "Mersenne-Twister", "Inversion", "Rejection")
  code
}
