// The image that instances of k6 run from, and what it calls its user.

const version = "1.8.1";

/** What a result says of the program that made it. */
export const k6ImageVersion = `v${version}`;

export const k6Image = `docker.io/grafana/k6:${version}`;

/** `USER 12345` in the image's recipe: https://github.com/grafana/k6/blob/master/Dockerfile */
export const k6UserId = 12_345;
