// The stubs of a fake over HTTP, in the form of stub files, with errors for editors; and stubs that repeat the answer to a call.
import { type DescMessage, fromJson, type JsonValue, type Message, toJson } from "@bufbuild/protobuf";
import { hasOwnJson, type Contract, isObject } from "@roundtrip/contract";
import { redactedText } from "../../basics/masked-copy.ts";
import { operationNamed } from "../../basics/names.ts";
import { isRedacted, redacting } from "../../basics/redacted.ts";
import { checked } from "../../files/checked.ts";
import { answerOf } from "../../recording/recording.ts";
import { stubWarnings } from "../../stubs/broken-rules.ts";
import { compileStub } from "../../stubs/compiled-stub.ts";
import { parseStubs, writeStubs } from "../../stubs/read-stubs.ts";
import { callErrorOf, errorSchema } from "../../files/written-error.ts";
import { type Stub, stubSchemas } from "../../stubs/stub-schema.ts";
import type { ListedStub } from "../listed-stubs.ts";
import type { StandaloneFake } from "../standalone-fake.ts";
import { bodyOf, ControlError, documentIn, listIn, maybeTextIn, queryOf, textIn } from "./control-error.ts";
import { otherMethods } from "./other-methods.ts";
import { type Request, Router } from "express";

/** A call in the form of `/calls` and `/send`. */
export interface CallToRepeat {
  readonly operation: string;
  /** In ProtoJSON, as the other messages. For a stream, stubs match the first. */
  readonly requests: readonly JsonValue[];
  readonly responses: readonly JsonValue[];
  readonly outcome: string;
  readonly message: string;
  readonly details: JsonValue;
}

/** Throws a ControlError if the JSON is not of this type. */
function messageOf(type: DescMessage, json: JsonValue, { registry }: Contract): Message {
  try {
    return fromJson(type, json, { registry });
  } catch (cause) {
    throw new ControlError(400, `not a ${type.typeName}: ${(cause as Error).message}`, { cause });
  }
}

/** Removes masked values, which cannot be matched. */
function withoutMasked(json: JsonValue): JsonValue {
  if (Array.isArray(json)) return json.map(withoutMasked);
  if (!isObject(json)) return json;
  const kept = Object.entries(json).filter(([, value]) => value !== redactedText);
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutMasked(value)]));
}

/**
 * The condition of a stub for this request. Zero values at the top level are included, so that an empty request does not match everything; unset
 * fields are not, because GraphQL sends a mask where other styles send none.
 */
function asked(type: DescMessage, request: JsonValue, contract: Contract): JsonValue {
  const { registry } = contract;
  const masked = redacting.copyOf(type, messageOf(type, request, contract), registry);
  const set = toJson(type, masked, { registry });
  const all = toJson(type, masked, { registry, alwaysEmitImplicit: true });
  if (hasOwnJson(type) || !isObject(set) || !isObject(all)) return withoutMasked(set);
  const members = type.fields
    .filter((field) => !isRedacted(field))
    .flatMap(({ jsonName, fieldKind }): readonly (readonly [string, JsonValue])[] => {
      const value = set[jsonName] ?? (fieldKind === "scalar" || fieldKind === "enum" ? all[jsonName] : undefined);
      return value === undefined ? [] : [[jsonName, value]];
    });
  return withoutMasked(Object.fromEntries(members));
}

/** Throws a ControlError, a FakeError or a CallError for a call that this contract does not allow. */
export function stubOfCall(contract: Contract, call: CallToRepeat): Stub {
  const operation = operationNamed(contract, call.operation);
  const [first] = call.requests;
  const when = first === undefined ? {} : asked(operation.input, first, contract);
  const { outcome, message, details } = call;
  const error =
    outcome === "OK" ? undefined : callErrorOf(checked(errorSchema(), { code: outcome, message, details }, ["error"]));
  const responses = call.responses.map((response) => messageOf(operation.output, response, contract));
  const answer = answerOf(operation, { responses, error }, contract.registry, redacting);
  const stub = checked(stubSchemas().stub, { operation: operation.id, when, ...answer }, []);
  compileStub(contract, stub, []);
  return stub;
}

/** The name of the text in error messages. */
const textName = "stub";

/** @param contract what the stub is checked against */
function listed({ id, stub, origin, isChanged, session }: ListedStub, contract: Contract): object {
  const warnings = stubWarnings(contract, [stub]);
  return { id, operation: stub.operation, origin, isChanged, text: writeStubs([stub]), session, warnings };
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
    const text = documentIn(bodyOf(request, ["text", "session"]), "text", textName);
    const found = parseStubs(text, textName, fake.contract);
    if (found.length === 0) throw new ControlError(400, "the text contains no stub");
    return found;
  };
  router
    .route("/stubs")
    .get((request, response) => {
      queryOf(request);
      response.json(stubs.all.map((stub) => listed(stub, fake.contract)));
    })
    .post((request, response) => {
      const added = stubsIn(request);
      const session = maybeTextIn(bodyOf(request, ["text", "session"]), "session");
      response.status(201).json(stubs.add(added, session).map((stub) => listed(stub, fake.contract)));
    })
    .all(otherMethods);
  router
    .route("/stubs/check")
    .post((request, response) => {
      const found = stubsIn(request);
      response.json({ stubs: found.length, warnings: stubWarnings(fake.contract, found) });
    })
    .all(otherMethods);
  router
    .route("/stubs/from-call")
    .post((request, response) => {
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
    })
    .all(otherMethods);
  router
    .route("/stubs/:id")
    .put((request, response) => {
      const { id } = request.params;
      const [stub, ...others] = stubsIn(request);
      if (stub === undefined || others.length > 0)
        throw new ControlError(400, "write one stub; add others by POST /stubs");
      const changed = stubs.change(id, stub);
      if (changed === undefined) throw unknownStub(id);
      response.json(listed(changed, fake.contract));
    })
    .delete((request, response) => {
      queryOf(request);
      const { id } = request.params;
      if (!stubs.remove(id)) throw unknownStub(id);
      response.status(204).end();
    })
    .all(otherMethods);
  return router;
}
