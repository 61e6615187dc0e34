// `--kubernetes` and its options. Names end up in manifests and shell commands, so the parser is as strict as a cluster.
import { InvalidArgumentError, type Option } from "commander";
import { numberOption, switchOption, valueOption } from "../options/options.ts";

export interface ClusterFlags {
  readonly kubernetes: boolean;
  readonly image?: string;
  readonly instances?: number;
  readonly namespace?: string;
  readonly oneNode: boolean;
}

/** RFC 1123, as required for namespaces. */
const dnsLabel = /^[a-z\d](?:[-a-z\d]{0,61}[a-z\d])?$/;

/** `registry:5000/path/name:tag@sha256:digest`, as in https://github.com/distribution/reference */
const imageName = /^[a-z\d][\w.:/-]{0,400}(?:@[a-z\d]{1,20}:[\da-f]{1,128})?$/i;

const mostInstances = 1_000;

function namespace(value: string): string {
  if (!dnsLabel.test(value)) {
    throw new InvalidArgumentError("must be lower-case letters, digits and hyphens, 63 at most, such as roundtrip");
  }
  return value;
}

function image(value: string): string {
  if (!imageName.test(value)) {
    throw new InvalidArgumentError("must be the name of an image, such as registry.example.com/roundtrip:0.1.0");
  }
  return value;
}

export function clusterOptions(): readonly Option[] {
  return [
    switchOption("output", "--kubernetes", "write manifests for k6-operator too"),
    valueOption("output", "--image <name>", "image of the cluster's servers").argParser(image),
    numberOption("output", "--instances <number>", "pods of k6 (default: 1)", [1, mostInstances]),
    valueOption("output", "--namespace <name>", "namespace (default: roundtrip)").argParser(namespace),
    switchOption("output", "--one-node", "the cluster has one node: volumes need not be shared"),
  ];
}
