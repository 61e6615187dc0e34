// Text that hardly compresses and that no style escapes: its characters are letters, digits, `+` and `/`.
import { createHash } from "node:crypto";

/** Returns the same text in every run. */
export function incompressibleText(bytes: number): string {
  return createHash("shake256", { outputLength: bytes }).update("roundtrip").digest("base64").slice(0, bytes);
}
