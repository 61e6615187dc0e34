// Security contexts of the pods, as the strictest of the Pod Security Standards ("restricted") requires:
// https://kubernetes.io/docs/concepts/security/pod-security-standards/
import type { PodSecurityContext, SecurityContext } from "kubernetes-types/core/v1.js";

const version = "1.8.1";

export const k6ImageVersion = `v${version}`;

export const k6Image = `docker.io/grafana/k6:${version}`;

/** `USER 12345` in the image's Dockerfile: https://github.com/grafana/k6/blob/master/Dockerfile */
export const k6UserId = 12_345;

/** The release of k6-operator that the manifests are tested with. The operator itself uses its latest starter image. */
export const operatorVersion = "v1.5.0";

export const starterImage = `ghcr.io/grafana/k6-operator:starter-${operatorVersion}`;

/** `USER 65532:65532` in the image's Dockerfile: https://github.com/grafana/k6-operator/blob/main/Dockerfile.starter */
export const starterUserId = 65_532;

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
