// The files that k6 runs, as a volume: a ConfigMap if they fit into one, else a claim that the user fills.
import type { ConfigMap, KeyToPath, Volume } from "kubernetes-types/core/v1.js";
import { posix } from "node:path";
import type { ExportFile } from "../export/export-files.ts";
import type { KubernetesOptions } from "./kubernetes-options.ts";
import { labelsOf } from "./labels.ts";

/** The folder of the script in a pod. */
export const testFolder = "/test";
export const testVolume = "test";

/** The most bytes in the values of a ConfigMap: https://kubernetes.io/docs/concepts/configuration/configmap/ */
export const configMapMaxBytes = 1024 * 1024;

const bytesOf = ({ content }: ExportFile): number => Buffer.byteLength(content);

/** True if the files must be copied into a volume. */
export function needClaim(files: readonly ExportFile[]): boolean {
  return files.reduce((sum, file) => sum + bytesOf(file), 0) > configMapMaxBytes;
}

/** The name of the ConfigMap, or of the claim. */
export function filesName({ name }: Pick<KubernetesOptions, "name">): string {
  return `${name}-files`;
}

/** Keys cannot contain slashes: `proto/a/b.proto` becomes `proto_a_b.proto`, with a number if that key exists. */
function keysOf(files: readonly ExportFile[]): readonly KeyToPath[] {
  const taken = new Set<string>();
  return files.map(({ path }) => {
    const plain = path.replaceAll(/[^-\w.]/g, "_");
    let key = plain;
    for (let count = 2; taken.has(key); count += 1) key = `${count}_${plain}`;
    taken.add(key);
    return { key, path: posix.normalize(path) };
  });
}

export function filesConfigMap(options: KubernetesOptions): ConfigMap {
  const { name, namespace, files } = options;
  const keyed = keysOf(files).map(({ key }, index) => [key, (files[index] as ExportFile).content] as const);
  const texts = keyed.filter((entry): entry is readonly [string, string] => typeof entry[1] === "string");
  const bytes = keyed.filter((entry): entry is readonly [string, Uint8Array] => typeof entry[1] !== "string");
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: filesName(options), namespace, labels: labelsOf(name, "generator", "k6") },
    data: Object.fromEntries(texts),
    binaryData: Object.fromEntries(bytes.map(([key, value]) => [key, Buffer.from(value).toString("base64")])),
  };
}

/** The volume that a pod of k6 reads the files from. */
export function filesVolume(options: KubernetesOptions): Volume {
  const { files } = options;
  const name = filesName(options);
  if (needClaim(files)) return { name: testVolume, persistentVolumeClaim: { claimName: name, readOnly: true } };
  return { name: testVolume, configMap: { name, items: [...keysOf(files)] } };
}
