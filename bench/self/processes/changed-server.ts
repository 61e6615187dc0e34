// A server of one stack with the real service and an addition: `changed-server.ts STACK ADDED_TO ADDITION`, with the addition as JSON. It applies if
// both stacks are the same. `roundtrip compare` starts it and reads its address.
import { builtInImage, contractFromImage, withoutComments } from "@roundtrip/contract";
import { realService } from "@roundtrip/service";
import { loadServe, serveDefaults } from "@roundtrip/stacks";
import { flushCompileCache } from "node:module";
import { nothing, type Addition } from "../gate/physical/addition.ts";
import { warmBurn } from "../gate/physical/burn.ts";
import { withAddition } from "../gate/physical/with-addition.ts";

const [stack, addedTo, addition] = process.argv.slice(2);
if (stack === undefined || addedTo === undefined || addition === undefined) {
  throw new Error("which stack, where to add something, and what?");
}
const added = stack === addedTo ? (JSON.parse(addition) as Addition) : nothing;
warmBurn();
const serve = await loadServe(stack);
const service = realService(contractFromImage(withoutComments(builtInImage())));
const { url } = await serve(withAddition(added)(service), serveDefaults);
flushCompileCache();
process.stdout.write(`${JSON.stringify({ url })}\n`);
