// Serves a contract as REST on Fastify.
import { FastifyApplication } from "../../shared/servers/fastify.ts";
import { restBy } from "../serve-rest.ts";

export const serve = restBy((rest, options, coding) => new FastifyApplication(options).serve(rest, coding));
