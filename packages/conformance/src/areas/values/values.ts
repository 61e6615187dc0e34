// Values arrive unchanged on every style.
import { CustomerSchema, CustomerService } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { HelloService, SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { create } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";
import { fullCustomer, keepFree, reservedId, someCustomer, textAttributes } from "../../support/customers.ts";
import type { CaseRun } from "../../case/case-run.ts";
import { casesIn, needing } from "../../case/case.ts";
import { expectEqual, expectError, expectMessage, inTurn } from "../../case/expectations.ts";
import { ConformanceService, EchoResponseSchema } from "../../gen/roundtrip/conformance/v1/conformance_pb.ts";
import { Colour, ValuesSchema } from "../../gen/roundtrip/conformance/v1/values_pb.ts";
import { echoed, echoing } from "../../support/handlers.ts";

const { sayHello } = HelloService.method;
const { createCustomer, deleteCustomer, getCustomer, getCustomerId, setCustomerId } = CustomerService.method;

async function expectGreeting(run: CaseRun, name: string): Promise<void> {
  expectMessage(SayHelloResponseSchema, await run.call(sayHello, { name }), { message: `Hello, ${name}!` });
}

async function expectNameKept(run: CaseRun, name: string): Promise<void> {
  const { id } = await someCustomer(run, { name });
  expectMessage(CustomerSchema, await run.call(getCustomer, { id }), { id, name });
}

/** The cases RT-01xx. */
export const valueCases = casesIn("values", ["customers"], {
  "RT-0101 a greeting arrives as the service sends it": needing(["hello"], (run) => expectGreeting(run, "World")),
  "RT-0102 text of every plane of Unicode is kept, unnormalised and in order": needing(["hello"], (run) =>
    expectGreeting(run, "Zoë Zoe\u0308 日本 עברית 𝔘𝔫𝔦 👩‍👩‍👧‍👦 \uFEFF\u202E"),
  ),
  "RT-0103 characters that are special in URLs, JSON and queries are plain text": needing(["hello"], (run) =>
    expectGreeting(run, `a/b?c=d&e#f %20+%2F "q" 'q' \\u0041 {x} \${y} <b> ; : @ , ~ | ^ [0] …`),
  ),
  "RT-0104 line ends, tabs and spaces at both ends are kept": needing(["hello"], (run) =>
    expectGreeting(run, "  \tone\ntwo\r\nthree\u2028four \r "),
  ),
  "RT-0105 text that looks like a number, a boolean or null stays text": needing(["hello"], async (run) => {
    await inTurn(["0", "-0", "1e3", "true", "null", "undefined", "NaN", "[object Object]", "__proto__"], (name) =>
      expectGreeting(run, name),
    );
  }),
  "RT-0106 control characters are kept, U+0000 included": needing(["hello"], (run) =>
    expectGreeting(run, "a\u0000b\u0001c\u001Bd\u007Fe\u0085f"),
  ),
  async "RT-0111 creating a customer returns it as it was sent"(run) {
    expectMessage(CustomerSchema, await someCustomer(run), { ...fullCustomer, id: reservedId(run) });
  },
  async "RT-0112 a read after a creation returns all six attributes, at their exact lengths"(run) {
    const { id } = await someCustomer(run);
    const read = await run.call(getCustomer, { id });
    expectMessage(CustomerSchema, read, { ...fullCustomer, id });
    const lengths = textAttributes.map(({ key }) => read[key].length);
    expectEqual(lengths, [38, 58, 7, 17, 14], "lengths");
  },
  "RT-0113 customer 1 has attributes of the lengths that the study of 2010 used": {
    level: "SHOULD",
    needs: ["customers"],
    async run(run) {
      const read = await run.call(getCustomer, { id: 1 });
      const lengths = textAttributes.map(({ key }) => read[key].length);
      expectEqual(lengths, [38, 58, 7, 17, 14], "lengths");
    },
  },
  async "RT-0114 empty attributes come back empty"(run) {
    const { id } = await someCustomer(run, {});
    expectMessage(CustomerSchema, await run.call(getCustomer, { id }), { id });
    await inTurn(textAttributes, async ({ get, path }) => {
      expectEqual(await get(run, id), "", path);
    });
  },
  async "RT-0115 the largest int32 is a valid id"(run) {
    const id = 2 ** 31 - 1;
    await keepFree(run, id);
    await run.call(createCustomer, { customer: { ...fullCustomer, id } });
    expectMessage(CustomerSchema, await run.call(getCustomer, { id }), { ...fullCustomer, id });
  },
  "RT-0116 lengths count characters: a name can have 200 of the widest": (run) => expectNameKept(run, "🎉".repeat(200)),
  async "RT-0117 an attribute of the largest size that the contract allows is kept to the last character"(run) {
    const address = "Grüße ".repeat(43_690).padEnd(262_144, "€");
    const { id } = await someCustomer(run, { address });
    expectMessage(CustomerSchema, await run.call(getCustomer, { id }), { id, address });
  },
  ...Object.fromEntries(
    textAttributes.map(({ path, key, other, get, set }, index) => [
      `RT-012${index + 1} the accessors of ${path} read and write only it`,
      async (run: CaseRun) => {
        const { id } = await someCustomer(run);
        expectEqual(await get(run, id), fullCustomer[key], `${path} before`);
        expectEqual(await set(run, id, other), other, `${path} as written`);
        expectEqual(await get(run, id), other, `${path} after`);
        expectMessage(CustomerSchema, await run.call(getCustomer, { id }), { ...fullCustomer, id, [key]: other });
        expectEqual(await set(run, id, ""), "", `${path} as emptied`);
        expectEqual(await get(run, id), "", `${path} when empty`);
      },
    ]),
  ),
  async "RT-0131 the accessors of id read it, and find the customer only under its new id"(run) {
    const { id } = await someCustomer(run);
    const newId = reservedId(run, 1);
    await keepFree(run, newId);
    expectEqual((await run.call(getCustomerId, { id })).id, id, "id before");
    expectEqual((await run.call(setCustomerId, { id, newId })).id, newId, "id as written");
    expectMessage(CustomerSchema, await run.call(getCustomer, { id: newId }), { ...fullCustomer, id: newId });
    await expectError(run.call(getCustomerId, { id }), "NOT_FOUND");
  },
  async "RT-0132 a deleted customer is gone"(run) {
    const { id } = await someCustomer(run);
    await run.call(deleteCustomer, { id });
    await expectError(run.call(getCustomer, { id }), "NOT_FOUND");
  },
  async "RT-0133 the same request twice gives the same answer twice"(run) {
    const { id } = await someCustomer(run);
    const once = await run.call(getCustomer, { id });
    expectMessage(CustomerSchema, await run.call(getCustomer, { id }), once);
  },
});

// Presence: each style distinguishes absent, empty and zero values.

const { echo } = ConformanceService.method;

/** The cases RT-0160 to RT-0170. */
export const presenceCases = casesIn("values", ["server"], {
  "RT-0160 unset optional fields come back unset": echoed({ presence: {} }),
  "RT-0161 optional fields with zero or empty values come back set": echoed(
    { presence: { number: 0, largeNumber: 0n, fraction: 0, flag: false, text: "", data: new Uint8Array() } },
    { presence: { text: "" } },
    { presence: { flag: false } },
  ),
  "RT-0162 an optional enum with its zero value comes back set": echoed({ presence: { colour: Colour.UNSPECIFIED } }),
  "RT-0163 optional fields with values come back with them": echoed({
    presence: {
      number: -1,
      largeNumber: 2n ** 62n,
      fraction: 0.5,
      flag: true,
      text: "t",
      data: new Uint8Array([0]),
      colour: Colour.GREEN,
    },
  }),
  "RT-0164 an absent message and an empty one stay different": echoed(
    {},
    { lists: {}, maps: {} },
    { choice: {} },
    { tree: {} },
    { tree: { only: {} } },
  ),
  async "RT-0165 an empty request gets an empty answer"(run) {
    const { call } = await run.serveConformance(echoing);
    expectMessage(EchoResponseSchema, await call(echo, {}), {});
  },
  "RT-0166 each member of a oneof comes back as that member": echoed(
    { choice: { kind: { case: "text", value: "t" } } },
    { choice: { kind: { case: "largeNumber", value: -(2n ** 63n) } } },
    { choice: { kind: { case: "flag", value: true } } },
    { choice: { kind: { case: "data", value: new Uint8Array([1, 2]) } } },
    { choice: { kind: { case: "colour", value: Colour.INFRA_RED } } },
    { choice: { kind: { case: "tree", value: { label: "oak", branches: [{}, { label: "twig" }] } } } },
    { choice: { kind: { case: "time", value: { seconds: 1n, nanos: 500_000_000 } } } },
  ),
  "RT-0167 a member of a oneof with a zero or empty value comes back set": echoed(
    { choice: { kind: { case: "text", value: "" } } },
    { choice: { kind: { case: "largeNumber", value: 0n } } },
    { choice: { kind: { case: "flag", value: false } } },
    { choice: { kind: { case: "data", value: new Uint8Array() } } },
  ),
  "RT-0168 a member of a oneof that is an empty message comes back set": echoed(
    { choice: { kind: { case: "nothing", value: {} } } },
    { choice: { kind: { case: "tree", value: {} } } },
    { choice: { kind: { case: "time", value: {} } } },
  ),
  async "RT-0169 fields of a newer contract are not an error, and the others arrive"(run) {
    const { call } = await run.serveConformance(echoing);
    const values = create(ValuesSchema, { tree: { label: "oak" } });
    values.$unknown = [{ no: 99, wireType: WireType.Varint, data: new Uint8Array([1]) }];
    expectMessage(EchoResponseSchema, await call(echo, { values }), { values: { tree: { label: "oak" } } });
  },
});
