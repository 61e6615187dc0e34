// Serves a contract as REST on node:http, without a library.
import { onNode } from "../../shared/node-server/serve-service.ts";
import { restBy } from "../serve-rest.ts";

export const serve = restBy(onNode);
