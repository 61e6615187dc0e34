// The REST server that a specialist would write for hello and customers on Fastify: its routes, its parser of queries, plain objects, JSON.stringify.
// It listens like the stack. Errors, which are not timed, use the code of the stack.
import { fastify, type FastifyReply } from "fastify";
import { serveHttp } from "@roundtrip/stacks/parts";
import type { ServeHandWritten } from "./hand-written.ts";
import { checkHeaders, getCustomer, problemFor, sayHello } from "./rest-calls.ts";

interface Customer {
  readonly Params: { readonly id: string };
  readonly Querystring: Readonly<Record<string, unknown>>;
}

type Hello = Pick<Customer, "Querystring">;

/** Fastify would add a charset to the media type, which JSON does not have. */
function asItIs(text: unknown): string {
  return text as string;
}

function send(reply: FastifyReply, body: object): void {
  reply.header("content-type", "application/json").serializer(asItIs).send(JSON.stringify(body));
}

export const serve: ServeHandWritten = async (options) => {
  const app = fastify({ exposeHeadRoutes: false });
  app.get<Hello>("/v1/hello", ({ headers, query }, reply) => {
    checkHeaders(headers);
    send(reply, sayHello(query));
  });
  app.get<Customer>("/v1/customers/:id", ({ headers, params, query }, reply) => {
    checkHeaders(headers);
    send(reply, getCustomer(params.id, query));
  });
  app.setErrorHandler((thrown, _request, reply) => {
    const { status, type, text } = problemFor(thrown);
    reply.code(status).header("content-type", type).serializer(asItIs).send(text);
  });
  await app.ready();
  return serveHttp((request, response) => app.routing(request, response), options);
};
