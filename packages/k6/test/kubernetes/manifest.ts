// An object of a manifest, as a test reads it: what Kubernetes calls optional is there when it is asked for, or the test fails.
import type { Deployment } from "kubernetes-types/apps/v1.js";
import type { ConfigMap, Namespace, PersistentVolumeClaim, Pod, Service } from "kubernetes-types/core/v1.js";
import type { NetworkPolicy } from "kubernetes-types/networking/v1.js";
import type { TestRun } from "../../src/kubernetes/test-run.ts";

type Full<T> = T extends readonly (infer Item)[]
  ? readonly Full<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]-?: Full<T[Name]> }
    : T;

type Written = ConfigMap | Deployment | Namespace | NetworkPolicy | PersistentVolumeClaim | Pod | Service | TestRun;

export type Manifest = Full<Written>;

export type ManifestOf<Kind extends Manifest["kind"]> = Extract<Manifest, { readonly kind: Kind }>;

export type PodManifest = ManifestOf<"Pod">;
