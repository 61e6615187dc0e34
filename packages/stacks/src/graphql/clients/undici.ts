// The GraphQL client on undici.
import { graphqlClient } from "@roundtrip/styles/graphql/client";
import { connectOver } from "../../shared/calls.ts";
import { compressing } from "../../shared/compressing-client.ts";
import { undiciTransport } from "../../shared/undici/undici-transport.ts";

export const connect = connectOver(graphqlClient, compressing(undiciTransport));
