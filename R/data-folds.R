#' Read the folds of a benchmark
#'
#' Reads the training, validation and test data of each fold of LETOR 2, 3 and 4 or MSLR-WEB.
#'
#' @param dir The folder that contains `Fold1`, `Fold2`, ..., or the folder of one fold. A fold has a
#'   training file (`train.txt` or `trainingset.txt`), a validation file (`vali.txt`, `valid.txt` or
#'   `validationset.txt`) and a test file (`test.txt` or `testset.txt`), compressed (`.gz`) or not.
#' @param folds The numbers of the folds to read; default all.
#' @param threads Number of threads. Results do not depend on it.
#'
#' @details All parts of all folds get the same number of features. A file may lack the last features
#'   if their values are all 0.
#'
#' @return A list with an element for each fold, named like its folder. Each element is a list of the
#'   ranking data `train`, `valid` and `test`.
#' @section Conditions: `rankmix_error_file`: no fold, or a missing file. Also the conditions of
#'   [read_letor()].
#' @examples
#' folder <- tempfile()
#' dir.create(folder)
#' parts <- c("train.txt.gz", "vali.txt.gz", "test.txt.gz")
#' from <- system.file("extdata", parts, package = "rankmix")
#' done <- file.copy(from, folder)
#' read_folds(folder)[[1]]$test
#' @export
read_folds <- function(dir, folds = NULL, threads = NULL) {
  check_given(missing(dir), "dir", "Give the folder that contains Fold1, Fold2, ....")
  check_path(dir, rlang::current_env(), "dir")
  threads <- check_threads(threads)
  paths <- lapply(fold_folders(dir, folds), fold_files)
  data <- lapply(paths, lapply, read_letor, threads = threads)
  features <- max(unlist(lapply(data, lapply, ncol)))
  Map(function(data, paths) {
    Map(function(part, path) {
      if (ncol(part) == features) {
        return(part)
      }
      read_letor(path, features = features, threads = threads)
    }, data, paths)
  }, data, paths)
}

fold_folders <- function(dir, folds, call = rlang::caller_env()) {
  if (!is.character(dir) || length(dir) != 1L || is.na(dir) || !dir.exists(dir)) {
    stop_input("file", sprintf("There is no folder %s.", show_value(dir)),
               remedy = "Give the folder that contains Fold1, Fold2, ....", call = call)
  }
  names <- list.files(dir)
  names <- names[grepl("^fold[0-9]+$", ascii_lower(names))]
  numbers <- as.integer(sub("[^0-9]*", "", names))
  if (length(names) == 0L) {
    if (!is.null(folds)) {
      stop_input("file", sprintf("'%s' contains no Fold1, Fold2, ....", dir), call = call)
    }
    return(stats::setNames(dir, basename(dir)))
  }
  lacking <- setdiff(folds, numbers)
  if (length(lacking) > 0L) {
    stop_input("file", sprintf("'%s' contains no Fold%s.", dir, lacking[1L]),
               sprintf("It contains %s.", enumerate(names, 10L)), call = call)
  }
  at <- order(numbers)
  if (!is.null(folds)) {
    at <- match(folds, numbers)
  }
  stats::setNames(file.path(dir, names[at]), names[at])
}

fold_files <- function(folder, call = rlang::caller_env()) {
  names <- list(train = c("train", "trainingset"),
                valid = c("vali", "valid", "validationset"),
                test = c("test", "testset"))
  there <- list.files(folder)
  lapply(names, function(name) {
    pattern <- sprintf("^(%s)[.]txt([.]gz)?$", paste(name, collapse = "|"))
    found <- there[grepl(pattern, ascii_lower(there))]
    if (length(found) != 1L) {
      stop_input(
        "file",
        if (length(found) == 0L) {
          sprintf("'%s' has no %s.txt.", folder, name[1L])
        } else {
          sprintf("'%s' has %s: which is it?", folder, enumerate(found))
        },
        remedy = "A fold contains train.txt, vali.txt and test.txt, or the same as .gz.",
        call = call
      )
    }
    file.path(folder, found)
  })
}
