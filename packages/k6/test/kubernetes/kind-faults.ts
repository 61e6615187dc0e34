// What the schemas of Kubernetes say about a manifest; about a TestRun, which is not one of its kinds, they say it of the pods.
import { Deployment } from "kubernetes-models/apps/v1";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { ConfigMap, Namespace, PersistentVolumeClaim, Pod, Service } from "kubernetes-models/v1";
import type { Manifest } from "./manifest.ts";
import { podsOf } from "./pods.ts";

interface Model {
  readonly apiVersion: string;
  new (manifest: object): { validate(): void };
}

const models = { ConfigMap, Deployment, Namespace, NetworkPolicy, PersistentVolumeClaim, Pod, Service };

/** Empty for a manifest that a cluster takes. */
export function kindFaults(manifest: Manifest): readonly string[] {
  if (manifest.kind === "TestRun") return podsOf(manifest).flatMap(kindFaults);
  const Kind = models[manifest.kind] as unknown as Model;
  if (manifest.apiVersion !== Kind.apiVersion) {
    return [`${manifest.kind} is of ${Kind.apiVersion}, not of ${manifest.apiVersion}`];
  }
  try {
    new Kind(manifest).validate();
    return [];
  } catch (thrown) {
    return [(thrown as Error).message];
  }
}
