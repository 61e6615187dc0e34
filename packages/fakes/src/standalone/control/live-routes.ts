// Live events of a fake for its page, as server-sent events: calls, and changes of what is served.
import { Router, type Response } from "express";
import type { StandaloneFake } from "../standalone-fake.ts";
import { summaryOf } from "./call-routes.ts";
import { ControlError } from "./control-error.ts";

/** The maximum number of pages at once. */
const mostWatchers = 16;
/** A slower reader is disconnected; the browser reconnects and reads the current state. */
const mostWaitingBytes = 1024 * 1024;

/** `GET /live`: events `call` with a call's summary, and `change` with the part that changed. */
export function liveRoutes(standalone: StandaloneFake): Router {
  const router = Router();
  const watchers = new Set<Response>();
  const send = (event: string, data: unknown): void => {
    const text = `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    for (const watcher of watchers) {
      if (watcher.writableLength > mostWaitingBytes) watcher.destroy();
      else watcher.write(text);
    }
  };
  standalone.fake.log.onRecord((record) => {
    if (watchers.size > 0) send("call", summaryOf(record));
  });
  standalone.onChange((part) => send("change", { part }));
  router.get("/live", (_request, response) => {
    if (watchers.size >= mostWatchers)
      throw new ControlError(503, `at most ${mostWatchers} pages can watch: close one first`);
    watchers.add(response);
    response.on("close", () => watchers.delete(response));
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.write(": hello\n\n");
  });
  return router;
}
