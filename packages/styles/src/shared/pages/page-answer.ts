// The answer with a page for browsers, without external resources.
import { createHash } from "node:crypto";
import type { AnswerHeaders, WholeAnswer } from "../http/http-answer.ts";
import { textAnswer } from "../http/text-answer.ts";

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** Headers that allow the page its style sheet, and nothing else. @param script may run, and call this server; by default the page has none */
function pageHeaders(page: string, script?: string): Readonly<Record<string, string>> {
  const [, sheet = ""] = /<style>([^]*)<\/style>/.exec(page) ?? [];
  const policy = [
    "default-src 'none'",
    ...(script === undefined ? [] : [`script-src ${hashOf(script)}`]),
    `style-src ${hashOf(sheet)}`,
    ...(script === undefined ? [] : ["connect-src 'self'"]),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    "content-security-policy": policy.join("; "),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  };
}

/** @param headers in addition to those of a page @param script may run, and call this server; by default the page has none */
export function pageAnswer(page: string, headers: AnswerHeaders | undefined, script?: string): WholeAnswer {
  return textAnswer(200, "text/html; charset=utf-8", page, { ...headers, ...pageHeaders(page, script) });
}
