// The certificate of a run, valid for all addresses of its servers. It is made only if something uses TLS.
import type { OpenLinks } from "../link/open-links.ts";
import type { PlannedArm } from "../study/planned-arm.ts";

/** In PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
  /** The certificate that clients trust. */
  readonly ca: string;
}

/** Undefined if nothing uses TLS. @param tls whether arms without an explicit setting use TLS */
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
