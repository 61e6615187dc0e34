#!/bin/sh
# Runs the rounds of this export one after the other, each with restarted servers: all rounds, or the given ones
# (sh kubernetes/rounds.sh 3 5). It needs only sh, sed and kubectl.
set -eu
cd "$(dirname "$0")"

in_namespace() { kubectl -n {{namespace}} "$@"; }

# stop REASON COMMAND: COMMAND shows more.
stop() {
  echo "round $round: $1; see kubectl -n {{namespace}} $2" >&2
  exit 1
}

restart_servers() {
  {{restart}}
}

# Waits until k6-operator has finished the round or failed. It has 300 seconds to check the script, to schedule k6's pods and to pull their image.
wait_for_end() {
  waited=0
  while :; do
    stage=$(in_namespace get testrun {{name}} -o 'jsonpath={.status.stage}') || stage=unknown
    case $stage in
      finished) break ;;
      error) stop "k6-operator rejected the test" "logs job/{{name}}-initializer" ;;
      started | stopped) ;;
      *) waited=$((waited + 5)) ;;
    esac
    [ "$waited" -le 300 ] || stop "k6 has not started, the TestRun's stage is '$stage'" "get pods"
    sleep 5
  done
  failed=$(in_namespace get jobs -l k6_cr={{name}},runner=true -o 'jsonpath={.items[?(@.status.failed)].metadata.name}')
  [ -z "$failed" ] || stop "k6 failed" "logs job/${failed%% *}"
}

[ $# -gt 0 ] || set -- {{rounds}}
for round in "$@"; do
  restart_servers
  # Jobs have the same names in each round, so those of the last round must be deleted first.
  in_namespace delete testrun {{name}} --ignore-not-found --cascade=foreground
  sed "s/ROUND=1/ROUND=$round/" test-run.yaml | kubectl apply --server-side -f -
  wait_for_end
  echo "round $round: finished"
done
