// The GraphQL server on graphql-http, the reference implementation of GraphQL over HTTP, and node:http.
import { httpServerBinding } from "../../../shared/http-settings.ts";

export const server = httpServerBinding("graphql-http");
