// The one certificate of a run: valid for every address that its servers have, made only when something goes over TLS.
import type { PlannedArm } from "../study/planned-arm.ts";
import type { OpenLinks } from "../link/open-links.ts";

/** In PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
  /** What clients trust it by. */
  readonly ca: string;
}

/**
 * Undefined when everything is plain.
 * @param tls whether arms that leave it open go over TLS
 */
export async function certificateOf(
  arms: readonly PlannedArm[],
  links: Pick<OpenLinks, "of">,
  tls: boolean,
): Promise<Certificate | undefined> {
  const served = arms.filter(({ target, configuration }) => target === undefined && (configuration.tls ?? tls));
  if (served.length === 0) return undefined;
  const hosts = served.flatMap(({ configuration: { link } }) =>
    link === undefined ? [] : [links.of(link).server.host],
  );
  // The library that makes it is loaded only here.
  const { loopbackCertificate } = await import("@roundtrip/stacks/certificate");
  return loopbackCertificate([...new Set(hosts)]);
}
