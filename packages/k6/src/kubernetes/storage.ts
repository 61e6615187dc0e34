// Storage for results: a claim, and a pod that mounts it for `kubectl cp`.
import type { PersistentVolumeClaim, Pod } from "kubernetes-types/core/v1.js";
import { k6Image, k6UserId, restrictedContainer, restrictedPod } from "./restricted.ts";
import type { KubernetesOptions } from "./kubernetes-options.ts";
import { labelsOf } from "./labels.ts";
import { filesName, needClaim, testFolder, testVolume } from "./test-files.ts";

export const resultsFolder = "/results";
export const resultsVolume = "results";

export function resultsName({ name }: Pick<KubernetesOptions, "name">): string {
  return `${name}-results`;
}

/** The pod's name. */
export function storageName({ name }: Pick<KubernetesOptions, "name">): string {
  return `${name}-storage`;
}

// k6 also writes its own metrics: about ten lines of some 300 bytes for each call.
const bytesPerCall = 3_000;
const roundsDoneAgain = 4;
const gibibyte = 1024 ** 3;

/** The size for all rounds and some repeated ones in whole gibibytes, for example `4Gi`. */
function sizeFor({ calls, rounds }: KubernetesOptions): string {
  return `${Math.max(1, Math.ceil((calls * bytesPerCall * (rounds + roundsDoneAgain)) / gibibyte))}Gi`;
}

function claim(
  { name, namespace, isOneNode }: KubernetesOptions,
  claimName: string,
  storage: string,
): PersistentVolumeClaim {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: claimName, namespace, labels: labelsOf(name, "storage", claimName) },
    spec: {
      // Instances on several nodes write at the same time, and the storage pod reads.
      accessModes: [isOneNode ? "ReadWriteOnce" : "ReadWriteMany"],
      resources: { requests: { storage } },
    },
  };
}

export function storageClaims(options: KubernetesOptions): readonly PersistentVolumeClaim[] {
  const { files } = options;
  const forFiles = needClaim(files) ? [claim(options, filesName(options), "1Gi")] : [];
  return [claim(options, resultsName(options), sizeFor(options)), ...forFiles];
}

export function storagePod(options: KubernetesOptions): Pod {
  const { name, namespace, files } = options;
  const holdsFiles = needClaim(files);
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: storageName(options), namespace, labels: labelsOf(name, "storage", storageName(options)) },
    spec: {
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      // `tail` ignores signals as process 1, and has nothing to finish.
      terminationGracePeriodSeconds: 1,
      securityContext: restrictedPod(k6UserId),
      containers: [
        {
          name: "storage",
          // k6's image is on the node already, and has the `tar` that `kubectl cp` requires.
          image: k6Image,
          command: ["tail", "-f", "/dev/null"],
          resources: { requests: { cpu: "10m", memory: "32Mi" }, limits: { memory: "128Mi" } },
          securityContext: restrictedContainer,
          volumeMounts: [
            { name: resultsVolume, mountPath: resultsFolder },
            ...(holdsFiles ? [{ name: testVolume, mountPath: testFolder }] : []),
          ],
        },
      ],
      volumes: [
        { name: resultsVolume, persistentVolumeClaim: { claimName: resultsName(options) } },
        ...(holdsFiles ? [{ name: testVolume, persistentVolumeClaim: { claimName: filesName(options) } }] : []),
      ],
    },
  };
}
