// The page of a JSON-RPC server: the calls of the examples as curl commands.
import type { Contract, ExampleOf } from "@roundtrip/contract";
import type { AnswerHeaders, WholeAnswer } from "../shared/http/http-service.ts";
import { html } from "../shared/pages/html.ts";
import { operationsPage, shellWord } from "../shared/pages/operations-page.ts";
import { openRpcPath, discoverMethod, methodName, paramsWriter } from "./messages.ts";
import { viewOf } from "./index.ts";

/** @param location the address for calls @param headers of the answer, besides those of a page */
export function jsonRpcPage(
  contract: Contract,
  location: string,
  exampleOf: ExampleOf,
  headers: AnswerHeaders | undefined,
): WholeAnswer {
  const content = {
    title: "JSON-RPC API",
    intro: html`<p>
      Types and rules are in <a href="${openRpcPath}">the OpenRPC document</a>, which is also the result of
      <code>${discoverMethod}</code>.
    </p>`,
    view: viewOf,
    commandsOf: (operation, request) => {
      const params = paramsWriter(contract, operation)(request);
      const call = { jsonrpc: "2.0", id: 1, method: methodName(operation), params };
      const data = shellWord(JSON.stringify(call));
      return [`curl ${shellWord(location)} -H 'content-type: application/json' \\\n  -d ${data}`];
    },
  } satisfies Parameters<typeof operationsPage>[2];
  return operationsPage(contract, exampleOf, content, headers);
}
