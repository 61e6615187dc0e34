// Page tokens. They contain the last id of the previous page and are opaque to callers.
import { CallError } from "@roundtrip/contract";

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
