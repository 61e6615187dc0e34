// The image that k6-operator resumes instances from: of the release that manifests are held against, as the operator itself takes the latest.

/** The release of k6-operator, by the name that its sources and images have. */
export const operatorVersion = "v1.5.0";

export const starterImage = `ghcr.io/grafana/k6-operator:starter-${operatorVersion}`;

/** `USER 65532:65532` in the image's recipe: https://github.com/grafana/k6-operator/blob/main/Dockerfile.starter */
export const starterUserId = 65_532;
