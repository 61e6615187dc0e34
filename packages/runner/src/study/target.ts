// A server that runs already and is not the run's own: where it is, and how that is written down.

export interface Target {
  readonly stack: string;
  readonly url: string;
  /** Certificate authority in PEM for https; undefined trusts the system's. */
  readonly ca: string | undefined;
  /** The environment variable with the bearer token of its callers; undefined sends none. The token itself is never written down. */
  readonly tokenVariable: string | undefined;
}

/** The address as it may be shown and kept: without user name, password, query and fragment. */
export function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return pathname === "/" ? origin : `${origin}${pathname}`;
}
