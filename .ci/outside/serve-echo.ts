// Serves the conformance contract over SOAP, on the stack in its argument: operations give back what they are given. Ends on SIGTERM.
import { conformanceContract } from "../../packages/conformance/src/case/case-run.ts";
import { echoing } from "../../packages/conformance/src/support/handlers.ts";
import { serviceOf } from "../../packages/contract/src/calls/service-of.ts";
import { loadServe, serveDefaults } from "../../packages/stacks/src/index.ts";

const stack = process.argv[2] ?? "";
const serve = await loadServe(stack);
const server = await serve(serviceOf(conformanceContract(), echoing), serveDefaults);
process.stdout.write(`${JSON.stringify({ [stack]: server.url })}\n`);
process.once("SIGTERM", () => void server.close());
