// The stubs of a fake over HTTP, in the form of stub files, with errors for editors.
import { Router, type Request } from "express";
import { parseStubs } from "../../stubs/read-stubs.ts";
import { writeStubs } from "../../stubs/stub-form.ts";
import type { Stub } from "../../stubs/stub.ts";
import type { StandaloneFake } from "../standalone-fake.ts";
import type { SessionStub } from "../session-stubs.ts";
import type { ListedStub } from "../stub-list.ts";
import { bodyOf, ControlError, listIn, maybeTextIn, queryOf, textIn } from "./control-error.ts";
import { stubOfCall } from "./stub-of-call.ts";

/** The name of the text in error messages. */
const textName = "stub";

function listed({ id, stub, origin, isChanged }: ListedStub): object {
  return { id, operation: stub.operation, origin, isChanged, text: writeStubs([stub]) };
}

function listedOfSession({ id, session, stub }: SessionStub): object {
  return { ...listed({ id, stub, origin: "added", isChanged: false }), session };
}

function unknownStub(id: string): ControlError {
  return new ControlError(404, `unknown stub ${id}`);
}

/**
 * `GET /stubs` lists them in order of precedence, those of single sessions first; `POST /stubs` adds the stubs of `{ "text": … }` before all others, or
 * before those of a session with `"session"`; `PUT` and `DELETE /stubs/ID` change and remove one. `POST /stubs/check` only checks a text. `POST /stubs/from-call` returns a stub that repeats the answer to a call, given in
 * the form of `/calls` and `/send`.
 */
export function stubRoutes({ fake, stubs, sessionStubs }: StandaloneFake): Router {
  const router = Router();
  const stubsIn = (request: Request): readonly Stub[] => {
    const found = parseStubs(textIn(bodyOf(request, ["text", "session"]), "text"), textName, fake.contract);
    if (found.length === 0) throw new ControlError(400, "the text contains no stub");
    return found;
  };
  router.get("/stubs", (request, response) => {
    queryOf(request);
    response.json([...sessionStubs.all.map(listedOfSession), ...stubs.all.map(listed)]);
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
    const said =
      session === undefined ? stubs.add(added).map(listed) : sessionStubs.add(session, added).map(listedOfSession);
    response.status(201).json(said);
  });
  router.put("/stubs/:id", (request, response) => {
    const { id } = request.params;
    const [stub, ...others] = stubsIn(request);
    if (stub === undefined || others.length > 0)
      throw new ControlError(400, "write one stub; add others by POST /stubs");
    const changed = stubs.change(id, stub);
    const ofSession = changed === undefined ? sessionStubs.change(id, stub) : undefined;
    if (changed !== undefined) response.json(listed(changed));
    else if (ofSession !== undefined) response.json(listedOfSession(ofSession));
    else throw unknownStub(id);
  });
  router.delete("/stubs/:id", (request, response) => {
    queryOf(request);
    const { id } = request.params;
    if (!stubs.remove(id) && !sessionStubs.remove(id)) throw unknownStub(id);
    response.status(204).end();
  });
  return router;
}
