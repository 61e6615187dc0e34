// Checks of suites that are written here around another project's client.
import type { Finding } from "./suite.ts";

/** What each check demands, with the code that rejects if it is not so. */
export type Checks<Caller> = Readonly<Record<string, (caller: Caller) => Promise<void>>>;

export function demand(condition: boolean, said: unknown): void {
  if (!condition) throw new Error(`got ${JSON.stringify(said) ?? "nothing"}`);
}

/** Runs checks in their order. Resolves to a finding for each that fails. @param on what the findings are named after, if one caller of several */
export async function findingsOf<Caller>(
  checks: Checks<Caller>,
  caller: Caller,
  on?: string,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const [about, check] of Object.entries(checks)) {
    const id = on === undefined ? about : `${about} (${on})`;
    try {
      // oxlint-disable-next-line no-await-in-loop -- later checks see what earlier ones changed
      await check(caller);
    } catch (thrown) {
      findings.push({ id, text: (thrown as Error).message });
    }
  }
  return findings;
}
