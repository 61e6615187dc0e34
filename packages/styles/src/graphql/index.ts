// GraphQL: a schema made from the contract, at one path.
import type { PlainSetting } from "@roundtrip/contract";
import type { Limitation, Style } from "../basics/style.ts";
import { viewOf } from "./view.ts";

export const graphqlPath = "/graphql";

export const sdlPath = `${graphqlPath}/schema.graphql`;

/** The media type of one result, beside application/json. Its status codes report GraphQL errors too. */
export const graphqlResponseType = "application/graphql-response+json";

export const eventStreamType = "text/event-stream";

const onlyOne = "a GraphQL request is one document with its variables; no further message can follow it";

export const limitations = [
  { feature: "clientStream", reason: onlyOne },
  { feature: "bidiStream", reason: onlyOne },
] as const satisfies readonly Limitation[];

export const graphqlSettings = [
  {
    name: "edges",
    meaning: "whether the schema has fields for what references refer to, and for Lists in their parents",
    default: true,
    values: [true, false],
  },
  {
    name: "edgeLoads",
    meaning: "how a document's edges are read: in batches, each key once, or each edge by a call of its own",
    default: "batched",
    values: ["batched", "once", "each"],
  },
] as const satisfies readonly PlainSetting[];

export const style: Style = {
  name: "graphql",
  title: "GraphQL",
  role: "style",
  libraries: ["graphql", "dataloader", "@bufbuild/protobuf"],
  limitations,
  serverSettings: graphqlSettings,
  deviations: [
    ...["RT-0406", "RT-0409", "RT-1706"].map((caseId) => ({
      caseId,
      reason: "graphql-js itself refuses a request without a required value, and names it in its message only",
    })),
    { caseId: "RT-0155", reason: "a GraphQL enum has only the values in its schema" },
    { caseId: "RT-0182", reason: "a GraphQL query must name each level" },
    { caseId: "RT-0194", reason: "a GraphQL answer has null for both null and absent values" },
    {
      caseId: "RT-1603",
      reason: "signed 32-bit integers are GraphQL's own Int, which accepts numbers only",
    },
  ],
  // The schema lacks the field, or has no subscriptions.
  missingOperationReasons: ["GRAPHQL_VALIDATION_FAILED", "BAD_REQUEST"],
  autocannon: true,
  k6: { module: "http", message: ["data", "*"], error: ["errors", "0"], codes: [["extensions", "code"]] },
  // The smallest query. With GraphQL's own media type, the status reports errors too.
  endpoint: graphqlPath,
  health: {
    protocol: "http",
    path: "/graphql?query=%7B__typename%7D",
    headers: { Accept: "application/graphql-response+json" },
  },
  documentPaths: [graphqlPath, sdlPath],
  inspection: { kind: "page", title: "GraphQL page", path: "" },
  view: viewOf,
  async documents(contract) {
    const { sdlOf } = await import("./schema/schema.ts");
    return [{ fileName: "schema.graphql", text: sdlOf(contract) }];
  },
};
