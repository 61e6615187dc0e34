// The call log of a fake over HTTP, for tests in any language.
import { Router } from "express";
import type { CallRecord } from "../../recording/call-record.ts";
import type { StandaloneFake } from "../standalone-fake.ts";
import { queryNumber, queryText } from "./body.ts";

const defaultLimit = 100;
const mostAtOnce = 10_000;

/** A call without its messages, for lists. */
export function summaryOf(record: CallRecord): Omit<CallRecord, "requests" | "responses"> {
  const { index, session, operation, omittedMessages, outcome, message, details } = record;
  const { requestBytes, responseBytes, roundTrip, startedAt, durationMs } = record;
  return {
    index,
    session,
    operation,
    omittedMessages,
    outcome,
    message,
    details,
    requestBytes,
    responseBytes,
    roundTrip,
    startedAt,
    durationMs,
  };
}

/**
 * `GET /calls?session=&operation=&index=&limit=&summary` lists the latest calls, oldest first; `DELETE /calls?session=` clears them.
 * Without a session, both apply to all sessions.
 */
export function callRoutes({ fake }: StandaloneFake): Router {
  const router = Router();
  router.get("/calls", (request, response) => {
    const session = queryText(request, "session");
    const operation = queryText(request, "operation");
    const index = queryNumber(request, "index", 1, Number.MAX_SAFE_INTEGER);
    const limit = queryNumber(request, "limit", 1, mostAtOnce) ?? defaultLimit;
    const isShort = queryText(request, "summary") !== undefined;
    // A query for a session must not create it.
    const isKnown = session === undefined || fake.sessions.names.includes(session);
    const records = !isKnown ? [] : session === undefined ? fake.log.records : fake.session(session).log.records;
    const asked = records.filter(
      (record) =>
        (operation === undefined || record.operation === operation) && (index === undefined || record.index === index),
    );
    response.json(asked.slice(-limit).map((record) => (isShort ? summaryOf(record) : record)));
  });
  router.delete("/calls", (request, response) => {
    const session = queryText(request, "session");
    if (session === undefined) fake.log.clear();
    else if (fake.sessions.names.includes(session)) fake.session(session).log.clear();
    response.status(204).end();
  });
  return router;
}
