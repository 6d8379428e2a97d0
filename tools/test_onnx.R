# Models of every kind as ONNX, by `make test-onnx`: the checker of Debian's python3-onnx finds
# nothing wrong, and ONNX Runtime (npm's onnxruntime-web, in node) scores as predict() does. What
# is missing is installed, the runtime into .build/onnx.

suppressPackageStartupMessages({
  library(testthat)
  library(rankmix)
})

for (helper in c("helper-export.R", "helper-onnx.R", "helper-onnx-models.R")) {
  source(file.path("tests", "testthat", helper))
}

folder <- file.path(getwd(), ".build", "onnx")
models_in <- file.path(folder, "models")
unlink(models_in, recursive = TRUE)
dir.create(models_in, recursive = TRUE)

run <- function(command, arguments) {
  status <- system2(command, arguments, stdout = file.path(folder, "log"),
                    stderr = file.path(folder, "log"))
  if (status != 0L) {
    stop(paste(c(paste(command, "failed:"), utils::tail(readLines(file.path(folder, "log")), 5L)),
               collapse = "\n  "), call. = FALSE)
  }
}

if (is.null(checking_python())) {
  run("apt-get", c("install", "-y", "--no-install-recommends", "python3-onnx"))
}
if (!dir.exists(file.path(folder, "node_modules", "onnxruntime-web"))) {
  run("npm", c("install", "--ignore-scripts", "--prefix", folder, "onnxruntime-web@1.18.0"))
}

write_numbers <- function(x, file) writeBin(as.vector(t(x)), file, size = 4L)
data <- float_parts()$test
models <- c(all_kinds(), mixed_models(), export_trees(), export_sums("indicator"))
stopifnot(!anyDuplicated(names(models)))
cases <- lapply(names(models), function(name) {
  model <- models[[name]]
  path <- function(extension) file.path(models_in, paste0(name, extension))
  suppressMessages(write_model(model, path(".onnx"), "onnx"), classes = "rankmix_message_export")
  # Floats next to all thresholds; the queries of mixtures are those of the data.
  own <- is.null(model$forest)
  x <- if (own) data$x else edge_features(model)
  write_numbers(x, path(".in"))
  writeLines(paste(dim(x), collapse = " "), path(".size"))
  # Classifiers go out by their linear score.
  linear <- inherits(model, c("rankmix_adaboost_mh_model", "rankmix_mcsvm_model"))
  expected <- if (linear) linear_score(model, x) else predict(model, if (own) data else x)
  list(name = name, expected = expected)
})

invisible(check_all_onnx(models_in))
run("node", c(file.path("tools", "test_onnx.js"), models_in, file.path(folder, "node_modules")))

# Networks are sums of floats in another order, others of trees that are added up in floats.
failed <- 0L
for (case in cases) {
  scores <- readBin(file.path(models_in, paste0(case$name, ".out")), "double",
                    length(case$expected), size = 4L)
  finite <- is.finite(case$expected)
  size <- max(abs(case$expected[finite]))
  apart <- max(abs(scores - case$expected)[finite]) / size
  good <- apart < 1e-5 && identical(scores[!finite], case$expected[!finite])
  if (!good) failed <- failed + 1L
  cat(sprintf("%s %-28s %.1e\n", if (good) " " else "!", case$name, apart))
}
cat(sprintf("%d models checked by onnx; by ONNX Runtime %d score alike, %d do not\n",
            length(cases), length(cases) - failed, failed))
quit(status = as.integer(failed > 0L))
