// The stubs of a fake over HTTP, in the form of stub files, with errors for editors.
import { Router, type Request } from "express";
import { parseStubs, writeStubs } from "../../stubs/read-stubs.ts";
import type { Stub } from "../../stubs/stub-schema.ts";
import type { StandaloneFake } from "../standalone-fake.ts";
import type { ListedStub } from "../listed-stubs.ts";
import { bodyOf, ControlError, listIn, maybeTextIn, queryOf, textIn } from "./control-error.ts";
import { stubOfCall } from "./stub-of-call.ts";

/** The name of the text in error messages. */
const textName = "stub";

function listed({ id, stub, origin, isChanged, session }: ListedStub): object {
  return { id, operation: stub.operation, origin, isChanged, text: writeStubs([stub]), session };
}

function unknownStub(id: string): ControlError {
  return new ControlError(404, `unknown stub ${id}`);
}

/**
 * `GET /stubs` lists them in order of precedence, those of single sessions first; `POST /stubs` adds the stubs of `{ "text": … }` before all others, or
 * before those of a session with `"session"`; `PUT` and `DELETE /stubs/ID` change and remove one. `POST /stubs/check` only checks a text. `POST /stubs/from-call` returns a stub that repeats the answer to a call, given in
 * the form of `/calls` and `/send`.
 */
export function stubRoutes({ fake, stubs }: StandaloneFake): Router {
  const router = Router();
  const stubsIn = (request: Request): readonly Stub[] => {
    const found = parseStubs(textIn(bodyOf(request, ["text", "session"]), "text"), textName, fake.contract);
    if (found.length === 0) throw new ControlError(400, "the text contains no stub");
    return found;
  };
  router.get("/stubs", (request, response) => {
    queryOf(request);
    response.json(stubs.all.map(listed));
  });
  router.post("/stubs/check", (request, response) => void response.json({ stubs: stubsIn(request).length }));
  router.post("/stubs/from-call", (request, response) => {
    const body = bodyOf(request, ["operation", "requests", "responses", "outcome", "message", "details"]);
    const stub = stubOfCall(fake.contract, {
      operation: textIn(body, "operation"),
      requests: listIn(body, "requests"),
      responses: listIn(body, "responses"),
      outcome: textIn(body, "outcome"),
      message: maybeTextIn(body, "message") ?? "",
      details: body["details"] ?? {},
    });
    response.json({ text: writeStubs([stub]) });
  });
  router.post("/stubs", (request, response) => {
    const added = stubsIn(request);
    const session = maybeTextIn(bodyOf(request, ["text", "session"]), "session");
    response.status(201).json(stubs.add(added, session).map(listed));
  });
  router.put("/stubs/:id", (request, response) => {
    const { id } = request.params;
    const [stub, ...others] = stubsIn(request);
    if (stub === undefined || others.length > 0)
      throw new ControlError(400, "write one stub; add others by POST /stubs");
    const changed = stubs.change(id, stub);
    if (changed === undefined) throw unknownStub(id);
    response.json(listed(changed));
  });
  router.delete("/stubs/:id", (request, response) => {
    queryOf(request);
    const { id } = request.params;
    if (!stubs.remove(id)) throw unknownStub(id);
    response.status(204).end();
  });
  return router;
}
