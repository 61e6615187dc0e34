// What the schemas of Kubernetes, and for its own kind what k6-operator documents, say of a manifest.
import { Deployment } from "kubernetes-models/apps/v1";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { ConfigMap, Namespace, PersistentVolumeClaim, Pod, Service } from "kubernetes-models/v1";
import { podsOf, testRunFaults } from "./test-run-faults.ts";

/** An object of a manifest, as it was read. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels: Readonly<Record<string, string>>;
  };
  // oxlint-disable-next-line typescript/no-explicit-any -- read from YAML, and of many kinds
  readonly [field: string]: any;
}

const models = { ConfigMap, Deployment, Namespace, NetworkPolicy, PersistentVolumeClaim, Pod, Service };

/** Empty for a manifest that a cluster takes. */
export function kindFaults(manifest: Manifest): readonly string[] {
  if (manifest.kind === "TestRun") {
    return [...testRunFaults(manifest), ...podsOf(manifest).flatMap((pod) => kindFaults(pod as unknown as Manifest))];
  }
  const Model = models[manifest.kind as keyof typeof models];
  if (Model === undefined) return [`unknown kind ${manifest.kind}`];
  const expected = (Model as unknown as { readonly apiVersion: string }).apiVersion;
  if (manifest.apiVersion !== expected) return [`${manifest.kind} is of ${expected}, not of ${manifest.apiVersion}`];
  try {
    new Model(manifest).validate();
    return [];
  } catch (thrown) {
    return [(thrown as Error).message];
  }
}
