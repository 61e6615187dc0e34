// Starts a fake on every style, calls it once over each, and prints, as JSON, how long after the beginning of the process it listened and
// answered. The argument is how many messages its contract has; none is this project's own.
import { create } from "@bufbuild/protobuf";
import { builtInImage, contractFromImage } from "@roundtrip/contract";
import { startFake } from "@roundtrip/fakes";
import { largeImage } from "../large-contract.ts";

const [messages] = process.argv.slice(2);
const madeAt = performance.now();
const image = messages === undefined ? builtInImage() : largeImage(Number(messages));
// A contract comes from a file, and not from a program that writes one.
const makingMs = messages === undefined ? 0 : performance.now() - madeAt;

const contract = contractFromImage(image);
await using fake = await startFake(contract);
const readyMs = performance.now() - makingMs;

const operation = contract.operations.find(({ kind, id }) => kind === "unary" && /\.(?:List|SayHello)/.test(id));
if (operation === undefined) throw new Error("the contract has nothing to call");
for (const stack of Object.keys(fake.urls)) {
  const client = await fake.connect(stack);
  await client.prepare(operation)(create(operation.input));
}
const answeredMs = performance.now() - makingMs;

process.stdout.write(JSON.stringify({ readyMs, answeredMs }));
