# The core does not use R and keeps its layers: in src/core, no file includes a
# header of R, Rcpp or RcppParallel, starts a thread or prints, and a layer
# includes only itself and the layers that are listed for it. A listed layer that is not
# included is reported, too, so that the list says what there is.

below <- list(
  base = character(),
  data = "base",
  metric = c("base", "data"),
  objective = c("base", "data", "metric"),
  optimize = "base",
  tree = c("base", "data"),
  boost = c("base", "data", "metric", "objective", "tree"),
  linear = c("base", "data", "metric", "objective", "optimize"),
  network = c("base", "objective", "optimize"),
  calibrate = c("base", "data", "network", "objective", "optimize"),
  explain = c("base", "data", "tree"),
  regress = c("base", "data", "linear", "tree"),
  mix = c("base", "data", "linear", "metric"),
  compare = c("base", "data"),
  click = "base"
)
forbidden <- c(
  "#include *[<\"](R|Rcpp|RcppParallel|RcppEigen|Rinternals|Rmath|tbb/.*)(\\.h)?[>\"]",
  "#include *<(thread|iostream|cstdio)>", "\\bRprintf\\b|\\bprintf *\\("
)

files <- list.files("src/core", "\\.(h|cpp)$", recursive = TRUE)
problems <- character()
used <- lapply(below, function(layers) character())
for (file in files) {
  lines <- readLines(file.path("src/core", file))
  for (pattern in forbidden) {
    hits <- grep(pattern, lines)
    problems <- c(problems, sprintf("src/core/%s:%d: %s", file, hits,
                                    trimws(lines[hits])))
  }
  layer <- dirname(file)
  if (!layer %in% names(below)) {
    problems <- c(problems, sprintf("src/core/%s: unknown layer", file))
    next
  }
  local <- regmatches(lines, regexpr("#include \"[^\"]+\"", lines))
  path <- sub("#include \"([^\"]+)\"", "\\1", local)
  target <- sub("^core/([^/]+)/.*$", "\\1", path)
  used[[layer]] <- union(used[[layer]], target)
  bad <- !startsWith(path, "core/") | !target %in% c(layer, below[[layer]])
  problems <- c(problems, sprintf("src/core/%s: must not include %s", file,
                                  path[bad]))
}
for (layer in names(below)) {
  problems <- c(problems, sprintf("%s includes nothing of %s", layer, setdiff(below[[layer]], used[[layer]])))
}
if (length(problems) > 0L) {
  stop(paste(c("The core:", problems), collapse = "\n  "), call. = FALSE)
}
cat(sprintf("The %d files of the core keep the layers\n", length(files)))
