// The GraphQL server on Apollo Server and Express.
import { httpServerBinding } from "../../../shared/http-settings.ts";

export const server = httpServerBinding("@apollo/server", "@as-integrations/express5", "express");
