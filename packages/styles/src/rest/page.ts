// The page of a REST server: the requests of the examples as curl commands, one for each binding.
import type { Message } from "@bufbuild/protobuf";
import type { Contract, HttpBinding, Operation } from "@roundtrip/contract";
import type { Describe } from "../shared/http/description-answer.ts";
import { html } from "../shared/pages/html.ts";
import { operationsPage, shellWord } from "../shared/pages/operations-page.ts";
import { requestWriter } from "./requests/request-writer.ts";
import { linesType } from "./streams/lines.ts";
import { viewOf } from "./view.ts";

function commandOf(
  contract: Contract,
  operation: Operation,
  binding: HttpBinding,
  origin: string,
  request: Message,
): string {
  const { kind } = operation;
  const { method } = binding;
  const { url, body, type: bodyType } = requestWriter(contract, operation, binding)(request);
  const verb = method === "GET" && body === undefined ? "" : ` -X ${method}`;
  const type = kind === "client_streaming" && typeof body === "string" ? linesType : (bodyType ?? "");
  const sent = typeof body === "string" ? `-d ${shellWord(body)}` : "--data-binary @FILE";
  const data = body === undefined ? "" : ` \\\n  -H ${shellWord(`content-type: ${type}`)} ${sent}`;
  return `curl${verb}${kind === "server_streaming" ? " -N" : ""} ${shellWord(origin + url)}${data}`;
}

export const restPage: Describe = (about, origin, metadata) => {
  const intro = html`<p>Types and rules are in <a href="/openapi.yaml">the OpenAPI document</a>.</p>`;
  const commandsOf = (operation: Operation, request: Message): readonly string[] => {
    if (operation.kind === "bidi_streaming") return [];
    return operation.bindings.map((binding) => commandOf(about.service.contract, operation, binding, origin, request));
  };
  return operationsPage(about, { title: "REST API", intro, view: viewOf, commandsOf }, metadata);
};
