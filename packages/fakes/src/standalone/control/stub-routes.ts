// The stubs of a fake, over HTTP, in the form of stub files: whoever edits one sees at once what is wrong with it.
import { Router, type Request } from "express";
import { parseStubs } from "../../stubs/read-stubs.ts";
import { writeStubs } from "../../stubs/write-stubs.ts";
import type { Stub } from "../../stubs/stub.ts";
import type { StandaloneFake } from "../standalone-fake.ts";
import type { ShelvedStub } from "../stub-shelf.ts";
import { bodyOf, listIn, maybeTextIn, textIn } from "./body.ts";
import { ControlFault } from "./control-fault.ts";
import { stubOfCall } from "./stub-of-call.ts";

/** What the text is called in messages about it. */
const textName = "stub";

function listed({ id, stub, origin, isChanged }: ShelvedStub): object {
  return { id, operation: stub.operation, origin, isChanged, text: writeStubs([stub]) };
}

function noStub(id: string): ControlFault {
  return new ControlFault(404, `there is no stub ${id}`);
}

/**
 * `GET /stubs` gives them in the order in which they are asked; `POST /stubs` puts the stubs of `{ "text": … }` before all others, `PUT` and
 * `DELETE /stubs/ID` change and remove one. `POST /stubs/check` only looks at a text, and `POST /stubs/from-call` writes one that answers as a
 * call was answered, which it is given as `/calls` and `/send` have it.
 */
export function stubRoutes({ fake, stubs }: StandaloneFake): Router {
  const router = Router();
  const stubsIn = (request: Request): readonly Stub[] => {
    const found = parseStubs(textIn(bodyOf(request, ["text"]), "text"), textName, fake.contract);
    if (found.length === 0) throw new ControlFault(400, "there is no stub in the text");
    return found;
  };
  router.get("/stubs", (_request, response) => void response.json(stubs.all.map(listed)));
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
    response.status(201).json(stubs.add(stubsIn(request)).map(listed));
  });
  router.put("/stubs/:id", (request, response) => {
    const { id } = request.params;
    const [stub, ...others] = stubsIn(request);
    if (stub === undefined || others.length > 0)
      throw new ControlFault(400, "write one stub; add others by POST /stubs");
    const changed = stubs.change(id, stub);
    if (changed === undefined) throw noStub(id);
    response.json(listed(changed));
  });
  router.delete("/stubs/:id", (request, response) => {
    const { id } = request.params;
    if (!stubs.remove(id)) throw noStub(id);
    response.status(204).end();
  });
  return router;
}
