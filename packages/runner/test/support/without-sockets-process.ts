// A client of a stack whose process has no file left to open: prints how its call ends. Its server is never reached. Argument: the stack.
import { fromJson } from "@bufbuild/protobuf";
import { builtInContract } from "@roundtrip/contract";
import { connectDefaults, loadConnect } from "@roundtrip/stacks";
import { openSync } from "node:fs";
import { outcomeOf } from "../../src/measure/call-timer.ts";

const [stack = ""] = process.argv.slice(2);
const url = "http://127.0.0.1:9";
const contract = builtInContract();
const operation = contract.operation("roundtrip.v1.HelloService.SayHello");
const connect = await loadConnect(stack);
const client = await connect(contract, { ...connectDefaults, url, connections: 1 });
const invoke = client.prepare(operation);
const request = fromJson(operation.input, { name: "World" });

function openAll(): void {
  try {
    for (;;) openSync("/dev/null", "r");
  } catch {
    // That was the last.
  }
}

openAll();
const outcome = await invoke(request).then(() => "OK", outcomeOf);
process.stdout.write(outcome, () => process.exit(0));
