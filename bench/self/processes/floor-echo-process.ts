// One round of the floor against a bare echo on node:net with the same sizes. Client and server share this process, so the CPU time of a call is that
// of both ends. Prints JSON.
import { create, toBinary } from "@bufbuild/protobuf";
import { builtInContract } from "@roundtrip/contract";
import { GetCustomerRequestSchema } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { realService } from "@roundtrip/service";
import { connectDefaults, loadConnect, loadServe, serveDefaults } from "@roundtrip/stacks";
import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";
import { inTurns } from "../in-turns.ts";

const contract = builtInContract();
const operation = contract.operation("roundtrip.v1.CustomerService.GetCustomer");
const serve = await loadServe("floor");
const server = await serve(realService(contract), serveDefaults);
const client = await (await loadConnect("floor"))(contract, { ...connectDefaults, url: server.url });
const invoke = client.prepare(operation);
const request = create(GetCustomerRequestSchema, { id: 1 });
const response = await invoke(request);

/** The headers of the floor for a request and an answer. */
const [requestHeaderBytes, answerHeaderBytes] = [8, 4];
const asked = Buffer.alloc(requestHeaderBytes + toBinary(operation.input, request).length);
const answered = Buffer.alloc(answerHeaderBytes + toBinary(operation.output, response).length);

const bareServer = createServer({ noDelay: true }, (socket) => {
  let read = 0;
  socket.on("data", (chunk) => {
    read += chunk.length;
    if (read < asked.length) return;
    read -= asked.length;
    socket.write(answered);
  });
});
await once(bareServer.listen(0, "127.0.0.1"), "listening");
let onAnswer = (): void => undefined;
let read = 0;
const buffer = Buffer.alloc(65_536);
const bare = connect({
  host: "127.0.0.1",
  port: (bareServer.address() as AddressInfo).port,
  noDelay: true,
  onread: {
    buffer,
    callback(bytes) {
      read += bytes;
      if (read < answered.length) return true;
      read -= answered.length;
      onAnswer();
      return true;
    },
  },
});
await once(bare, "connect");

const costs = await inTurns(
  {
    floor: async (times) => {
      for (let time = 0; time < times; time += 1) await invoke(request);
    },
    "bare echo": async (times) => {
      for (let time = 0; time < times; time += 1) {
        await new Promise<void>((resolve) => {
          onAnswer = resolve;
          bare.write(asked);
        });
      }
    },
  },
  { timesPerBlock: 2_000, warmUpBlocks: 10, blocks: 20 },
);
process.stdout.write(JSON.stringify(costs), () => process.exit(0));
