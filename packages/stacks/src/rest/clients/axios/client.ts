// The REST client on axios.
import { restClient } from "@roundtrip/styles/rest/client";
import { connectOver } from "../../../shared/connect-over.ts";
import { axiosTransport } from "./axios-transport.ts";

export const connect = connectOver(restClient, axiosTransport);
