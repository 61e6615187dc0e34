// The shell script that runs the rounds of an export in a cluster. It needs only sh, sed and kubectl.
import type { KubernetesOptions } from "./kubernetes-options.ts";
import { selectorOf } from "./labels.ts";
import { clusterServers } from "./cluster-server.ts";
import { firstRound } from "./test-run.ts";

/** Time for the operator to check the script, and for k6's pods to be scheduled and to pull their image. */
const mostSeconds = 300;

/** Restarts the servers in the cluster. */
function restart(options: KubernetesOptions): string {
  if (clusterServers(options).length === 0) return "";
  const selector = selectorOf(options.name, "server");
  return `  in_namespace rollout restart deployment -l ${selector}
  in_namespace rollout status --timeout=2m deployment -l ${selector}
`;
}

/** The script. If a round fails, it ends with a line that says where to look. */
export function roundsScript(options: KubernetesOptions): string {
  const { name, namespace, rounds } = options;
  const all = Array.from({ length: rounds }, (_, index) => index + 1).join(" ");
  return `#!/bin/sh
# Runs the rounds of this export one after the other, each with restarted servers: all rounds, or the given ones
# (sh kubernetes/rounds.sh 3 5).
set -eu
cd "$(dirname "$0")"

in_namespace() { kubectl -n ${namespace} "$@"; }

# stop REASON COMMAND: COMMAND shows more.
stop() {
  echo "round $round: $1; see kubectl -n ${namespace} $2" >&2
  exit 1
}

# Waits until k6-operator has finished the round or failed.
wait_for_end() {
  waited=0
  while :; do
    stage=$(in_namespace get testrun ${name} -o 'jsonpath={.status.stage}') || stage=unknown
    case $stage in
      finished) break ;;
      error) stop "k6-operator rejected the test" "logs job/${name}-initializer" ;;
      started | stopped) ;;
      *) waited=$((waited + 5)) ;;
    esac
    [ "$waited" -le ${mostSeconds} ] || stop "k6 has not started, the TestRun's stage is '$stage'" "get pods"
    sleep 5
  done
  failed=$(in_namespace get jobs -l k6_cr=${name},runner=true -o 'jsonpath={.items[?(@.status.failed)].metadata.name}')
  [ -z "$failed" ] || stop "k6 failed" "logs job/\${failed%% *}"
}

[ $# -gt 0 ] || set -- ${all}
for round in "$@"; do
${restart(options)}  # Jobs have the same names in each round, so those of the last round must be deleted first.
  in_namespace delete testrun ${name} --ignore-not-found --cascade=foreground
  sed "s/${firstRound}/ROUND=$round/" test-run.yaml | kubectl apply --server-side -f -
  wait_for_end
  echo "round $round: finished"
done
`;
}
