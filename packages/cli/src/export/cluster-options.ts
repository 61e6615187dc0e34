// `--kubernetes`. Names end up in manifests and shell commands, so the parser is as strict as a cluster.
import { InvalidArgumentError, type Option } from "commander";
import { keyValues } from "../options/key-values.ts";
import { valueOption, wholeNumber } from "../options/options.ts";

export interface Cluster {
  readonly image: string | undefined;
  readonly instances: number;
  readonly namespace: string;
  readonly isOneNode: boolean;
}

export interface ClusterFlags {
  readonly kubernetes?: Cluster;
}

/** RFC 1123, as required for namespaces. */
const dnsLabel = /^[a-z\d](?:[-a-z\d]{0,61}[a-z\d])?$/;

/** `registry:5000/path/name:tag@sha256:digest`, as in https://github.com/distribution/reference */
const imageName = /^[a-z\d][\w.:/-]{0,400}(?:@[a-z\d]{1,20}:[\da-f]{1,128})?$/i;

const mostInstances = 1_000;

function imageOf(text: string): string {
  if (imageName.test(text)) return text;
  throw new InvalidArgumentError("must be the name of one, such as registry.example.com/roundtrip:0.1.0");
}

function namespaceOf(text: string): string {
  if (dnsLabel.test(text)) return text;
  throw new InvalidArgumentError("must be lower-case letters, digits and hyphens, 63 at most, such as roundtrip");
}

function nodesOf(text: string): boolean {
  if (["1", "several"].includes(text)) return text === "1";
  throw new InvalidArgumentError("must be 1 or several");
}

const parts = keyValues({
  image: imageOf,
  instances: wholeNumber(1, mostInstances),
  namespace: namespaceOf,
  nodes: nodesOf,
});

function clusterOf(text: string): Cluster {
  const { image, instances = 1, namespace = "roundtrip", nodes: isOneNode = false } = parts(text);
  return { image, instances, namespace, isOneNode };
}

export const clusterOption = (): Option =>
  valueOption(
    "output",
    "--kubernetes <image=name>",
    "write manifests for k6-operator too; also instances=2,namespace=tests,nodes=1",
  ).argParser(clusterOf);
