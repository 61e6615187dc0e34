// Page tokens: opaque to callers, to us the position in a list after which to go on, and for which list it was given out.
import { crc32 } from "node:zlib";
import { invalid } from "./resource-errors.ts";
import type { Entry } from "./resource-store.ts";

export type PagePosition = Pick<Entry, "order" | "sequence">;

function tokenText({ order, sequence }: PagePosition, list: string): string {
  const position = `${order}:${sequence}`;
  return `${position}:${crc32(`${position} ${list}`).toString(36)}`;
}

/** @param list what the list is of: a token is good for no other. */
export function pageTokenAfter(position: PagePosition, list: string): string {
  return Buffer.from(tokenText(position, list)).toString("base64url");
}

/** Undefined for the first page. Throws INVALID_ARGUMENT for a token that was never given out for this list. */
export function positionBefore(token: string, list: string, fieldName: string): PagePosition | undefined {
  if (token === "") return undefined;
  const [order = "", sequence = ""] = Buffer.from(token, "base64url").toString().split(":");
  const position = { order: Number(order), sequence: Number(sequence) };
  if (pageTokenAfter(position, list) !== token) throw invalid(fieldName, "not a token of this service");
  return position;
}
