// A fake as handlers of msw: components under test call it with fetch, without a port.
import { type FetchHandler, fetchHandler } from "@roundtrip/stacks/fetch";
import type { Service } from "@roundtrip/contract";
import { http, type HttpHandler } from "msw";
import { stackWatch } from "./fake/serve-fake.ts";
import type { StartedFake } from "./fake/start-fake.ts";

/**
 * Answers requests below a URL: REST at the contract's paths, GraphQL at `/graphql`. A request that the contract does not have gets the same error as
 * from a server. Throws a TypeError for a `baseUrl` that is none.
 * @param baseUrl where the client under test expects its server, such as `https://api.example` or `https://shop.example/api`
 */
export function mswHandlers({ fake }: Pick<StartedFake, "fake">, baseUrl: string): readonly HttpHandler[] {
  const { origin, pathname } = new URL(baseUrl);
  const prefix = pathname.replace(/\/$/, "");
  let serving: { readonly service: Service; readonly handler: Promise<FetchHandler> } | undefined;
  const handlerOf = (service: Service): Promise<FetchHandler> => {
    if (serving?.service !== service) serving = { service, handler: handlerFor(service) };
    return serving.handler;
  };
  const handlerFor = async (service: Service): Promise<FetchHandler> => {
    const [rest, graphql] = await Promise.all([
      stackWatch(fake, "rest-node-http", "msw"),
      stackWatch(fake, "graphql-http", "msw"),
    ]);
    return fetchHandler(service, { rest, graphql });
  };
  return [
    http.all(`${origin}${prefix}/*`, async ({ request }) => {
      const url = new URL(request.url);
      url.pathname = url.pathname.slice(prefix.length);
      return (await handlerOf(fake.service))(request, url);
    }),
  ];
}
