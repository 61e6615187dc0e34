// The page beside the manifests: what to type, with the names that this export has.
import type { KubernetesOptions } from "./kubernetes-options.ts";
import { selectorOf } from "./labels.ts";
import { placedServers } from "./placed-server.ts";
import { needClaim, testFolder } from "./test-files.ts";
import { resultsFolder, storageName } from "./storage.ts";

function copyStep(options: KubernetesOptions): string {
  if (!needClaim(options.files)) return "";
  const { namespace } = options;
  return `
The plan is larger than a ConfigMap may be: it is copied into a volume.

\`\`\`sh
kubectl cp . ${namespace}/${storageName(options)}:${testFolder}
\`\`\`
`;
}

function imageNote(options: KubernetesOptions): string {
  return placedServers(options).length === 0 ? "" : `, and the image \`${options.image}\` where its nodes find it`;
}

/** Until servers can be called; none where all of them run elsewhere. */
function waitForServers(options: KubernetesOptions): string {
  const { name, namespace } = options;
  if (placedServers(options).length === 0) return "";
  return `kubectl -n ${namespace} wait --for=condition=Available --timeout=2m deployment -l ${selectorOf(name, "server")}
`;
}

function elsewhere({ servers }: KubernetesOptions): string {
  return servers.every(({ url }) => url === undefined)
    ? ""
    : `
Servers that run elsewhere are started anew by whoever runs them, before each round: do one at a time, by its number.
`;
}

function volumeNote({ isOneNode }: KubernetesOptions): string {
  return isOneNode
    ? "The volume is for one node (`ReadWriteOnce`). On a cluster with several, export again without `--one-node`."
    : "The volume is written from several nodes at once (`ReadWriteMany`), which needs a storage class that can. On a cluster with a single node, export again with `--one-node`.";
}

/** The page in Markdown. Its commands are typed in the export's directory. */
export function kubernetesGuide(options: KubernetesOptions): string {
  const { name, namespace, instances } = options;
  const storage = storageName(options);
  return `# ${name} on Kubernetes

${instances === 1 ? "One instance" : `${instances} instances`} of k6, started by [k6-operator](https://github.com/grafana/k6-operator), and the servers that they call. The
operator has to be in the cluster${imageNote(options)}. Type the commands in the directory
above this one, where \`script.js\` and \`plan.json\` are; \`README.md\` there says what \`roundtrip\` is.

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

Each round meets servers that have started anew, in an order and with arrivals of its own; six and more give intervals. It is a TestRun, which is deleted before
the next. A round that does not finish ends the program, with a line that says where to look; \`sh kubernetes/rounds.sh 3 4\` does those rounds alone.
${elsewhere(options)}
## The report

\`\`\`sh
kubectl cp --retries=10 ${namespace}/${storage}:${resultsFolder} results
roundtrip bench --engine k6 --import results/*.json --plan . --out run
\`\`\`

\`run\` is a run directory like any other: \`roundtrip report run\` renders it again.

## Away with it

\`\`\`sh
kubectl delete namespace ${namespace}
\`\`\`
`;
}
