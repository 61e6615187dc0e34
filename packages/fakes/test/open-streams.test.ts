// A fake that stops ends the streams that are open then with an error of their style, not with their connection.
import { create } from "@bufbuild/protobuf";
import { conformanceContract } from "@roundtrip/conformance";
import type { Operation, OperationKind } from "@roundtrip/contract";
import { connectTo, serveDefaults, type Settings } from "@roundtrip/stacks";
import { expect, it } from "vitest";
import { createFake, serveFake } from "../src/index.ts";

const contract = conformanceContract();

const open: readonly (readonly [stack: string, kind: OperationKind, settings: Settings])[] = [
  ["grpc-js", "bidi_streaming", {}],
  ["grpc-js", "client_streaming", {}],
  ["connect-node", "bidi_streaming", { http: "2" }],
  ["connect-node", "server_streaming", {}],
  ["rest-express", "server_streaming", {}],
  ["graphql-apollo", "server_streaming", {}],
];

it.each(open)("%s ends a %s call with UNAVAILABLE", async (stack, kind, settings) => {
  const [operation] = contract.operations.filter((candidate) => candidate.kind === kind) as [Operation];
  const begun = Promise.withResolvers<void>();
  const handlers = new Map([
    [
      operation.id,
      async function* () {
        begun.resolve();
        // What a handler does that listens to nobody.
        await new Promise<never>(() => {});
        yield create(operation.output);
      },
    ],
  ]);
  const fake = createFake({ contract, handlers });
  const servers = [{ name: stack, stack, port: undefined, settings: {} }];
  const served = await serveFake(fake, servers, { ...serveDefaults, shutdownGraceMs: 400 });
  served.shared?.begin();
  const client = await connectTo(stack, contract, { url: served.urls[stack] ?? "", settings });
  async function* requests() {
    yield create(operation.input);
    if (kind !== "server_streaming") await new Promise<never>(() => {});
  }
  const answers = Array.fromAsync(client.prepareStream(operation)(requests(), {}));
  answers.catch(() => undefined);
  await begun.promise;
  await served.close();
  await expect(answers).rejects.toMatchObject({ code: "UNAVAILABLE", message: "the server is stopping" });
  await client.close();
});
