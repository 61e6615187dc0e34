// The REST client on the fetch of Node.js.
import { fetchTransport } from "../../shared/fetch-transport.ts";
import { restOver } from "../connect-rest.ts";

export const connect = restOver(fetchTransport);
