// As much of a hosting service as comments need: it keeps those of one pull request, and remembers how it was asked.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listening } from "./run-program.ts";

export interface CommentService extends AsyncDisposable {
  readonly url: string;
  readonly comments: { id: number; body: string; user: { type: string } }[];
  /** Method and path of each request. */
  readonly requests: string[];
  readonly tokens: Set<string | undefined>;
  /** The status that writing is answered with from now on, in place of doing it. */
  refuseWriting(status: number): void;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}

/** What somebody wrote; a text alone is by a bot. */
export type Written = string | { readonly body: string; readonly by: "Bot" | "User" };

/** Answers on loopback until it is disposed of. */
export async function commentService(before: readonly Written[] = []): Promise<CommentService> {
  const comments: CommentService["comments"] = before.map((one, index) => {
    const { body, by } = typeof one === "string" ? { body: one, by: "Bot" } : one;
    return { id: index + 1, body, user: { type: by } };
  });
  const requests: string[] = [];
  const tokens = new Set<string | undefined>();
  let refusal = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://service");
    requests.push(`${request.method} ${url.pathname}`);
    tokens.add(request.headers.authorization);
    const text = await bodyOf(request);
    const reply = (status: number, value: unknown): void =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (request.method === "GET") {
      const [perPage, page] = ["per_page", "page"].map((name) => Number(url.searchParams.get(name)));
      const from = ((page ?? 1) - 1) * (perPage ?? 30);
      reply(200, comments.slice(from, from + (perPage ?? 30)));
      return;
    }
    if (refusal !== 0) {
      reply(refusal, { message: "Resource not accessible by integration" });
      return;
    }
    const { body } = JSON.parse(text) as { readonly body: string };
    if (request.method === "POST") comments.push({ id: comments.length + 1, body, user: { type: "Bot" } });
    const id = Number(/\/(\d+)$/.exec(url.pathname)?.[1]);
    for (const comment of comments) if (request.method === "PATCH" && comment.id === id) comment.body = body;
    reply(request.method === "POST" ? 201 : 200, { id });
  }

  const server = createServer((request, response) => void answer(request, response));
  return {
    url: await listening(server),
    comments,
    requests,
    tokens,
    refuseWriting: (status) => void (refusal = status),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
