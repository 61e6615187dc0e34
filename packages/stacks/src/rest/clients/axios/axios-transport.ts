// HTTP/1.1 with axios, on its adapter for node:http.
import { create } from "axios";
import type { HttpTransport } from "@roundtrip/styles/http/client";
import type { ConnectOptions } from "../../../basics/stack.ts";
import { callsAndStreams } from "../../../shared/calls-and-streams.ts";
import { undiciSettingsWith } from "../../../shared/undici/undici-settings.ts";
import { AxiosExchange, type AxiosLane } from "./axios-exchange.ts";
import { type AgentOptions, openAgent } from "../../../shared/undici/open-agent.ts";

function laneOf(url: URL, maxMessageBytes: number, options: AgentOptions): HttpTransport {
  const agent = openAgent(url, options);
  const lane: AxiosLane = {
    axios: create({
      adapter: "http",
      httpAgent: agent,
      httpsAgent: agent,
      proxy: false,
      decompress: false,
      // The style has written the body, and every status is an answer.
      transformRequest: [],
      validateStatus: null,
      headers: {
        // axios would ask for compressed answers, and call a request without a body a form.
        "Accept-Encoding": false,
        "Content-Type": false,
        ...(options.newConnectionPerCall ? { Connection: "close" } : {}),
      },
    }),
    origin: url.origin,
    maxMessageBytes,
    exchanges: new Set(),
    whenIdle: () => {},
  };
  return {
    send: (request) => new AxiosExchange(lane, request).whole(request),
    stream: (request) => new AxiosExchange(lane, request).stream(request),
    close: async () => {
      if (lane.exchanges.size > 0) await new Promise<void>((resolve) => (lane.whenIdle = resolve));
      agent.destroy();
    },
  };
}

/** Connects to the server at `url` (its origin; the path is ignored) with the first call. */
export function axiosTransport({ url, ca, connections, maxMessageBytes, settings }: ConnectOptions): HttpTransport {
  const set = undiciSettingsWith(settings);
  return callsAndStreams(connections, (most) =>
    laneOf(new URL(url), maxMessageBytes, { ...set, ca, connections: most }),
  );
}
