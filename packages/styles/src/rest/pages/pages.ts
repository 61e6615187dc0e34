// The pages of a server for browsers. Loaded on first use, so that they cost nothing otherwise.
import type { Contract, ExampleOf } from "@roundtrip/contract";
import { createHash } from "node:crypto";
import type { AnswerHeaders, WholeAnswer } from "../../shared/http/http-answer.ts";
import { textAnswer } from "../../shared/http/text-answer.ts";
import type { RestDialect } from "../dialects/dialect.ts";
import { openApi, openApiDocument } from "../openapi/openapi.ts";
import { apiPage } from "./api-page.ts";
import { exampleCommands } from "./example-commands.ts";
import { style } from "../../shared/pages/style.ts";

const styleHash = createHash("sha256").update(style).digest("base64");

const headers = {
  "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
} as const;

export interface PageRequest {
  readonly path: string;
  /** The address of the API, for example `https://example.org:8443`. */
  readonly origin: string;
  readonly dialect: RestDialect;
  readonly exampleOf: ExampleOf;
}

/** The page at a path. @param metadata of the answer, as headers */
export function pageAnswer(
  contract: Contract,
  { path, origin, dialect, exampleOf }: PageRequest,
  metadata: AnswerHeaders | undefined,
): WholeAnswer {
  const isPage = path === "/docs";
  const text = isPage
    ? apiPage(openApiDocument(contract, dialect), origin, exampleCommands(contract, origin, exampleOf))
    : openApi(contract, dialect);
  const type = isPage ? "text/html; charset=utf-8" : "application/yaml; charset=utf-8";
  return textAnswer(200, type, text, { ...metadata, ...headers });
}
