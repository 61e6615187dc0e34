// Serves Connect and gRPC-Web to browsers. Connect's library is loaded with the first request, because most fakes get none.
import type { Service } from "@roundtrip/contract";
import type { Serve, ServeOptions } from "@roundtrip/stacks";
import { serveHttp, watchedServe } from "@roundtrip/stacks/parts";
import type { RequestListener } from "node:http";

function listenerOf(service: Service, options: ServeOptions): RequestListener {
  let loading: Promise<RequestListener> | undefined;
  return (request, response) => {
    loading ??= import("./connect-listener.ts").then(({ connectListener }) => connectListener(service, options));
    void loading.then((listener) => listener(request, response));
  };
}

/** Serves over HTTP/1.1; see `connect-listener.ts`. */
export const serveConnect: Serve = watchedServe(async (service, options) => {
  const http = await serveHttp(listenerOf(service, options), options);
  return {
    ...http,
    // oxlint-disable-next-line require-await -- as with every style
    replace: async (next) => http.replace(listenerOf(next, options)),
  };
});
