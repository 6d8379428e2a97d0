# Runs `code` with a seed of one kind of generator, and then restores R's generator.
with_seed <- function(seed, code) {
  withr::with_seed(seed %% .Machine$integer.max, code, .rng_kind = "Mersenne-Twister",
                   .rng_normal_kind = "Inversion", .rng_sample_kind = "Rejection")
}
