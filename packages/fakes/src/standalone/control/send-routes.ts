// Calls to a fake that are made through its control server: see sent-call.ts.
import { Router } from "express";
import type { StandaloneFake } from "../standalone-fake.ts";
import { bodyOf, listIn, maybeTextIn, textIn } from "./body.ts";
import { ControlFault } from "./control-fault.ts";
import { sendCall, type OwnClients } from "./sent-call.ts";

const mostAtOnce = 16;

/** `POST /send` with `{ "stack", "operation", "request" or "requests", "session" }` answers with what the call ended with. */
export function sendRoutes({ fake }: StandaloneFake, clients: OwnClients): Router {
  const router = Router();
  let underWay = 0;
  router.post("/send", async (request, response) => {
    const body = bodyOf(request, ["stack", "operation", "request", "requests", "session"]);
    const { request: one, requests: several } = body;
    if ((one === undefined) === (several === undefined)) throw new ControlFault(400, "give request or requests");
    const requests = one === undefined ? listIn(body, "requests") : [one];
    if (underWay >= mostAtOnce) throw new ControlFault(503, `${mostAtOnce} calls are under way already`);
    underWay += 1;
    try {
      const call = {
        stack: textIn(body, "stack"),
        operation: textIn(body, "operation"),
        requests,
        session: maybeTextIn(body, "session") ?? "",
      };
      response.json(await sendCall(clients, fake.contract, call));
    } finally {
      underWay -= 1;
    }
  });
  return router;
}
