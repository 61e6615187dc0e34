// Assertions on calls over HTTP, for tests in any language.
import { suggestion } from "@roundtrip/contract/text";
import { styleNames } from "@roundtrip/styles";
import { Router } from "express";
import { AssertionError } from "node:assert";
import type { Fake } from "../../fake/fake.ts";
import { stackSelectors } from "../../fake/serve-fake.ts";
import { checked, lazily } from "../../files/checked.ts";
import { type AssertedLog, expectCalls, type ExpectedCalls } from "../../log/expect-calls.ts";
import type { StandaloneFake } from "../standalone-fake.ts";
import { bodyOf, ControlError } from "./control-error.ts";
import { otherMethods } from "./other-methods.ts";

/** Calls of a session, through servers of a style or through one of them. */
export interface Selection {
  readonly session?: string | undefined;
  readonly style?: string | undefined;
}

/** Does not create the session. */
function callsOf(fake: Fake, session: string | undefined): Pick<AssertedLog, "records" | "dropped"> {
  if (session === undefined) return fake.log;
  return fake.sessions.names.includes(session) ? fake.session(session).log : { records: [], dropped: 0 };
}

/** The log of the selected calls. Throws a ControlError for an unknown style. */
export function selectedLog(fake: Fake, { session, style }: Selection): AssertedLog {
  const styles = ["memory", ...stackSelectors()];
  if (style !== undefined && !styles.includes(style)) {
    const hint = suggestion(style, styles) || ` (valid: memory, ${styleNames().join(", ")}, and names of servers)`;
    throw new ControlError(400, `unknown style ${JSON.stringify(style)}${hint}`);
  }
  const { contract, refusalLog } = fake;
  const { records, dropped } = callsOf(fake, session);
  return {
    contract,
    records:
      style === undefined ? records : records.filter((record) => record.style === style || record.server === style),
    dropped,
    refusals: session === undefined ? refusalLog.refusals : refusalLog.of(session),
  };
}

const expectationSchema = lazily((z) => {
  const text = z.string().optional();
  const count = z.number().optional();
  return z.strictObject({
    operation: z.string(),
    request: z.unknown().optional(),
    headers: z.record(z.string(), z.unknown()).optional(),
    outcome: text,
    times: count,
    atLeast: count,
    atMost: count,
    session: text,
    style: text,
  });
});

/** An answer has so many calls at most, the latest. */
const mostCalls = 100;

/**
 * `POST /verify` with an operation and what {@link expectCalls} takes returns the calls that match, or the text of its error with the status 409. With
 * `session` and `style`, only such calls count.
 */
export function verifyRoutes({ fake }: StandaloneFake): Router {
  const router = Router();
  router
    .route("/verify")
    .post((request, response) => {
      const schema = expectationSchema();
      const body = checked(schema, bodyOf(request, Object.keys(schema.shape)), []);
      const { operation, session, style, ...expected } = body;
      try {
        const calls = expectCalls(selectedLog(fake, { session, style }), operation, expected as ExpectedCalls);
        response.json(calls.slice(-mostCalls));
      } catch (thrown) {
        if (!(thrown instanceof AssertionError)) throw thrown;
        // Text, which test runners of every language show as it is.
        response.status(409).type("text/plain").send(`${thrown.message}\n`);
      }
    })
    .all(otherMethods);
  return router;
}
