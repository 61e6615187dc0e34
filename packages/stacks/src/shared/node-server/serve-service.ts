// Serves a service over HTTP/1.1: REST, JSON-RPC, SOAP and GraphQL on every server library.
import type { Service } from "@roundtrip/contract";
import type { HttpService, RoutedService, WriteFaultBody } from "@roundtrip/styles/http/server";
import type { RequestListener } from "node:http";
import type { Serve, ServeOptions } from "../../basics/stack.ts";
import { httpServerSettings, responseCompression, splitSettings } from "../settings.ts";
import { nodeListener, writerOf } from "./http-listener.ts";
import { serveHttp, type TakeUpgrade } from "./http-server.ts";
import { decodedBytes } from "./request-body.ts";

export interface Application {
  readonly listener: RequestListener;
  /** Ends the library after the last answer. */
  readonly close?: () => Promise<unknown>;
}

/** Connects a library with a service. Throws or rejects for what it cannot serve. */
export type Connect = (
  service: RoutedService,
  options: ServeOptions,
  /** The content coding of answers to callers that accept it, or `identity`. */
  coding: string,
) => Application | Promise<Application>;

/** Without a library, on node:http. */
export const onNode: Connect = (service, options, coding) => ({
  listener: nodeListener(service, decodedBytes(options.maxMessageBytes), options, writerOf(coding)),
});

/** The same service, whose routes are watched too. */
function watched(service: OpenedService["http"], { watch }: ServeOptions): RoutedService {
  const { plainRoutes = [] } = service;
  if (watch === undefined) return { ...service, plainRoutes };
  return {
    ...watch.overHttp(service),
    plainRoutes: plainRoutes.map((route) => ({ ...route, ...watch.overHttp(route) })),
  };
}

export interface ServedStyle {
  /** The path of its endpoint, which the returned address includes; empty without one. */
  readonly path: string;
  readonly writeFault: WriteFaultBody;
}

export interface OpenedService {
  readonly http: HttpService & Partial<RoutedService>;
  /** Node.js itself if undefined. */
  readonly connect?: Connect | undefined;
  /** Takes WebSockets; undefined for styles without them. */
  readonly sockets?: SocketServer | undefined;
  /** Called after the last answer. */
  readonly close?: (() => Promise<unknown>) | undefined;
}

export interface SocketServer {
  readonly open: TakeUpgrade;
  /** Ends all connections. @param isReplaced whether clients may connect again */
  end(isReplaced: boolean): void;
}

/** The settings of every service over HTTP. Which codings a library has, its binding declares. */
export const servedSettings = [...httpServerSettings, responseCompression] as const;

/** @param open serves a service over HTTP as a value. Throws or rejects for what cannot be served. */
export function serveBy(
  { path, writeFault }: ServedStyle,
  open: (service: Service, options: ServeOptions) => OpenedService | Promise<OpenedService>,
): Serve {
  return async (service, given) => {
    const { own, others } = splitSettings([responseCompression], httpServerSettings, given.settings);
    const options = { ...given, settings: others };
    let sockets: SocketServer | undefined;
    const connected = async (served: Service): Promise<Required<Application>> => {
      const { http, connect = onNode, close: closeOpened, sockets: openedSockets } = await open(served, options);
      const { listener, close } = await connect(watched(http, options), options, own.responseCompression);
      sockets?.end(true);
      sockets = openedSockets;
      return {
        listener,
        async close() {
          await close?.();
          await closeOpened?.();
        },
      };
    };
    const first = await connected(service);
    const applications = [first];
    const openSocket: TakeUpgrade = (request, socket, head) => sockets?.open(request, socket, head) ?? false;
    const http = await serveHttp(first.listener, options, writeFault, sockets && openSocket);
    return {
      url: `${http.url}${path}`,
      async replace(next) {
        const application = await connected(next);
        // The earlier ones keep running until all are closed, because their requests may still be read.
        applications.push(application);
        http.replace(application.listener);
      },
      async close() {
        sockets?.end(false);
        await http.close();
        await Promise.all(applications.map((application) => application.close()));
      },
    };
  };
}
