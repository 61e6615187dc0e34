// The GraphQL client on graphql-request.
import { graphqlClientOn } from "@roundtrip/styles/graphql/client";
import { connectOver } from "../../../shared/connect-over.ts";
import { graphqlRequestTransport } from "./graphql-request-transport.ts";

export const connect = connectOver(graphqlClientOn, graphqlRequestTransport);
