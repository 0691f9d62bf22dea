#!/usr/bin/env bash
# A tournament with GNU parallel, on this machine or on several.
#
#     ./parallel.sh cup 8
#     ./parallel.sh cup 64 --sshlogin node1,node2 --workdir .
#
# What stands after the number goes to parallel as it is. With other machines the folder is on a disk that
# all of them share, and risk-cli is in each one's PATH. The same command again plays what is missing.
set -euo pipefail

dir=$1
shards=$2
shift 2

# One thread for each shard: parallel keeps every core busy with as many shards. A shard that was killed
# is tried again, on another machine if there is one. Its log stays, so nothing is played twice. How many
# failed for good doesn't end the script: the merge says which blocks are missing (exit code 5).
parallel --nice 10 --retries 3 --joblog "$dir/jobs.txt" "$@" \
    risk-cli tournament run "{2}" --shard "{1}/$shards" -j 1 -q ::: $(seq "$shards") ::: "$dir" || true

risk-cli tournament merge "$dir"
