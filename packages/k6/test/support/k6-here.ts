// The k6 of this machine for tests that need the real program; `.ci/run` installs it where there is none.
import { findK6, type K6Program } from "../../src/instances/find-k6.ts";

const found = await findK6().catch((thrown: unknown) => (thrown as Error).message);

/** Undefined where tests are left out for want of it. */
export const k6Here: K6Program | undefined = typeof found === "string" ? undefined : found;

if (typeof found === "string") process.stderr.write(`Tests with the real k6 are left out: ${found}\n`);
