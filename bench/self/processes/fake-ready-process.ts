// Starts a fake on every style, calls it once over each, and prints, as JSON, how long after the start of the process it listened and answered. The
// argument is the number of messages in its contract; without it, the built-in contract is used.
import { create } from "@bufbuild/protobuf";
import { builtInImage, contractFromImage } from "@roundtrip/contract";
import { startFake } from "@roundtrip/fakes";
import { largeImage } from "../large-contract.ts";

const [messages] = process.argv.slice(2);
const madeAt = performance.now();
const image = messages === undefined ? builtInImage() : largeImage(Number(messages));
// Generating the contract is excluded: real ones come from a file.
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
