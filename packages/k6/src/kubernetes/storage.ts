// Where results stay until somebody fetches them: a claim, and a pod that does nothing but to hold it open for `kubectl cp`.
import type { PersistentVolumeClaim, Pod } from "kubernetes-types/core/v1.js";
import { k6Image, k6UserId } from "./k6-image.ts";
import type { KubernetesOptions } from "./kubernetes-options.ts";
import { labelsOf } from "./labels.ts";
import { restrictedContainer, restrictedPod } from "./restricted.ts";
import { filesName, needClaim, testFolder, testVolume } from "./test-files.ts";

/** Where instances of k6 write their results. */
export const resultsFolder = "/results";
export const resultsVolume = "results";

export function resultsName({ name }: Pick<KubernetesOptions, "name">): string {
  return `${name}-results`;
}

/** The pod's name. */
export function storageName({ name }: Pick<KubernetesOptions, "name">): string {
  return `${name}-storage`;
}

// k6 writes a line for each of its own metrics, too: about ten of some 300 bytes for a call.
const bytesPerCall = 3_000;
const roundsDoneAgain = 4;
const gibibyte = 1024 ** 3;

/** `4Gi`: what all rounds need, and some that have to be done again, in whole gibibytes. */
function roomFor({ calls, rounds }: KubernetesOptions): string {
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
      // Instances on several nodes write at the same time, and the pod below reads.
      accessModes: [isOneNode ? "ReadWriteOnce" : "ReadWriteMany"],
      resources: { requests: { storage } },
    },
  };
}

export function storageClaims(options: KubernetesOptions): readonly PersistentVolumeClaim[] {
  const { files } = options;
  const forFiles = needClaim(files) ? [claim(options, filesName(options), "1Gi")] : [];
  return [claim(options, resultsName(options), roomFor(options)), ...forFiles];
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
      // What waits here does not hear signals, and has nothing to finish.
      terminationGracePeriodSeconds: 1,
      securityContext: restrictedPod(k6UserId),
      containers: [
        {
          name: "storage",
          // k6's image has the `tar` that `kubectl cp` asks for, and is there already.
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
