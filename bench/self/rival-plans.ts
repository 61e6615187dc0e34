// The two calls for comparing servers: the smallest one, and one with a message of six attributes.
import type { Plan } from "@roundtrip/runner";

const attributes = ["id", "name", "address", "vatIdentificationNumber", "mail", "phoneNumber"];

function plan(operation: string, request: Plan["steps"][number]["request"]): Plan {
  return { order: "sequential", driver: "own", steps: [{ operation, request }] };
}

export const rivalPlans: Readonly<Record<string, Plan>> = {
  hello: plan("roundtrip.v1.HelloService.SayHello", { name: "World" }),
  "customer with six attributes": plan("roundtrip.v1.CustomerService.GetCustomer", {
    id: 1,
    readMask: attributes.join(","),
  }),
};
