#!/usr/bin/env bash
# A tournament on Slurm: an array with a task for each shard, then one job that merges.
#
#     ./slurm.sh cup 8
#
# The folder is on a disk that all nodes share. The same command again plays what is missing.
#SBATCH --job-name=tournament
#SBATCH --cpus-per-task=1
#SBATCH --nice
# A task whose node is lost goes back into the queue, and takes up its log there.
#SBATCH --requeue
# What a task said before it was requeued stays in its file.
#SBATCH --open-mode=append
#SBATCH --output=%x-%A-%a.txt
set -euo pipefail

dir=$1
shards=$2

# By hand, outside of any job: submit this script as an array, and the merge behind it.
if [[ -z ${SLURM_ARRAY_TASK_ID:-} ]]; then
    job=$(sbatch --parsable --array="1-$shards" "$0" "$dir" "$shards")
    # With a cluster's name, the number comes first: 17;cluster.
    job=${job%%;*}
    # afterany, not afterok: where a task failed, the merge says which blocks are missing (exit code 5).
    sbatch --dependency="afterany:$job" --job-name=merge --output=%x-%A.txt \
        --wrap "$(printf 'risk-cli tournament merge %q' "$dir")"
    echo "Shards in job $job"
    exit
fi

# The number of shards comes from the command, not from SLURM_ARRAY_TASK_COUNT: that is 1 where
# one task alone is submitted again.
code=0
risk-cli tournament run "$dir" --shard "$SLURM_ARRAY_TASK_ID/$shards" -j "${SLURM_CPUS_PER_TASK:-1}" -q || code=$?

# --requeue is for lost nodes only. A program that was killed (for its memory, say) is a failed task to
# Slurm, so ask for it to be queued again, three times at most; so too where another program is on
# this log still (6). Exit code 2 is a mistake in the input, 7 a full disk: no second try makes it
# better now.
if (((code > 128 || code == 6) && ${SLURM_RESTART_COUNT:-0} < 3)); then
    echo "exit code $code, above 128 a signal and 128: back into the queue"
    scontrol requeue "$SLURM_JOB_ID"
fi
exit "$code"
