// The REST client on the fetch of Node.js.
import { restClient } from "@roundtrip/styles/rest/client";
import { connectOver } from "../../../shared/connect-over.ts";
import { fetchTransport } from "../../../shared/fetch/fetch-transport.ts";

export const connect = connectOver(restClient, fetchTransport);
