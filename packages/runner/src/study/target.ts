// A target: its address, and how the address is recorded.

export interface Target {
  readonly stack: string;
  readonly url: string;
  /** Certificate authority in PEM for https; undefined trusts the system's. */
  readonly ca: string | undefined;
  /** The environment variable with the bearer token of its callers; undefined sends none. The token itself is never recorded. */
  readonly tokenVariable: string | undefined;
}

/** The address for reports and records: without user name, password, query and fragment. */
export function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return pathname === "/" ? origin : `${origin}${pathname}`;
}
