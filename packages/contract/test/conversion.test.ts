// Messages of generated code and of a compiled contract: the same objects as a rule, and nothing lost where the two are not built alike.
import { create, fromBinary, toBinary, type DescMessage, type Message } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema, type FieldDescriptorProto } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { conversion } from "../src/calls/typed-client.ts";
import { CustomerSchema, ListCustomersResponseSchema } from "../src/gen/roundtrip/v1/customer_pb.ts";
import { builtInContract, builtInImage, contractFromImage } from "../src/index.ts";

const list = "roundtrip.v1.CustomerService.ListCustomers";

/** The response of ListCustomers in a contract whose customers have other fields. */
function otherCustomers(change: (fields: FieldDescriptorProto[]) => FieldDescriptorProto[]): DescMessage {
  const set = fromBinary(FileDescriptorSetSchema, builtInImage());
  for (const message of set.file.flatMap(({ messageType }) => messageType)) {
    if (message.name === "Customer") message.field = change(message.field);
  }
  return contractFromImage(toBinary(FileDescriptorSetSchema, set)).operation(list).output;
}

function firstOf(message: Message): Readonly<Record<string, unknown>> {
  const [first = {}] = (message as unknown as { readonly customers: readonly object[] }).customers;
  return { ...first };
}

const page = create(ListCustomersResponseSchema, { customers: [{ id: 7, name: "Ada" }] });

describe("a message", () => {
  it("stays the same object where generated code and contract are built alike", () => {
    const { output } = builtInContract().operation(list);
    expect(output).not.toBe(ListCustomersResponseSchema);
    expect(conversion(ListCustomersResponseSchema, output)(page)).toBe(page);
  });

  it("keeps what has another name on the other side, however deep", () => {
    const renamed = otherCustomers((fields) =>
      fields.map((field) => ({ ...field, name: field.name === "name" ? "called" : field.name, jsonName: "" })),
    );
    const there = conversion(ListCustomersResponseSchema, renamed)(page);
    expect(firstOf(there)).toMatchObject({ id: 7, called: "Ada" });
    expect(firstOf(conversion(renamed, ListCustomersResponseSchema)(there))).toMatchObject({ id: 7, name: "Ada" });
  });

  it("carries what the other side does not know yet", () => {
    const older = otherCustomers((fields) => fields.filter(({ name }) => name !== "name"));
    const there = conversion(ListCustomersResponseSchema, older)(page);
    expect(firstOf(there)).not.toHaveProperty("name");
    const back = conversion(older, ListCustomersResponseSchema)(there);
    expect(firstOf(back)).toMatchObject(create(CustomerSchema, { id: 7, name: "Ada" }));
  });
});
