// Security contexts of the pods, as the strictest of the Pod Security Standards ("restricted") requires:
// https://kubernetes.io/docs/concepts/security/pod-security-standards/
import type { PodSecurityContext, SecurityContext } from "kubernetes-types/core/v1.js";

/** The label with which a namespace refuses other pods. */
export const restrictedNamespace = { "pod-security.kubernetes.io/enforce": "restricted" } as const;

/** @param userId the image's user. Its group has the same id, and owns the volumes. */
export function restrictedPod(userId: number): PodSecurityContext {
  return {
    runAsNonRoot: true,
    runAsUser: userId,
    runAsGroup: userId,
    fsGroup: userId,
    seccompProfile: { type: "RuntimeDefault" },
  };
}

export const restrictedContainer: SecurityContext = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ["ALL"] },
};
