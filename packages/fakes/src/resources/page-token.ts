// Page tokens: opaque to callers, to us the place in a list after which to go on, and for which list it was given out.
import { crc32 } from "node:zlib";
import { invalid } from "./resource-errors.ts";
import type { Entry } from "./resource-store.ts";

export type Place = Pick<Entry, "order" | "sequence">;

function tokenText({ order, sequence }: Place, list: string): string {
  const place = `${order}:${sequence}`;
  return `${place}:${crc32(`${place} ${list}`).toString(36)}`;
}

/** @param list what the list is of: a token is good for no other. */
export function pageTokenAfter(place: Place, list: string): string {
  return Buffer.from(tokenText(place, list)).toString("base64url");
}

/** Undefined for the first page. Throws INVALID_ARGUMENT for a token that was never given out for this list. */
export function placeBefore(token: string, list: string, fieldName: string): Place | undefined {
  if (token === "") return undefined;
  const [order = "", sequence = ""] = Buffer.from(token, "base64url").toString().split(":");
  const place = { order: Number(order), sequence: Number(sequence) };
  if (pageTokenAfter(place, list) !== token) throw invalid(fieldName, "not a token of this service");
  return place;
}
