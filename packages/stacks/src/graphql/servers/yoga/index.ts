// The GraphQL server on GraphQL Yoga and node:http.
import { httpServerBinding } from "../../../shared/http-settings.ts";

export const server = httpServerBinding("graphql-yoga");
