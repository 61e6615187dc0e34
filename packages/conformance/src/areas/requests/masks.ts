// Masks: a read returns and a write changes what the mask names and nothing else (AIP-157, AIP-134).
import { CustomerSchema, CustomerService, type Customer } from "@roundtrip/contract/gen/roundtrip/v1/customer_pb";
import { type CustomerValues, fullCustomer, someCustomer, textAttributes } from "../../support/customers.ts";
import type { CaseRun } from "../../case/case-run.ts";
import { casesIn } from "../../case/case.ts";
import { expectEqual, expectMessage, expectViolations, inTurn } from "../../case/expectations.ts";

const { getCustomer, updateCustomer } = CustomerService.method;

const attributes = [{ path: "id", key: "id" } as const, ...textAttributes];

function read(run: CaseRun, id: number, paths: readonly string[]): Promise<Customer> {
  return run.call(getCustomer, { id, readMask: { paths: [...paths] } });
}

/** The full customer with the attributes that the paths name, and all others empty. */
function masked(id: number, paths: readonly string[]): CustomerValues {
  const all = { ...fullCustomer, id };
  return Object.fromEntries(attributes.filter(({ path }) => paths.includes(path)).map(({ key }) => [key, all[key]]));
}

/** Every subset of the six attributes, from none to all. */
const subsets: readonly (readonly string[])[] = Array.from({ length: 2 ** attributes.length }, (_, bits) =>
  attributes.filter((_attribute, index) => (bits >> index) % 2 === 1).map(({ path }) => path),
);

const change: CustomerValues = Object.fromEntries(textAttributes.map(({ key, other }) => [key, other]));

function update(
  run: CaseRun,
  id: number,
  values: CustomerValues,
  paths: readonly string[] | undefined,
): Promise<Customer> {
  return run.call(updateCustomer, {
    customer: { ...values, id },
    ...(paths === undefined ? {} : { updateMask: { paths: [...paths] } }),
  });
}

async function expectUnchanged(run: CaseRun, id: number): Promise<void> {
  expectMessage(CustomerSchema, await run.call(getCustomer, { id }), { ...fullCustomer, id });
}

const unknownInReadMask = [{ field: "read_mask", reason: "field_mask" }];
const unknownInUpdateMask = [{ field: "update_mask", reason: "field_mask" }];

/** The cases RT-02xx. */
export const maskCases = casesIn("masks", ["customers"], {
  ...Object.fromEntries(
    attributes.map(({ path }, index) => [
      `RT-020${index + 1} a read mask that names ${path} returns only ${path}`,
      async (run: CaseRun) => {
        const { id } = await someCustomer(run);
        expectMessage(CustomerSchema, await read(run, id, [path]), masked(id, [path]));
      },
    ]),
  ),
  async "RT-0211 a mask with each of the 63 sets of attributes returns exactly these attributes"(run) {
    const { id } = await someCustomer(run);
    const wanted = subsets.filter((paths) => paths.length > 0);
    const answers = await Promise.all(wanted.map((paths) => read(run, id, paths)));
    for (const [index, paths] of wanted.entries()) {
      const answer = answers[index];
      if (answer === undefined) throw new Error("fewer answers than calls");
      expectMessage(CustomerSchema, answer, masked(id, paths));
    }
  },
  async "RT-0212 a missing read mask, an empty one and * return everything"(run) {
    const { id } = await someCustomer(run);
    await expectUnchanged(run, id);
    await inTurn([[], ["*"]], async (paths) => {
      expectMessage(CustomerSchema, await read(run, id, paths), { ...fullCustomer, id });
    });
  },
  async "RT-0213 the order and repetition of paths in a read mask do not matter"(run) {
    const { id } = await someCustomer(run);
    const answer = await read(run, id, ["mail", "name", "mail"]);
    expectMessage(CustomerSchema, answer, masked(id, ["name", "mail"]));
  },
  async "RT-0214 a read mask with an unknown path is INVALID_ARGUMENT, and the error names the mask"(run) {
    const { id } = await someCustomer(run);
    await expectViolations(read(run, id, ["shoe_size"]), unknownInReadMask);
    await expectViolations(read(run, id, ["name", "shoe_size"]), unknownInReadMask);
  },
  async "RT-0215 a read mask with a path below a scalar attribute is INVALID_ARGUMENT"(run) {
    const { id } = await someCustomer(run);
    await expectViolations(read(run, id, ["name.first"]), unknownInReadMask);
  },
  ...Object.fromEntries(
    textAttributes.map(({ path, key, other }, index) => [
      `RT-022${index + 1} an update mask that names ${path} changes only ${path}`,
      async (run: CaseRun) => {
        const { id } = await someCustomer(run);
        const expected = { ...fullCustomer, id, [key]: other };
        expectMessage(CustomerSchema, await update(run, id, change, [path]), expected);
        expectMessage(CustomerSchema, await run.call(getCustomer, { id }), expected);
      },
    ]),
  ),
  async "RT-0231 an update mask of * replaces everything, including empty values"(run) {
    const { id } = await someCustomer(run);
    const expected = { id, name: "Ada Lovelace" };
    expectMessage(CustomerSchema, await update(run, id, expected, ["*"]), expected);
    expectMessage(CustomerSchema, await run.call(getCustomer, { id }), expected);
  },
  async "RT-0232 an update without a mask, or with an empty one, changes the attributes that are not empty"(run) {
    const { id } = await someCustomer(run);
    const first = { ...fullCustomer, id, mail: "ada@example.com" };
    expectMessage(CustomerSchema, await update(run, id, { mail: first.mail }, undefined), first);
    const second = { ...first, name: "Ada Lovelace" };
    expectMessage(CustomerSchema, await update(run, id, { name: second.name }, []), second);
    expectMessage(CustomerSchema, await run.call(getCustomer, { id }), second);
  },
  async "RT-0233 an update mask empties a named attribute that the request leaves empty"(run) {
    const { id } = await someCustomer(run);
    const expected = { ...fullCustomer, id, phoneNumber: "" };
    expectMessage(CustomerSchema, await update(run, id, {}, ["phone_number"]), expected);
  },
  async "RT-0234 an update mask that names the id does not change the id"(run) {
    const { id } = await someCustomer(run);
    expectMessage(CustomerSchema, await update(run, id, {}, ["id"]), { ...fullCustomer, id });
    await expectUnchanged(run, id);
  },
  async "RT-0235 an update mask with one unknown path changes nothing"(run) {
    const { id } = await someCustomer(run);
    await expectViolations(update(run, id, change, ["name", "shoe_size"]), unknownInUpdateMask);
    await expectUnchanged(run, id);
  },
  async "RT-0236 the same update twice has the effect of one"(run) {
    const { id } = await someCustomer(run);
    const once = await update(run, id, change, ["name", "mail"]);
    expectEqual(await update(run, id, change, ["name", "mail"]), once, "the second answer");
  },
});
