# Installs what is missing: R packages from the distribution where apt is there and
# allowed, from CRAN otherwise. Says nothing and installs nothing when all is there.
#
#   Rscript tools/setup.R run          to build, test and run the demo
#   Rscript tools/setup.R run check    also what R CMD check --as-cran wants
#   Rscript tools/setup.R run cpp      also doctest for the core's tests; fails where there is none
#   Rscript tools/setup.R run clang    also clang++; fails where there is none
#   Rscript tools/setup.R run aarch64  also a compiler for 64-bit ARM and qemu; fails where there are none
#   Rscript tools/setup.R run style    also what checks style and spelling
#   Rscript tools/setup.R run docs     also what writes the documentation
#   Rscript tools/setup.R run bench    also the peers that bench/ measures
#   Rscript tools/setup.R run report   also the browser that opens the report
#   Rscript tools/setup.R run site     also what makes the site
#   Rscript tools/setup.R run hooks    also the packages that R/hook-*.R serve, apart

fields <- read.dcf("DESCRIPTION")[1L, ]
base_packages <- rownames(installed.packages(priority = "base"))
declared <- function(field) {
  names <- trimws(strsplit(fields[[field]], ",")[[1L]])
  setdiff(sub("[ (].*", "", names), c("R", base_packages))
}

groups <- list(
  run = unique(c(declared("Imports"), declared("LinkingTo"),
                 declared("Suggests"))),
  check = character(),
  report = character(),
  site = declared("Config/Needs/website"),
  docs = "roxygen2",
  style = c("lintr", "spelling"),
  bench = c("lightgbm", "e1071", "SparseM", "LiblineaR")
)
# Debian's names of the programs that a check needs.
programs <- list(
  run = c(pandoc = "pandoc", mpirun = "openmpi-bin"),
  report = c(chromium = "chromium"),
  clang = c("clang++" = "clang"),
  aarch64 = c("aarch64-linux-gnu-g++" = "g++-aarch64-linux-gnu", "qemu-aarch64" = "qemu-user"),
  style = c(`clang-format` = "clang-format"),
  check = c(pandoc = "pandoc", qpdf = "qpdf", tidy = "tidy", ccache = "ccache",
            pdflatex = "texlive-latex-base texlive-latex-recommended texlive-fonts-recommended")
)

# Debian's names of the C++ headers that the core's tests need.
headers <- list(cpp = c(`doctest/doctest.h` = "doctest-dev"))

is_installed <- function(packages) {
  vapply(packages, function(p) nzchar(system.file(package = p)), logical(1))
}

has_program <- function(names) nzchar(Sys.which(as.character(names)))

has_header <- function(names) {
  command <- sprintf("echo '#include <%s>' | %s -x c++ -E - >/dev/null 2>&1", names,
                     Sys.getenv("CXX", "g++"))
  vapply(command, system, 0L, USE.NAMES = FALSE) == 0L
}

# apt as root, or by sudo that asks nothing; NULL where it is not allowed, or where
# this R is not the distribution's, which would not see its packages.
apt_command <- function() {
  if (!has_program("apt-get") || !startsWith(R.home(), "/usr/lib/R")) {
    return(NULL)
  }
  if (identical(system("id -u", intern = TRUE), "0")) {
    return("apt-get")
  }
  if (has_program("sudo") && system("sudo -n true 2>/dev/null") == 0L) {
    return("sudo -n apt-get")
  }
  NULL
}

apt_install <- function(packages) {
  apt <- apt_command()
  if (is.null(apt) || length(packages) == 0L) {
    return(invisible())
  }
  if (!isTRUE(updated)) {
    system(paste(apt, "update -qq >/dev/null 2>&1"))
    updated <<- TRUE
  }
  known <- Filter(function(p) {
    system(paste("apt-cache show", p, ">/dev/null 2>&1")) == 0L
  }, packages)
  if (length(known) > 0L) {
    message("Installing ", paste(known, collapse = " "))
    system(paste("DEBIAN_FRONTEND=noninteractive", apt,
                 "install -y -qq --no-install-recommends",
                 paste(known, collapse = " "), ">/dev/null"))
  }
}
updated <- FALSE

