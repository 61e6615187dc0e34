// The header `grpc-timeout` ("Timeout"): at most eight digits and a unit.

const unitMs: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 1e-3, n: 1e-6 };
const mostDigits = 1e8;

/** @param timeoutMs less than 10^11, which is three years. */
export function timeoutText(timeoutMs: number): string {
  const wholeMs = Math.ceil(timeoutMs);
  return wholeMs < mostDigits ? `${wholeMs}m` : `${Math.ceil(timeoutMs / 1_000)}S`;
}

/** The time in milliseconds; undefined for malformed text. */
export function timeoutMsIn(text: string): number | undefined {
  const [, digits, unit = ""] = /^(\d{1,8})([HMSmun])$/.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits) * (unitMs[unit] as number);
}
