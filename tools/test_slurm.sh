#!/usr/bin/env bash
# On a real Slurm of a single node, tune_and_mix() gives the mixture of this process, and the ranks of a job give its
# model, also after one of them was killed. Called by `make test-slurm`, by root on Debian or the like: installs Slurm,
# munge and future.batchtools from the distribution where they are missing, starts the daemons with a configuration of
# their own in a scratch folder, and stops them at the end.
set -euo pipefail
cd "$(dirname "$0")/.."

missing=()
for package in slurmctld slurmd slurm-client munge r-cran-future.batchtools; do
  dpkg -s "$package" > /dev/null 2>&1 || missing+=("$package")
done
if [ "${#missing[@]}" -gt 0 ]; then
  echo "Installing ${missing[*]}"
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    "${missing[@]}" > /dev/null
fi

# Where all processes of the node see it.
scratch=$(mktemp -d /var/tmp/rankmix-slurm.XXXXXX)
chmod 755 "$scratch"
export SLURM_CONF="$scratch/slurm.conf"
node=$(hostname -s)

stop() {
  for name in slurmd slurmctld; do
    [ -s "$scratch/$name.pid" ] && kill "$(cat "$scratch/$name.pid")" 2> /dev/null || true
  done
  [ -s "$scratch/munged.pid" ] && kill "$(cat "$scratch/munged.pid")" 2> /dev/null || true
  sleep 1
  rm -rf "$scratch"
}
trap stop EXIT

# A key and a socket of its own: a munge of the system stays as it is.
mkdir -m 700 "$scratch/munge"
mkdir -m 755 "$scratch/munge-run"
head -c 1024 /dev/urandom > "$scratch/munge/key"
chmod 400 "$scratch/munge/key"
munged --force --key-file="$scratch/munge/key" --socket="$scratch/munge-run/socket" \
  --pid-file="$scratch/munged.pid" --log-file="$scratch/munge/log" \
  --seed-file="$scratch/munge/seed"

cat > "$SLURM_CONF" <<CONF
ClusterName=rankmix
SlurmctldHost=$node
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$scratch/munge-run/socket
CredType=cred/munge
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool
SlurmctldPidFile=$scratch/slurmctld.pid
SlurmdPidFile=$scratch/slurmd.pid
SlurmctldLogFile=$scratch/slurmctld.log
SlurmdLogFile=$scratch/slurmd.log
SlurmctldPort=16817
SlurmdPort=16818
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
NodeName=$node CPUs=2 State=UNKNOWN
PartitionName=test Nodes=$node Default=YES MaxTime=10 State=UP
CONF
mkdir -p "$scratch/state" "$scratch/spool"
slurmctld -f "$SLURM_CONF"
slurmd -f "$SLURM_CONF"
for _ in $(seq 1 60); do
  sinfo -h -o %T 2> /dev/null | grep -q idle && break
  sleep 0.5
done
sinfo -h -o %T | grep -q idle || { cat "$scratch"/slurm*.log; exit 1; }

# Slurm allows as many jobs as the node has processors; more wait.
cat > "$scratch/template.tmpl" <<'TEMPLATE'
#!/bin/bash
#SBATCH --job-name=<%= job.name %>
#SBATCH --output=<%= log.file %>
#SBATCH --error=<%= log.file %>
#SBATCH --ntasks=1
Rscript -e 'batchtools::doJobCollection("<%= uri %>")'
TEMPLATE

cp tools/test_slurm_cluster.R "$scratch"
Rscript tools/test_slurm.R "$scratch"
