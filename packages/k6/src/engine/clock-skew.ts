// How far apart the clocks of a round's instances were: each says how far its own is from that of a server, which all of them asked.
import type { ToldInstance } from "../results/instance-of.ts";

export interface ClockSkew {
  readonly skewMs: number;
  /** Those whose clocks were the furthest behind and ahead. */
  readonly behind: ToldInstance;
  readonly ahead: ToldInstance;
}

/** Undefined where there are not two that know. */
export function clockSkew(instances: readonly ToldInstance[]): ClockSkew | undefined {
  const known = instances.filter(({ clockMs }) => !Number.isNaN(clockMs));
  const ordered = known.toSorted((one, other) => one.clockMs - other.clockMs);
  const [behind, ahead] = [ordered[0], ordered.at(-1)];
  if (behind === undefined || ahead === undefined || ordered.length < 2) return undefined;
  return { skewMs: ahead.clockMs - behind.clockMs, behind, ahead };
}
