// GraphQL called by undici.
import { undiciTransport } from "../http/undici/undici-transport.ts";
import type { Connect } from "../stack.ts";
import { graphqlClient } from "./client/graphql-client.ts";

/** Connects with the first call. */
// oxlint-disable-next-line require-await -- what cannot be called rejects
export const connect: Connect = async (contract, options) => graphqlClient(undiciTransport(options), contract, options);
