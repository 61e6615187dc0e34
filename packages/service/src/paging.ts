// Pages of lists (AIP-158): how long they are, and the tokens that say where the next one starts.
import { CallError } from "@roundtrip/contract";

const defaultPageSize = 50;
const maxPageSize = 1000;

/** The size of a page. @param asked 0 asks for the default */
export function pageSizeFor(asked: number): number {
  return Math.min(asked === 0 ? defaultPageSize : asked, maxPageSize);
}

const prefix = "after:";

export function pageTokenAfter(id: number): string {
  return Buffer.from(`${prefix}${id}`).toString("base64url");
}

/** The id after which the page starts; 0 for the first page. Throws INVALID_ARGUMENT for an unknown token. */
export function idBefore(token: string): number {
  if (token === "") return 0;
  const text = Buffer.from(token, "base64url").toString();
  const id = Number(text.slice(prefix.length));
  if (!text.startsWith(prefix) || !Number.isSafeInteger(id) || id < 1 || pageTokenAfter(id) !== token) {
    throw new CallError("INVALID_ARGUMENT", "page_token: not a token of this service", {
      violations: [{ field: "page_token", description: "not a token of this service", reason: "page_token" }],
    });
  }
  return id;
}
