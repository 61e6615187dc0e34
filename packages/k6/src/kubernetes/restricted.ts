// What pods may do: nothing that they do not need, as the strictest of the Pod Security Standards has it ("restricted"):
// https://kubernetes.io/docs/concepts/security/pod-security-standards/
import type { PodSecurityContext, SecurityContext } from "kubernetes-types/core/v1.js";

/** The label by which a namespace takes no other pods. */
export const restrictedNamespace = { "pod-security.kubernetes.io/enforce": "restricted" } as const;

/** @param userId of the image's own user; its group has the same number, and volumes are its group's. */
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
