// The REST client on the fetch of Node.js.
import { restClient } from "@roundtrip/styles/rest/client";
import { connectOver } from "../../shared/calls.ts";
import { compressing } from "../../shared/compressing-client.ts";
import { fetchTransport } from "../../shared/fetch-transport.ts";

export const connect = connectOver(restClient, compressing(fetchTransport));
