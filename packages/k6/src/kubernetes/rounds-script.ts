// What does the rounds of an export in a cluster, as a program of the shell: nothing but sh, sed and kubectl is on everybody's machine.
import type { KubernetesOptions } from "./kubernetes-options.ts";
import { selectorOf } from "./labels.ts";
import { placedServers } from "./placed-server.ts";
import { firstRound } from "./test-run.ts";

/** For the operator to check the script and for pods of k6 to find room and their image. */
const mostSeconds = 300;

/** What starts servers anew; those elsewhere are their owner's. */
function restart(options: KubernetesOptions): string {
  if (placedServers(options).length === 0) return "";
  const selector = selectorOf(options.name, "server");
  return `  in_namespace rollout restart deployment -l ${selector}
  in_namespace rollout status --timeout=2m deployment -l ${selector}
`;
}

/** The program. A round that does not finish ends it, with a line that says where to look. */
export function roundsScript(options: KubernetesOptions): string {
  const { name, namespace, rounds } = options;
  const all = Array.from({ length: rounds }, (_, index) => index + 1).join(" ");
  return `#!/bin/sh
# Does the rounds of this export one after the other, each on servers that have started anew: all of them, or those that are named
# (sh kubernetes/rounds.sh 3 5).
set -eu
cd "$(dirname "$0")"

in_namespace() { kubectl -n ${namespace} "$@"; }

# stop REASON COMMAND: what more there is to know.
stop() {
  echo "round $round: $1; kubectl -n ${namespace} $2 says more" >&2
  exit 1
}

# Until k6-operator is through with the round, one way or the other.
wait_for_end() {
  waited=0
  while :; do
    stage=$(in_namespace get testrun ${name} -o 'jsonpath={.status.stage}') || stage=unknown
    case $stage in
      finished) break ;;
      error) stop "k6-operator does not take the test" "logs job/${name}-initializer" ;;
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
${restart(options)}  # Jobs of a round have the names of those before, which have to be gone.
  in_namespace delete testrun ${name} --ignore-not-found --cascade=foreground
  sed "s/${firstRound}/ROUND=$round/" test-run.yaml | kubectl apply --server-side -f -
  wait_for_end
  echo "round $round: finished"
done
`;
}
