// Sends calls to the fake through its control server: see sent-call.ts.
import { Router } from "express";
import type { StandaloneFake } from "../standalone-fake.ts";
import { bodyOf, listIn, maybeTextIn, textIn } from "./body.ts";
import { ControlError } from "./control-error.ts";
import { sendCall, type ClientPool } from "./sent-call.ts";

const mostAtOnce = 16;

/** `POST /send` with `{ "stack", "operation", "request" or "requests", "session" }` returns the outcome of the call. */
export function sendRoutes({ fake }: StandaloneFake, clients: ClientPool): Router {
  const router = Router();
  let inFlight = 0;
  router.post("/send", async (request, response) => {
    const body = bodyOf(request, ["stack", "operation", "request", "requests", "session"]);
    const { request: one, requests: several } = body;
    if ((one === undefined) === (several === undefined)) throw new ControlError(400, "give request or requests");
    const requests = one === undefined ? listIn(body, "requests") : [one];
    if (inFlight >= mostAtOnce)
      throw new ControlError(503, `at most ${mostAtOnce} calls can be in flight: try again later`);
    inFlight += 1;
    try {
      const call = {
        stack: textIn(body, "stack"),
        operation: textIn(body, "operation"),
        requests,
        session: maybeTextIn(body, "session") ?? "",
      };
      response.json(await sendCall(clients, fake.contract, call));
    } finally {
      inFlight -= 1;
    }
  });
  return router;
}
