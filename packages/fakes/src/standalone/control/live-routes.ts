// What happens to a fake, as it happens, for the page: calls, and that something else is served now. Server-sent events.
import { Router, type Response } from "express";
import type { StandaloneFake } from "../standalone-fake.ts";
import { summaryOf } from "./call-routes.ts";
import { ControlFault } from "./control-fault.ts";

/** Pages that watch at once. */
const mostWatchers = 16;
/** Who reads no faster than this lets wait is hung up on; the browser asks again, and reads what there is by then. */
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
    if (watchers.size >= mostWatchers) throw new ControlFault(503, `${mostWatchers} pages watch already`);
    watchers.add(response);
    response.on("close", () => watchers.delete(response));
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.write(": hello\n\n");
  });
  return router;
}
