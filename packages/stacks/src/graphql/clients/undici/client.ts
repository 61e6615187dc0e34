// GraphQL called by undici.
import { undiciTransport } from "../../../shared/undici/undici-transport.ts";
import type { Connect } from "../../../basics/stack.ts";
import { graphqlClient } from "@roundtrip/styles/graphql/client";

/** Connects with the first call. */
// oxlint-disable-next-line require-await -- what cannot be called rejects
export const connect: Connect = async (contract, options) => graphqlClient(undiciTransport(options), contract, options);
