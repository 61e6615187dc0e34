// Headers of a page without scripts and external resources.
import { createHash } from "node:crypto";

/** Headers that allow the page its style sheet, and nothing else. */
export function pageHeaders(page: string): Readonly<Record<string, string>> {
  const [, sheet = ""] = /<style>([^]*)<\/style>/.exec(page) ?? [];
  const hash = createHash("sha256").update(sheet).digest("base64");
  return {
    "content-security-policy": `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  };
}
