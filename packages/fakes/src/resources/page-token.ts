// Page tokens: opaque to callers. They contain the last position on a page and identify the list.
import { crc32 } from "node:zlib";
import { invalid } from "./resource-errors.ts";
import type { Entry } from "./resource-store.ts";

export type PagePosition = Pick<Entry, "order" | "sequence">;

function tokenText({ order, sequence }: PagePosition, list: string): string {
  const position = `${order}:${sequence}`;
  return `${position}:${crc32(`${position} ${list}`).toString(36)}`;
}

/** @param list identifies the list: a token is valid for no other */
export function pageTokenAfter(position: PagePosition, list: string): string {
  return Buffer.from(tokenText(position, list)).toString("base64url");
}

/** Undefined for the first page. Throws INVALID_ARGUMENT for a token of another list or service. */
export function positionBefore(token: string, list: string, fieldName: string): PagePosition | undefined {
  if (token === "") return undefined;
  const [order = "", sequence = ""] = Buffer.from(token, "base64url").toString().split(":");
  const position = { order: Number(order), sequence: Number(sequence) };
  if (pageTokenAfter(position, list) !== token) throw invalid(fieldName, "not a token of this service");
  return position;
}
