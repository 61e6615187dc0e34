// Values arrive unchanged on every style.
import { CustomerSchema, CustomerService } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { HelloService, SayHelloResponseSchema } from "@roundtrip/contract/gen/roundtrip/v1/hello_pb";
import { textAttributes } from "../../support/attributes.ts";
import type { CaseRun } from "../../case/case-run.ts";
import { casesIn } from "../../case/case.ts";
import { fullCustomer, keepFree, reservedId, someCustomer } from "../../support/customers.ts";
import { expectEqual, expectError, expectMessage } from "../../case/expectations.ts";

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
export const valueCases = casesIn("values", [
  {
    id: "RT-0101",
    level: "MUST",
    title: "a greeting arrives as the service sends it",
    needs: ["hello"],
    run: (run) => expectGreeting(run, "World"),
  },
  {
    id: "RT-0102",
    level: "MUST",
    title: "text of every plane of Unicode is kept, unnormalised and in order",
    needs: ["hello"],
    run: (run) => expectGreeting(run, "Zoë Zoe\u0308 日本 עברית 𝔘𝔫𝔦 👩‍👩‍👧‍👦 \uFEFF\u202E"),
  },
  {
    id: "RT-0103",
    level: "MUST",
    title: "characters that are special in URLs, JSON and queries are plain text",
    needs: ["hello"],
    run: (run) => expectGreeting(run, `a/b?c=d&e#f %20+%2F "q" 'q' \\u0041 {x} \${y} <b> ; : @ , ~ | ^ [0] …`),
  },
  {
    id: "RT-0104",
    level: "MUST",
    title: "line ends, tabs and spaces at both ends are kept",
    needs: ["hello"],
    run: (run) => expectGreeting(run, "  \tone\ntwo\r\nthree\u2028four \r "),
  },
  {
    id: "RT-0105",
    level: "MUST",
    title: "text that looks like a number, a boolean or null stays text",
    needs: ["hello"],
    async run(run) {
      for (const name of ["0", "-0", "1e3", "true", "null", "undefined", "NaN", "[object Object]", "__proto__"]) {
        // oxlint-disable-next-line no-await-in-loop
        await expectGreeting(run, name);
      }
    },
  },
  {
    id: "RT-0106",
    level: "MUST",
    title: "control characters are kept, U+0000 included",
    needs: ["hello"],
    run: (run) => expectGreeting(run, "a\u0000b\u0001c\u001Bd\u007Fe\u0085f"),
  },
  {
    id: "RT-0111",
    level: "MUST",
    title: "creating a customer returns it as it was sent",
    needs: ["customers"],
    async run(run) {
      expectMessage(CustomerSchema, await someCustomer(run), { ...fullCustomer, id: reservedId(run) });
    },
  },
  {
    id: "RT-0112",
    level: "MUST",
    title: "a read after a creation returns all six attributes, at their exact lengths",
    needs: ["customers"],
    async run(run) {
      const { id } = await someCustomer(run);
      const read = await run.call(getCustomer, { id });
      expectMessage(CustomerSchema, read, { ...fullCustomer, id });
      const lengths = textAttributes.map(({ key }) => read[key].length);
      expectEqual(lengths, [38, 58, 7, 17, 14], "lengths");
    },
  },
  {
    id: "RT-0113",
    level: "SHOULD",
    title: "customer 1 has attributes of the lengths that the study of 2010 used",
    needs: ["customers"],
    async run(run) {
      const read = await run.call(getCustomer, { id: 1 });
      const lengths = textAttributes.map(({ key }) => read[key].length);
      expectEqual(lengths, [38, 58, 7, 17, 14], "lengths");
    },
  },
  {
    id: "RT-0114",
    level: "MUST",
    title: "empty attributes come back empty",
    needs: ["customers"],
    async run(run) {
      const { id } = await someCustomer(run, {});
      expectMessage(CustomerSchema, await run.call(getCustomer, { id }), { id });
      for (const { get, path } of textAttributes) {
        // oxlint-disable-next-line no-await-in-loop
        expectEqual(await get(run, id), "", path);
      }
    },
  },
  {
    id: "RT-0115",
    level: "MUST",
    title: "the largest int32 is a valid id",
    needs: ["customers"],
    async run(run) {
      const id = 2 ** 31 - 1;
      await keepFree(run, id);
      await run.call(createCustomer, { customer: { ...fullCustomer, id } });
      expectMessage(CustomerSchema, await run.call(getCustomer, { id }), { ...fullCustomer, id });
    },
  },
  {
    id: "RT-0116",
    level: "MUST",
    title: "lengths count characters: a name can have 200 of the widest",
    needs: ["customers"],
    run: (run) => expectNameKept(run, "🎉".repeat(200)),
  },
  {
    id: "RT-0117",
    level: "MUST",
    title: "an attribute of the largest size that the contract allows is kept to the last character",
    needs: ["customers"],
    async run(run) {
      const address = "Grüße ".repeat(43_690).padEnd(262_144, "€");
      const { id } = await someCustomer(run, { address });
      expectMessage(CustomerSchema, await run.call(getCustomer, { id }), { id, address });
    },
  },
  ...textAttributes.map(
    ({ path, key, other, get, set }, index) =>
      ({
        id: `RT-012${index + 1}`,
        level: "MUST",
        title: `the accessors of ${path} read and write only it`,
        needs: ["customers"],
        async run(run: CaseRun) {
          const { id } = await someCustomer(run);
          expectEqual(await get(run, id), fullCustomer[key], `${path} before`);
          expectEqual(await set(run, id, other), other, `${path} as written`);
          expectEqual(await get(run, id), other, `${path} after`);
          expectMessage(CustomerSchema, await run.call(getCustomer, { id }), { ...fullCustomer, id, [key]: other });
          expectEqual(await set(run, id, ""), "", `${path} as emptied`);
          expectEqual(await get(run, id), "", `${path} when empty`);
        },
      }) as const,
  ),
  {
    id: "RT-0131",
    level: "MUST",
    title: "the accessors of id read it, and find the customer only under its new id",
    needs: ["customers"],
    async run(run) {
      const { id } = await someCustomer(run);
      const newId = reservedId(run, 1);
      await keepFree(run, newId);
      expectEqual((await run.call(getCustomerId, { id })).id, id, "id before");
      expectEqual((await run.call(setCustomerId, { id, newId })).id, newId, "id as written");
      expectMessage(CustomerSchema, await run.call(getCustomer, { id: newId }), { ...fullCustomer, id: newId });
      await expectError(run.call(getCustomerId, { id }), "NOT_FOUND");
    },
  },
  {
    id: "RT-0132",
    level: "MUST",
    title: "a deleted customer is gone",
    needs: ["customers"],
    async run(run) {
      const { id } = await someCustomer(run);
      await run.call(deleteCustomer, { id });
      await expectError(run.call(getCustomer, { id }), "NOT_FOUND");
    },
  },
  {
    id: "RT-0133",
    level: "MUST",
    title: "the same request twice gives the same answer twice",
    needs: ["customers"],
    async run(run) {
      const { id } = await someCustomer(run);
      const once = await run.call(getCustomer, { id });
      expectMessage(CustomerSchema, await run.call(getCustomer, { id }), once);
    },
  },
]);
