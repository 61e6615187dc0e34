// How far apart the clocks of a round's instances were. Each instance reports its clock's offset from the same server.
import type { ReportedInstance } from "../results/instance-of.ts";

export interface ClockSkew {
  readonly skewMs: number;
  /** The instances whose clocks were furthest behind and ahead. */
  readonly behind: ReportedInstance;
  readonly ahead: ReportedInstance;
}

/** Undefined unless at least two instances report an offset. */
export function clockSkew(instances: readonly ReportedInstance[]): ClockSkew | undefined {
  const known = instances.filter(({ clockMs }) => !Number.isNaN(clockMs));
  const ordered = known.toSorted((one, other) => one.clockMs - other.clockMs);
  const [behind, ahead] = [ordered[0], ordered.at(-1)];
  if (behind === undefined || ahead === undefined || ordered.length < 2) return undefined;
  return { skewMs: ahead.clockMs - behind.clockMs, behind, ahead };
}
