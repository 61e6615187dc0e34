// The page beside the manifests: what to type, with the names that this export has.
import type { KubernetesOptions } from "./kubernetes-options.ts";
import { componentLabels } from "./labels.ts";
import { needClaim, testFolder } from "./test-files.ts";
import { resultsFolder, storageName } from "./storage.ts";

const selectorOf = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(",");

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

function volumeNote({ isOneNode }: KubernetesOptions): string {
  return isOneNode
    ? "The volume is for one node (`ReadWriteOnce`). On a cluster with several, export again without `--one-node`."
    : "The volume is written from several nodes at once (`ReadWriteMany`), which needs a storage class that can. On a cluster with a single node, export again with `--one-node`.";
}

/** The page in Markdown. Its commands are typed in the export's directory. */
export function kubernetesGuide(options: KubernetesOptions): string {
  const { name, namespace, image, instances, rounds } = options;
  const servers = selectorOf(componentLabels(name, "server"));
  const storage = storageName(options);
  return `# ${name} on Kubernetes

${instances === 1 ? "One instance" : `${instances} instances`} of k6, started by [k6-operator](https://github.com/grafana/k6-operator), and the servers that they call. The
operator has to be in the cluster, and the image \`${image}\` where its nodes find it. Type the commands in the directory
above this one, where \`script.js\` and \`plan.json\` are.

## Servers and storage

\`\`\`sh
kubectl apply --server-side -f kubernetes/servers.yaml -f kubernetes/storage.yaml
kubectl -n ${namespace} wait --for=condition=Available --timeout=2m deployment -l ${servers}
kubectl -n ${namespace} wait --for=condition=Ready --timeout=2m pod/${storage}
\`\`\`

${volumeNote(options)}
${copyStep(options)}
## A round

Each round meets servers that have started anew, in an order and with arrivals of its own. Six rounds and more give intervals. A round's pods have to be gone before the next one's
come, as they have the same names: hence \`--cascade=foreground\`.

\`\`\`sh
for round in ${Array.from({ length: rounds }, (_, index) => index + 1).join(" ")}; do
  kubectl -n ${namespace} rollout restart deployment -l ${servers}
  kubectl -n ${namespace} rollout status --timeout=2m deployment -l ${servers}
  kubectl -n ${namespace} delete testrun ${name} --ignore-not-found --cascade=foreground
  sed "s/ROUND=1/ROUND=$round/" kubernetes/test-run.yaml | kubectl apply --server-side -f -
  kubectl -n ${namespace} wait --for=jsonpath='{.status.stage}'=finished --timeout=1h testrun/${name}
done
\`\`\`

## The report

\`\`\`sh
kubectl cp ${namespace}/${storage}:${resultsFolder} results
roundtrip bench --engine k6 --import results/*.json --plan . --out run
\`\`\`

\`run\` is a run directory like any other: \`roundtrip report run\` renders it again.

## Away with it

\`\`\`sh
kubectl delete namespace ${namespace}
\`\`\`
`;
}
