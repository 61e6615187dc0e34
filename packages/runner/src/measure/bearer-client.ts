// A client that sends the bearer token in an environment variable.
import { withMetadata, type Client } from "@roundtrip/contract";

/** The client with the token sent in each call; unchanged if no variable is given, or it is empty. */
export function bearerClient(client: Client, tokenVariable: string | undefined): Client {
  const token = tokenVariable === undefined ? undefined : process.env[tokenVariable];
  if (token === undefined || token === "") return client;
  return withMetadata(client, new Map([["authorization", `Bearer ${token}`]]));
}
