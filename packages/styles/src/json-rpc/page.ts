// The page of a JSON-RPC server: the calls of the examples as curl commands.
import type { Describe } from "../shared/http/description-answer.ts";
import { html } from "../shared/pages/html.ts";
import { operationsPage, type PageContent, shellWord } from "../shared/pages/operations-page.ts";
import { openRpcPath, discoverMethod, methodName, paramsWriter, rpcPath } from "./messages.ts";
import { viewOf } from "./index.ts";

export const jsonRpcPage: Describe = (about, origin, metadata) => {
  const content: PageContent = {
    title: "JSON-RPC API",
    intro: html`<p>
      Types and rules are in <a href="${openRpcPath}">the OpenRPC document</a>, which is also the result of
      <code>${discoverMethod}</code>.
    </p>`,
    view: viewOf,
    commandsOf: (operation, request) => {
      const params = paramsWriter(about.service.contract, operation)(request);
      const call = { jsonrpc: "2.0", id: 1, method: methodName(operation), params };
      const data = shellWord(JSON.stringify(call));
      return [`curl ${shellWord(`${origin}${rpcPath}`)} -H 'content-type: application/json' \\\n  -d ${data}`];
    },
  };
  return operationsPage(about, content, metadata);
};
