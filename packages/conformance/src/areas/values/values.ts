// Values arrive unchanged on every style.
import { CustomerSchema, CustomerService } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { HelloService, SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { textAttributes } from "../../support/attributes.ts";
import type { CaseRun } from "../../case/case-run.ts";
import { casesIn, needing } from "../../case/case.ts";
import { fullCustomer, keepFree, reservedId, someCustomer } from "../../support/customers.ts";
import { expectEqual, expectError, expectMessage, inTurn } from "../../case/expectations.ts";

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
