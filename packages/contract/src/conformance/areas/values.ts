// Values: what goes in comes out, on every style alike.
import { HelloService, SayHelloResponseSchema } from "../../gen/roundtrip/v1/hello_pb.ts";
import { casesIn } from "../case.ts";
import { expectMessage } from "../expectations.ts";

const { sayHello } = HelloService.method;

/** The cases RT-01xx. */
export const valueCases = casesIn("values", [
  {
    id: "RT-0101",
    level: "MUST",
    title: "a greeting comes back as the service gives it",
    needs: ["hello"],
    async run(run) {
      expectMessage(SayHelloResponseSchema, await run.call(sayHello, { name: "World" }), { message: "Hello, World!" });
    },
  },
]);
