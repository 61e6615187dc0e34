// Reads what JSON bodies of requests to the control server say, member by member.
import type { JsonValue } from "@bufbuild/protobuf";
import type { Request } from "express";
import { ControlFault } from "./control-fault.ts";

export type Body = Readonly<Record<string, JsonValue>>;

/** The body as an object whose members are known. Throws a ControlFault for anything else. */
export function bodyOf(request: Request, known: readonly string[]): Body {
  if (request.is("application/json") !== "application/json") {
    throw new ControlFault(415, "send JSON, with the content type application/json");
  }
  const body = request.body as JsonValue | undefined;
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new ControlFault(400, `send a JSON object with ${known.join(", ")}`);
  }
  const unknown = Object.keys(body).find((name) => !known.includes(name));
  if (unknown === undefined) return body;
  throw new ControlFault(400, `there is no member ${JSON.stringify(unknown)} (there are ${known.join(", ")})`);
}

/** A text that has to be there. */
export function textIn(body: Body, name: string): string {
  const value = body[name];
  if (typeof value === "string") return value;
  throw new ControlFault(400, `${name} must be a text`);
}

/** A text that may be missing. */
export function maybeTextIn(body: Body, name: string): string | undefined {
  return body[name] === undefined ? undefined : textIn(body, name);
}

/** A list that may be missing. */
export function listIn(body: Body, name: string): readonly JsonValue[] {
  const value = body[name] ?? [];
  if (Array.isArray(value)) return value;
  throw new ControlFault(400, `${name} must be a list`);
}

/** A parameter of the query, once or not at all. */
export function queryText({ query }: Request, name: string): string | undefined {
  const value = query[name];
  if (value === undefined || typeof value === "string") return value;
  throw new ControlFault(400, `give ${name} once`);
}

/** A whole number in the query. */
export function queryNumber(request: Request, name: string, least: number, most: number): number | undefined {
  const text = queryText(request, name);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least && number <= most) return number;
  throw new ControlFault(400, `${name} must be a whole number, ${least} to ${most}`);
}
