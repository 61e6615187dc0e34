// Bytes that no GraphQL client sends.
import type { ProtocolMisuse } from "@roundtrip/contract/conformance";
import { httpMisuses, httpRespelled, withText } from "../shared/http/http-misuse.ts";
import { graphqlClient } from "./client/graphql-client.ts";

export const misuses: ProtocolMisuse = {
  protocol: "graphql",
  respelled: httpRespelled(graphqlClient),
  // The first name in the operation's braces is the field that it asks for.
  exchanges: httpMisuses(graphqlClient, (request) => withText(request, (text) => text.replace(/\{ \w+/, "{ nonsense"))),
};