cran_install <- function(packages) {
  if (length(packages) == 0L) {
    return(invisible())
  }
  if (identical(unname(getOption("repos")["CRAN"]), "@CRAN@")) {
    utils::chooseCRANmirror(ind = 1L)
  }
  # If the site's library cannot be written to, the user's own library is used, or a library in this folder.
  library <- .libPaths()[file.access(.libPaths(), 2L) == 0L]
  if (length(library) == 0L) {
    library <- file.path(".build", "packages")
    dir.create(library, recursive = TRUE, showWarnings = FALSE)
  }
  message("Installing ", paste(packages, collapse = " "), " from CRAN")
  install.packages(packages, lib = library[1L], quiet = TRUE,
                   Ncpus = max(1L, parallel::detectCores()))
}

# What hooks serve has a library of its own, as it brings newer versions of packages that other
# tests see. It does without packages that this R is too old for, or for what they need.
hooks_install <- function(packages) {
  library <- file.path(".build", "hooks")
  dir.create(library, recursive = TRUE, showWarnings = FALSE)
  .libPaths(c(library, .libPaths()))
  missing <- packages[!is_installed(packages)]
  if (length(missing) == 0L) {
    return(invisible())
  }
  if (identical(unname(getOption("repos")["CRAN"]), "@CRAN@")) {
    utils::chooseCRANmirror(ind = 1L)
  }
  # mlr3measures uses this function of newer versions, and does not say so.
  if ("mlr3" %in% missing && is_installed("checkmate") && !"assert_permutation" %in% getNamespaceExports("checkmate")) {
    unloadNamespace("checkmate")
    install.packages("checkmate", lib = library, quiet = TRUE)
  }
  there <- available.packages()
  needs <- tools::package_dependencies(missing, there, recursive = TRUE)
  had <- c(rownames(there), rownames(installed.packages()), base_packages)
  fits <- vapply(missing, function(p) all(c(p, needs[[p]]) %in% had), logical(1))
  if (!all(fits)) {
    message("Without ", paste(missing[!fits], collapse = ", "), ": this R is too old for it.")
  }
  if (any(fits)) {
    message("Installing ", paste(missing[fits], collapse = " "), " into ", library)
    install.packages(missing[fits], lib = library, quiet = TRUE,
                     Ncpus = max(1L, parallel::detectCores()))
  }
}

wanted <- commandArgs(trailingOnly = TRUE)
if ("hooks" %in% wanted) hooks_install(declared("Config/Needs/hooks"))
packages <- unique(unlist(groups[wanted]))
missing <- packages[!is_installed(packages)]
apt_install(paste0("r-cran-", tolower(missing))[seq_along(missing)])
cran_install(missing[!is_installed(missing)])
still <- missing[!is_installed(missing)]
if (length(still) > 0L) {
  message("Could not install: ", paste(still, collapse = ", "))
  quit(status = 1L)
}

tools <- unlist(unname(programs[intersect(wanted, names(programs))]))
absent <- tools[!has_program(names(tools))]
if (length(absent) > 0L) {
  apt_install(unlist(strsplit(absent, " ")))
  absent <- absent[!has_program(names(absent))]
  if (length(absent) > 0L) {
    message("Without ", paste(names(absent), collapse = ", "),
            " not everything is made and checked.")
    # These builds have nothing to do without their compilers.
    if (any(c("clang++", names(programs$aarch64)) %in% names(absent))) quit(status = 1L)
  }
}

includes <- unlist(unname(headers[intersect(wanted, names(headers))]))
absent <- includes[!has_header(names(includes))]
if (length(absent) > 0L) {
  apt_install(absent)
  absent <- absent[!has_header(names(absent))]
  if (length(absent) > 0L) {
    message("The core's tests need the header ", toString(names(absent)), ": install ",
            toString(absent), ", or put the header into a folder of CPATH.")
    quit(status = 1L)
  }
}
