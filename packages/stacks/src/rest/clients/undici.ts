// The REST client on undici.
import { undiciTransport } from "../../shared/undici/undici-transport.ts";
import { restOver } from "../connect-rest.ts";

export const connect = restOver(undiciTransport);
