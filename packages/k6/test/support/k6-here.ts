// The k6 of this machine for tests that need the real program; `.ci/full` installs it where there is none.
import { needing } from "../../../../.ci/needs/needing.ts";
import { findK6, type K6Program } from "../../src/instances/find-k6.ts";

/** Options of tests that need it. */
export const withK6 = await needing("k6");

/** Undefined where tests are left out for want of it. */
export const k6Here: K6Program | undefined = withK6.skip === true ? undefined : await findK6();
