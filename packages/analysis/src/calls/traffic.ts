// Total bytes that the calls of each arm sent and received.
import type { Arm, Samples } from "@roundtrip/runs";

export interface Traffic {
  readonly calls: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
}

/** In the order of the arms. */
export function trafficOf(arms: readonly Arm[], samples: Samples): readonly Traffic[] {
  const sums = arms.map(() => ({ calls: 0, requestBytes: 0, responseBytes: 0 }));
  for (let row = 0; row < samples.length; row += 1) {
    const sum = sums[samples.arm[row] as number];
    if (sum === undefined) continue;
    sum.calls += 1;
    sum.requestBytes += samples.requestBytes[row] as number;
    sum.responseBytes += samples.responseBytes[row] as number;
  }
  return sums;
}

export function joinTraffic(parts: readonly (readonly Traffic[])[]): readonly Traffic[] {
  const [first = []] = parts;
  return first.map((_, arm) => {
    const sum = (of: keyof Traffic): number => parts.reduce((total, part) => total + (part[arm]?.[of] ?? 0), 0);
    return { calls: sum("calls"), requestBytes: sum("requestBytes"), responseBytes: sum("responseBytes") };
  });
}
