// A process that makes the real service, calls it twice, closes nothing, and says on its output when the library of threads was loaded.
import { create } from "@bufbuild/protobuf";
import { builtInContract, ServerCall } from "@roundtrip/contract";
import { SayHelloRequestSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { PowerRequestSchema } from "@roundtrip/contract/gen/roundtrip/v1/matrix_pb";
import { createRequire } from "node:module";
import { realService } from "../../../src/index.ts";

const { cache } = createRequire(import.meta.url);
const holdsThreads = (): boolean => Object.keys(cache).some((path) => path.includes("piscina"));

const contract = builtInContract();
const service = realService(contract, { matrix: { threads: 2 } });
const hello = create(SayHelloRequestSchema, { name: "World" });
const power = create(PowerRequestSchema, { matrix: { size: 1, elements: [2] }, exponent: 10 });
await service.call(contract.operation("roundtrip.v1.HelloService.SayHello"), hello, new ServerCall());
const before = holdsThreads();
await service.call(contract.operation("roundtrip.v1.MatrixService.Power"), power, new ServerCall());
process.stdout.write(JSON.stringify({ before, after: holdsThreads() }));
