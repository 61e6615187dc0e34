// The sessions of a fake over HTTP: list and reset.
import { Router } from "express";
import type { StandaloneFake } from "../standalone-fake.ts";
import { queryText } from "./body.ts";

/** `GET /sessions` lists names; `DELETE /sessions?session=` resets one session, or all: calls, resources and counters. */
export function sessionRoutes({ fake }: StandaloneFake): Router {
  const router = Router();
  router.get("/sessions", (_request, response) => void response.json(fake.sessions.names));
  router.delete("/sessions", (request, response) => {
    const session = queryText(request, "session");
    if (session === undefined || fake.sessions.names.includes(session)) fake.reset(session);
    response.status(204).end();
  });
  return router;
}
