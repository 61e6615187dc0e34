// One round of the cost of a fake call in its own process, from the caller's message to the caller's answer, without a network. Prints JSON.
import { create } from "@bufbuild/protobuf";
import { builtInContract, type Client } from "@roundtrip/contract";
import { createFake, memoryClient, type Stub } from "@roundtrip/fakes";
import { inTurns, type Alternative } from "../in-turns.ts";

const contract = builtInContract();
const sayHello = contract.operation("roundtrip.v1.HelloService.SayHello");
const getCustomer = contract.operation("roundtrip.v1.CustomerService.GetCustomer");
const listCustomers = contract.operation("roundtrip.v1.CustomerService.ListCustomers");

const manyStubs: readonly Stub[] = Array.from({ length: 100 }, (_, number) => ({
  operation: sayHello.id,
  when: { name: `caller ${number}` },
  answers: [{ kind: "response", response: { message: `Hello, caller ${number}!` } }],
}));

function clientOf(stubs: readonly Stub[]): Client {
  const fake = createFake({ contract, stubs });
  return memoryClient(() => fake.service);
}

/** Makes calls with `distinct` different requests in rotation. */
function calling(
  client: Client,
  operation: typeof sayHello,
  requestOf: (number: number) => Readonly<Record<string, unknown>>,
  distinct: number,
): Alternative {
  const invoke = client.prepare(operation);
  const requests = Array.from({ length: distinct }, (_, number) => create(operation.input, requestOf(number)));
  return async (times) => {
    for (let time = 0; time < times; time += 1) await invoke(requests[time % distinct] ?? create(operation.input));
  };
}

const plain = clientOf([]);
const stubbed = clientOf(manyStubs);

process.stdout.write(
  JSON.stringify(
    await inTurns(
      {
        "a greeting, made up": calling(plain, sayHello, (number) => ({ name: `caller ${number}` }), 100),
        "a customer": calling(plain, getCustomer, (number) => ({ id: number + 1 }), 100),
        "a page of 50 customers": calling(plain, listCustomers, () => ({}), 1),
        "one of 100 stubs": calling(stubbed, sayHello, (number) => ({ name: `caller ${number}` }), 100),
      },
      { timesPerBlock: 2_000, warmUpBlocks: 5, blocks: 20 },
    ),
  ),
);
