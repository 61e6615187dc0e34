// The sessions of a fake, over HTTP: which there are, and back to the beginning with one or with all.
import { Router } from "express";
import type { StandaloneFake } from "../standalone-fake.ts";
import { queryText } from "./body.ts";

/** `GET /sessions` gives names; `DELETE /sessions?session=` resets one, or all: what was called, made and counted is forgotten. */
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
