// The connections of one client. Calls use them in turn; closing waits for calls in flight.
import * as grpc from "@grpc/grpc-js";
import { isIP } from "node:net";
import { checkServerIdentity } from "node:tls";
import { CallsInFlight } from "../../shared/calls.ts";
import { hostAndPortOf, hostPort } from "../../shared/listening.ts";
import type { ConnectOptions } from "../../basics/stack.ts";
import { type GrpcJsClientSettings, grpcJsClientSettingsWith, keepAliveOptions } from "../libraries.ts";

function credentialsFor(url: URL, ca: string | undefined): grpc.ChannelCredentials {
  if (url.protocol !== "https:") return grpc.credentials.createInsecure();
  const { host } = hostAndPortOf(url);
  return grpc.credentials.createSsl(ca === undefined ? null : Buffer.from(ca), null, null, {
    checkServerIdentity: (_serverName, certificate) => checkServerIdentity(host, certificate),
  });
}

/** Empty without compression, so that grpc-js skips it. */
function compressionOption(name: string): grpc.ChannelOptions {
  const algorithm = name as keyof typeof grpc.compressionAlgorithms;
  return name === "identity" ? {} : { "grpc.default_compression_algorithm": grpc.compressionAlgorithms[algorithm] };
}

function channelOptionsFor(url: URL, maxMessageBytes: number, set: GrpcJsClientSettings): grpc.ChannelOptions {
  return {
    "grpc.max_receive_message_length": maxMessageBytes,
    "grpc-node.flow_control_window": set.flowControlWindowBytes,
    ...keepAliveOptions(set),
    // Otherwise channels with equal options share one connection.
    "grpc.use_local_subchannel_pool": set.localSubchannelPool || set.newConnectionPerCall ? 1 : 0,
    ...compressionOption(set.requestCompression),
    // The environment and DNS must not change what is measured.
    "grpc.enable_http_proxy": 0,
    "grpc.service_config_disable_resolution": 1,
    // Disables statistics that nothing reads.
    "grpc.enable_channelz": 0,
    // grpc-js always sends a TLS server name, which must not be an IP address (RFC 6066, section 3).
    ...(isIP(hostAndPortOf(url).host) === 0 ? {} : { "grpc.ssl_target_name_override": "localhost" }),
  };
}

function opener({ url, ca, maxMessageBytes }: ConnectOptions, set: GrpcJsClientSettings): () => grpc.Client {
  const parsed = new URL(url);
  const target = `dns:${hostPort(hostAndPortOf(parsed))}`;
  const credentials = credentialsFor(parsed, ca);
  const channelOptions = channelOptionsFor(parsed, maxMessageBytes, set);
  return () => new grpc.Client(target, credentials, channelOptions);
}

/** Channels to one server. Each is one TCP connection that opens with its first call, and may serve that call only. */
export class Channels {
  /** The server's name in error messages. */
  readonly target: string;
  readonly #open: () => grpc.Client;
  /** Calls use these in turn; empty when each call has its own. */
  readonly #channels: readonly grpc.Client[];
  readonly #calls = new CallsInFlight();
  #turn = 0;

  constructor(options: ConnectOptions) {
    const set = grpcJsClientSettingsWith(options.settings);
    this.target = new URL(options.url).origin;
    this.#open = opener(options, set);
    this.#channels = Array.from({ length: set.newConnectionPerCall ? 0 : options.connections }, this.#open);
  }

  /** The channel for the next call. Call {@link end} afterwards. Throws CANCELLED once the client is closed. */
  begin(): grpc.Client {
    this.#calls.begin();
    this.#turn = this.#turn + 1 < this.#channels.length ? this.#turn + 1 : 0;
    return this.#channels[this.#turn] ?? this.#open();
  }

  end(channel: grpc.Client): void {
    if (this.#channels.length === 0) channel.close();
    this.#calls.end();
  }

  /** Refuses new calls, waits for those in flight, then closes every connection. May be called twice. */
  close(): Promise<void> {
    return this.#calls.close(() => {
      for (const channel of this.#channels) channel.close();
    });
  }
}
