// The REST client on undici.
import { restClient } from "@roundtrip/styles/rest/client";
import { connectOver } from "../../shared/calls.ts";
import { compressing } from "../../shared/compressing-client.ts";
import { undiciTransport } from "../../shared/undici/undici-transport.ts";

export const connect = connectOver(restClient, compressing(undiciTransport));
