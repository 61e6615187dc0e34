// The page of a GraphQL server: each operation's document, which selects everything, and the variables of the example as a curl command.
import type { GraphQLSchema } from "graphql";
import type { Describe } from "../shared/http/description-answer.ts";
import { html } from "../shared/pages/html.ts";
import { operationsPage, type PageContent, shellWord } from "../shared/pages/operations-page.ts";
import { documentCallOf } from "./documents/call.ts";
import { eventStreamType, graphqlPath } from "./index.ts";
import { graphqlModel } from "./schema/model.ts";
import { sdlOfSchema } from "./schema/schema.ts";
import { codecsOf } from "./values/codec.ts";
import { viewOf } from "./view.ts";

/** The answer to a GET without a query. */
export function graphqlPage(
  schema: GraphQLSchema,
  ...[about, origin, metadata]: Parameters<Describe>
): ReturnType<Describe> {
  const model = graphqlModel(about.service.contract);
  const codecOf = codecsOf(model);
  const location = `${origin}${graphqlPath}`;
  const content: PageContent = {
    title: "GraphQL API",
    intro: html`<p>Queries and mutations are sent to <code>${location}</code>.</p>
      <details id="schema">
        <summary>Schema</summary>
        <div><pre>${sdlOfSchema(schema)}</pre></div>
      </details>`,
    view: viewOf,
    commandsOf: ({ id, input, output }, request) => {
      const root = model.rootOf.get(id);
      if (root === undefined) return [];
      const call = documentCallOf(root, model, { input: codecOf(input), output: codecOf(output) }, undefined);
      const { text, fragments } = call.selection(request);
      const definitions = call.variableDefinitions === "" ? "" : `(${call.variableDefinitions})`;
      const query = `${root.root} ${root.name}${definitions} { ${text} }${fragments}`;
      const body = shellWord(JSON.stringify({ query, variables: call.variables(request) }, null, 2));
      const stream = root.root === "subscription" ? ` -N -H 'accept: ${eventStreamType}'` : "";
      return [`curl ${shellWord(location)}${stream} -H 'content-type: application/json' \\\n  -d ${body}`];
    },
  };
  return operationsPage(about, content, { ...metadata, vary: "accept" });
}
