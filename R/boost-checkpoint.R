# Checkpoints: the model is saved to a file at regular numbers of rounds. A fit that was killed
# resumes from the file and gives the same model, bit for bit.

checkpoint_version <- 4L

# The settings of the fit, with the model of an earlier run if the file exists.
open_checkpoint <- function(file, every, spec, seed, call = rlang::caller_env()) {
  if (is.null(file)) {
    return(NULL)
  }
  check_writable(file, call, "checkpoint")
  check_count(every, "checkpoint_every", call = call)
  checkpoint <- list(file = file, every = every, spec = spec, seed = seed, model = NULL)
  if (!file.exists(file)) {
    return(checkpoint)
  }
  saved <- tryCatch(readRDS(file), error = function(e) NULL, warning = function(w) NULL)
  refuse <- function(problem, details = NULL) {
    stop_input("checkpoint", sprintf("'%s' %s.", file, problem), details,
               "Delete it, or give another file.", call = call)
  }
  if (!is.list(saved) || !identical(saved$what, "rankmix checkpoint")) {
    refuse("is not a checkpoint")
  }
  if (!identical(saved$version, checkpoint_version)) {
    refuse("is a checkpoint of another version of rankmix",
           sprintf("It has version %s, this rankmix writes %s.", format(saved$version),
                   checkpoint_version))
  }
  without_rounds <- function(spec) unclass(spec)[names(spec) != entry_of(spec)$rounds]
  if (!same_identity(without_rounds(saved$model$spec), without_rounds(spec))) {
    refuse("is a checkpoint of another specification",
           sprintf("It contains %s, the fit is %s.", format(saved$model$spec), format(spec)))
  }
  if (rounds_used(saved$model) > rounds_of(spec)) {
    refuse("has more rounds than the fit",
           sprintf("It has %d, the fit is to have %s.", rounds_used(saved$model),
                   plain_number(rounds_of(spec))))
  }
  if (!is.null(seed) && !is.null(saved$model$seed) && seed != saved$model$seed) {
    refuse("is a checkpoint of another seed",
           sprintf("It has %s, the fit has %s.", plain_number(saved$model$seed),
                   plain_number(seed)))
  }
  checkpoint$model <- saved$model
  checkpoint$seed <- saved$model$seed
  checkpoint
}

# A full disk must not stop the fit. The last complete file is kept.
save_checkpoint <- function(checkpoint, model) {
  if (isFALSE(checkpoint$writes)) {
    return(invisible())
  }
  tryCatch(
    write_bytes_beside(serialize(list(what = "rankmix checkpoint", version = checkpoint_version, model = model), NULL),
                       checkpoint$file),
    rankmix_error_file = function(e) {
      warn_input("checkpoint",
                 sprintf("No checkpoint was written at %d rounds.", rounds_used(model)),
                 sprintf("'%s': %s", checkpoint$file, conditionMessage(e)),
                 "The fit continues. The file contains the previous checkpoint, if any.")
    }
  )
}
