// The call log of a fake over HTTP, for tests in any language.
import { Router, type Response } from "express";
import { summaryOf } from "../../log/logged-call.ts";
import type { StandaloneFake } from "../standalone-fake.ts";
import { operationNamed } from "../../basics/names.ts";
import { ControlError, flagIn, numberIn, queryOf } from "./control-error.ts";
import { otherMethods } from "./other-methods.ts";
import { selectedLog } from "./verify-routes.ts";

/** The maximum number of pages at once. */
const mostWatchers = 16;
/** A slower reader is disconnected; the browser reconnects and reads the current state. */
const mostWaitingBytes = 1024 * 1024;

/**
 * `GET /live`: events `call` with a call's summary, `refusal` with a refused request, and `change` with the part that changed, if any, and a text.
 * @param stopping ends them: nobody has to wait for pages
 */
export function liveRoutes(standalone: StandaloneFake, stopping: AbortSignal): Router {
  const router = Router();
  const watchers = new Set<Response>();
  const send = (event: string, data: unknown): void => {
    const text = `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    for (const watcher of watchers) {
      if (watcher.writableLength > mostWaitingBytes) watcher.destroy();
      else watcher.write(text);
    }
  };
  stopping.addEventListener("abort", () => watchers.forEach((watcher) => watcher.end()));
  standalone.fake.log.onRecord((record) => {
    if (watchers.size > 0) send("call", summaryOf(record));
  });
  standalone.fake.log.onRefusal((refusal) => send("refusal", refusal));
  standalone.onChange((part, text) => send("change", { part, text }));
  router
    .route("/live")
    .get((request, response) => {
      queryOf(request);
      if (request.method === "HEAD") {
        response.type("text/event-stream").end();
        return;
      }
      if (watchers.size >= mostWatchers)
        throw new ControlError(503, `at most ${mostWatchers} pages can watch: close one first`);
      watchers.add(response);
      response.on("close", () => watchers.delete(response));
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
      response.write(": hello\n\n");
    })
    .all(otherMethods);
  return router;
}

const defaultLimit = 100;
const mostAtOnce = 10_000;

/**
 * `GET /calls?session=&style=&operation=&index=&limit=&summary` lists the latest calls, oldest first; `DELETE /calls?session=` clears them.
 * `GET /refusals?session=&limit=` lists the latest requests that reached no operation. Without a session, all apply to all sessions.
 */
export function callRoutes({ fake }: StandaloneFake): Router {
  const router = Router();
  router
    .route("/calls")
    .get((request, response) => {
      const query = queryOf(request, ["session", "style", "operation", "index", "limit", "summary"]);
      const { operation: name } = query;
      const operation = name === undefined ? undefined : operationNamed(fake.contract, name).id;
      const index = numberIn(query.index, "index", 1, Number.MAX_SAFE_INTEGER);
      const limit = numberIn(query.limit, "limit", 1, mostAtOnce) ?? defaultLimit;
      const isShort = flagIn(query.summary, "summary");
      const asked = selectedLog(fake, query).records.filter(
        (record) =>
          (operation === undefined || record.operation === operation) &&
          (index === undefined || record.index === index),
      );
      response.json(asked.slice(-limit).map((record) => (isShort ? summaryOf(record) : record)));
    })
    .delete((request, response) => {
      const { session } = queryOf(request, ["session"]);
      if (session === undefined) fake.log.clear();
      else if (fake.sessions.names.includes(session)) fake.session(session).log.clear();
      fake.refusalLog.clear(session);
      response.status(204).end();
    })
    .all(otherMethods);
  router
    .route("/refusals")
    .get((request, response) => {
      const { session, limit: text } = queryOf(request, ["session", "limit"]);
      const limit = numberIn(text, "limit", 1, mostAtOnce) ?? defaultLimit;
      const { refusalLog } = fake;
      response.json((session === undefined ? refusalLog.refusals : refusalLog.of(session)).slice(-limit));
    })
    .all(otherMethods);
  return router;
}
