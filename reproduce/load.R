# Reads all files of reproduce/ into the environment of the caller. Run it from the root of the repository.

for (file in c("claim.R", "tasks.R", "sources.R", "report.R",
               file.path("papers", c("calibrated-adaboost.R", "tune-and-mix.R", "smoothrank.R",
                                     "cocr.R", "yetirank.R", "bounds.R", "beat.R")))) {
  sys.source(file.path("reproduce", file), environment())
}

# Cheap ones first: a run that is stopped has said most of what it could.
experiments <- c(bounds_experiments, beat_experiments, calibrated_experiments, tables_experiments,
                 smoothrank_experiments, cocr_experiments, yetirank_experiments)
names(experiments) <- vapply(experiments, `[[`, "", "name")
claims <- c(calibrated_claims, tables_claims, smoothrank_claims, cocr_claims, yetirank_claims,
            bounds_claims, beat_claims)
