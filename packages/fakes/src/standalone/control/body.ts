// Reads the members of JSON request bodies, and query parameters, for the control server.
import type { JsonValue } from "@bufbuild/protobuf";
import type { Request } from "express";
import { ControlError } from "./control-error.ts";

export type Body = Readonly<Record<string, JsonValue>>;

/** The body as an object with known members only. Throws a ControlError otherwise. */
export function bodyOf(request: Request, known: readonly string[]): Body {
  if (request.is("application/json") !== "application/json") {
    throw new ControlError(415, "send JSON, with the content type application/json");
  }
  const body = request.body as JsonValue | undefined;
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new ControlError(400, `send a JSON object with ${known.join(", ")}`);
  }
  const unknown = Object.keys(body).find((name) => !known.includes(name));
  if (unknown === undefined) return body;
  throw new ControlError(400, `unknown member ${JSON.stringify(unknown)} (valid: ${known.join(", ")})`);
}

export function textIn(body: Body, name: string): string {
  const value = body[name];
  if (typeof value === "string") return value;
  throw new ControlError(400, `${name} must be a string`);
}

export function maybeTextIn(body: Body, name: string): string | undefined {
  return body[name] === undefined ? undefined : textIn(body, name);
}

export function listIn(body: Body, name: string): readonly JsonValue[] {
  const value = body[name] ?? [];
  if (Array.isArray(value)) return value;
  throw new ControlError(400, `${name} must be a list`);
}

/** A query parameter that is given at most once. */
export function queryText({ query }: Request, name: string): string | undefined {
  const value = query[name];
  if (value === undefined || typeof value === "string") return value;
  throw new ControlError(400, `give ${name} once`);
}

export function queryNumber(request: Request, name: string, least: number, most: number): number | undefined {
  const text = queryText(request, name);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least && number <= most) return number;
  throw new ControlError(400, `${name} must be a whole number, ${least} to ${most}`);
}
