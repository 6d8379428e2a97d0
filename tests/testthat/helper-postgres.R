# A separate PostgreSQL server for a test, on a socket in a temporary folder. PostgreSQL refuses to run as
# root. If the test runs as root, the server runs as the user `postgres`.

postgres_folder <- function() {
  folders <- c(rev(Sys.glob("/usr/lib/postgresql/*/bin")), dirname(Sys.which("initdb")))
  folders[file.exists(file.path(folders, "initdb"))][1L]
}

# A function of a model, features and an expression, which gives the scores of the features.
local_postgres <- function(env = parent.frame()) {
  bin <- postgres_folder()
  root <- identical(Sys.info()[["effective_user"]], "root")
  testthat::skip_if(is.na(bin) || !nzchar(Sys.which("psql")), "PostgreSQL is not installed")
  testthat::skip_if(root && system2("id", "postgres", FALSE, FALSE) != 0L, "There is no user postgres")
  folder <- tempfile("postgres", "/tmp")
  dir.create(folder)
  Sys.chmod(folder, "777", use_umask = FALSE)
  withr::defer(unlink(folder, recursive = TRUE), env)
  # The server must not hold an open pipe of R.
  run <- function(program, ...) {
    command <- paste(shQuote(file.path(bin, program)), ..., "> /dev/null 2>&1 < /dev/null")
    if (root) system2("su", c("postgres", "-c", shQuote(command))) else system(command)
  }
  data <- file.path(folder, "data")
  testthat::skip_if(run("initdb", "-A trust -D", data) != 0L, "PostgreSQL makes no cluster")
  options <- sprintf("-o \"-k %s -h ''\" -l %s", folder, file.path(folder, "log"))
  testthat::skip_if(run("pg_ctl", "-w -D", data, options, "start") != 0L, "PostgreSQL does not start")
  withr::defer(run("pg_ctl", "-w -m fast -D", data, "stop"), env)
  user <- if (root) "postgres" else Sys.info()[["effective_user"]]
  function(model, x, expression) {
    column <- sprintf("\"%s\"", colnames(x))
    row <- apply(x, 1L, function(values) {
      sprintf("(%s)", paste(ifelse(is.na(values), "NULL", sprintf("%.17g", values)), collapse = ", "))
    })
    script <- file.path(folder, "query.sql")
    writeLines(c(
      "SET client_min_messages = warning; SET extra_float_digits = 3; DROP TABLE IF EXISTS documents;",
      sprintf("CREATE TABLE documents (place serial, %s);", paste(column, "DOUBLE PRECISION", collapse = ", ")),
      sprintf("INSERT INTO documents (%s) VALUES %s;", paste(column, collapse = ", "), paste(row, collapse = ",\n")),
      sprintf("SELECT (%s) AS score FROM documents AS features ORDER BY place;", expression)
    ), script)
    lines <- system2("psql", c("-h", folder, "-U", user, "-d", "postgres", "-q", "-t", "-A", "-v", "ON_ERROR_STOP=1",
                               "-f", script), stdout = TRUE)
    as.numeric(lines)
  }
}
