// The page beside the manifests: the commands, with the names of this export.
import type { KubernetesOptions } from "./kubernetes-options.ts";
import { selectorOf } from "./labels.ts";
import { clusterServers } from "./cluster-server.ts";
import { needClaim, testFolder } from "./test-files.ts";
import { resultsFolder, storageName } from "./storage.ts";

function copyStep(options: KubernetesOptions): string {
  if (!needClaim(options.files)) return "";
  const { namespace } = options;
  return `
The plan is larger than a ConfigMap may be. Copy it into a volume:

\`\`\`sh
kubectl cp . ${namespace}/${storageName(options)}:${testFolder}
\`\`\`
`;
}

function imageNote(options: KubernetesOptions): string {
  return clusterServers(options).length === 0
    ? ""
    : `, and its nodes must be able to pull the image \`${options.image}\``;
}

/** Waits until the servers are ready; empty if all of them run elsewhere. */
function waitForServers(options: KubernetesOptions): string {
  const { name, namespace } = options;
  if (clusterServers(options).length === 0) return "";
  return `kubectl -n ${namespace} wait --for=condition=Available --timeout=2m deployment -l ${selectorOf(name, "server")}
`;
}

function elsewhere({ servers }: KubernetesOptions): string {
  return servers.every(({ url }) => url === undefined)
    ? ""
    : `
Restart servers that run elsewhere before each round, and give the script one round at a time.
`;
}

function volumeNote({ isOneNode }: KubernetesOptions): string {
  return isOneNode
    ? "The volume is for one node (`ReadWriteOnce`). For a cluster with several nodes, export again without `--one-node`."
    : "Several nodes write to the volume (`ReadWriteMany`), which requires a storage class that supports it. For a cluster with a single node, export again with `--one-node`.";
}

/** The page in Markdown. Its commands are typed in the export's directory. */
export function kubernetesGuide(options: KubernetesOptions): string {
  const { name, namespace, instances } = options;
  const storage = storageName(options);
  return `# ${name} on Kubernetes

${instances === 1 ? "One instance" : `${instances} instances`} of k6, started by [k6-operator](https://github.com/grafana/k6-operator), and the servers to call. The
operator must be in the cluster${imageNote(options)}. Run the commands in the directory
above this one, which contains \`script.js\` and \`plan.json\`. Its \`README.md\` says how to run \`roundtrip\`.

## Servers and storage

\`\`\`sh
kubectl apply --server-side -f kubernetes/servers.yaml -f kubernetes/storage.yaml
${waitForServers(options)}kubectl -n ${namespace} wait --for=condition=Ready --timeout=2m pod/${storage}
\`\`\`

${volumeNote(options)}
${copyStep(options)}
## Rounds

\`\`\`sh
sh kubernetes/rounds.sh
\`\`\`

Each round restarts the servers, and has its own order and arrivals. Intervals need at least six rounds. A round is a TestRun, which is deleted before
the next. If a round fails, the script ends with a line that says where to look. \`sh kubernetes/rounds.sh 3 4\` runs only those rounds.
${elsewhere(options)}
## The report

\`\`\`sh
kubectl cp --retries=10 ${namespace}/${storage}:${resultsFolder} results
roundtrip bench --engine k6 --import results/*.json --plan . --out run
\`\`\`

\`run\` is a run directory like any other: \`roundtrip report run\` renders it again.

## Clean up

\`\`\`sh
kubectl delete namespace ${namespace}
\`\`\`
`;
}
