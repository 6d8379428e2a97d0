# Sets a locale of another country until the test ends. If the machine lacks this locale, it is created.
local_country <- function(category, name, env = parent.frame()) {
  old <- Sys.getlocale(category)
  set <- function(value) suppressWarnings(Sys.setlocale(category, value))
  full <- paste0(name, ".UTF-8")
  if (set(full) == "" && nzchar(Sys.which("localedef"))) {
    folder <- withr::local_tempdir(.local_envir = env)
    suppressWarnings(system2("localedef", c("-i", name, "-f", "UTF-8", file.path(folder, full)),
                             stdout = FALSE, stderr = FALSE))
    withr::local_envvar(LOCPATH = folder, .local_envir = env)
  }
  withr::defer(set(old), env)
  if (set(full) == "") testthat::skip(paste("no locale", full))
}
