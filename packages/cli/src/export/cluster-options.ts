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
const partsOf = keyValues(["image", "instances", "namespace", "nodes"]);

function clusterOf(text: string): Cluster {
  const { image, instances = "1", namespace = "roundtrip", nodes = "several" } = partsOf(text);
  if (image !== undefined && !imageName.test(image)) {
    throw new InvalidArgumentError("image must be the name of one, such as registry.example.com/roundtrip:0.1.0");
  }
  if (!dnsLabel.test(namespace)) {
    throw new InvalidArgumentError(
      "namespace must be lower-case letters, digits and hyphens, 63 at most, such as roundtrip",
    );
  }
  if (!["1", "several"].includes(nodes)) throw new InvalidArgumentError("nodes must be 1 or several");
  return { image, instances: wholeNumber(1, mostInstances)(instances), namespace, isOneNode: nodes === "1" };
}

export const clusterOption = (): Option =>
  valueOption(
    "output",
    "--kubernetes <image=name>",
    "write manifests for k6-operator too; also instances=2,namespace=tests,nodes=1",
  ).argParser(clusterOf);
