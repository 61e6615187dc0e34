// Serves a contract as REST on Express.
import { onExpress } from "../../shared/servers/express.ts";
import { restBy } from "../serve-rest.ts";

export const serve = restBy(onExpress);
