// The pages of a server for browsers. Loaded on first use, so that they cost nothing otherwise.
import type { Contract, ExampleOf } from "@roundtrip/contract";
import type { AnswerHeaders, WholeAnswer } from "../../shared/http/http-answer.ts";
import { textAnswer } from "../../shared/http/text-answer.ts";
import { pageAnswer } from "../../shared/pages/page-answer.ts";
import type { RestDialect } from "../dialects/dialect.ts";
import { openApi, openApiDocument } from "../openapi/openapi.ts";
import { apiPage } from "./api-page.ts";
import { exampleCommands } from "./example-commands.ts";

export interface PageRequest {
  readonly path: string;
  /** The address of the API, for example `https://example.org:8443`. */
  readonly origin: string;
  readonly dialect: RestDialect;
  readonly exampleOf: ExampleOf;
}

/** The page or document at a path. @param metadata of the answer, as headers */
export function descriptionAt(
  contract: Contract,
  { path, origin, dialect, exampleOf }: PageRequest,
  metadata: AnswerHeaders | undefined,
): WholeAnswer {
  if (path === "/docs") {
    const commands = exampleCommands(contract, origin, exampleOf);
    return pageAnswer(apiPage(openApiDocument(contract, dialect), origin, commands), metadata);
  }
  const headers = { ...metadata, "x-content-type-options": "nosniff" };
  return textAnswer(200, "application/yaml; charset=utf-8", openApi(contract, dialect), headers);
}
