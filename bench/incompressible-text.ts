// Text that cannot be compressed much, and that no style has to write in another way: its characters are letters, digits, `+` and `/`.
import { createHash } from "node:crypto";

/** The same text in every run. */
export function incompressibleText(bytes: number): string {
  return createHash("shake256", { outputLength: bytes }).update("roundtrip").digest("base64").slice(0, bytes);
}
