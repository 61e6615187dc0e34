// Types that contain each other keep their rules, and are ready at once, however many paths lead from one to the next.
import { create, setExtension, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import {
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  type FieldDescriptorProtoSchema,
  FieldOptionsSchema,
  file_google_protobuf_descriptor,
  FileDescriptorSetSchema,
} from "@bufbuild/protobuf/wkt";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { hasRules } from "../src/validation/field-rules.ts";
import { field, FieldRulesSchema, file_buf_validate_validate } from "../src/gen/buf/validate/validate_pb.ts";
import { CallError, contractFromImage, type Contract } from "../src/index.ts";
import { requestRules } from "../src/calls/service-of.ts";

type FieldInit = MessageInitShape<typeof FieldDescriptorProtoSchema>;

/** No plain rule: the validator has to look. */
function ruledText(): FieldInit {
  const options = create(FieldOptionsSchema);
  setExtension(options, field, create(FieldRulesSchema, { type: { case: "string", value: { len: 3n } } }));
  return { name: "text", number: 1, label: Label.OPTIONAL, type: Type.STRING, options };
}

/** Types by number, each with those that it holds (`held0`, `held1`, …), the ruled ones with a text of three characters; the first is what is sent. */
function contractOf(types: readonly { readonly holds: readonly number[]; readonly isRuled: boolean }[]): Contract {
  const messageType = types.map(({ holds, isRuled }, index) => ({
    name: `T${index}`,
    field: [
      ...(isRuled ? [ruledText()] : []),
      ...holds.map((held, slot) => ({
        name: `held${slot}`,
        number: slot + 2,
        label: slot % 2 === 0 ? Label.OPTIONAL : Label.REPEATED,
        type: Type.MESSAGE,
        typeName: `.test.T${held}`,
      })),
    ],
  }));
  const image = create(FileDescriptorSetSchema, {
    file: [
      file_google_protobuf_descriptor.proto,
      file_buf_validate_validate.proto,
      {
        name: "test.proto",
        package: "test",
        syntax: "proto3",
        dependency: ["buf/validate/validate.proto"],
        messageType,
        service: [{ name: "Things", method: [{ name: "Get", inputType: ".test.T0", outputType: ".test.T0" }] }],
      },
    ],
  });
  return contractFromImage(toBinary(FileDescriptorSetSchema, image));
}

function firstViolation(contract: Contract, request: Record<string, unknown>): string | undefined {
  const { input } = contract.operation("test.Things.Get");
  try {
    requestRules(contract)(input, create(input, request));
    return undefined;
  } catch (thrown) {
    if (thrown instanceof CallError) return thrown.details.violations[0]?.field;
    throw thrown;
  }
}

it("keeps the rules of a type that is held by one that it holds", () => {
  const contract = contractOf([
    { holds: [1], isRuled: true },
    { holds: [0], isRuled: false },
  ]);
  expect(firstViolation(contract, { text: "abc", held0: { held0: { text: "abcd" } } })).toBe("held0.held0.text");
  expect(firstViolation(contract, { text: "abc", held0: { held0: { text: "abc" } } })).toBeUndefined();
});

it("has rules of sixty types that each hold four others", () => {
  const many = Array.from({ length: 60 }, (_, index) => ({
    holds: [1, 7, 13, 29].map((step) => (index + step) % 60),
    isRuled: index === 31,
  }));
  const contract = contractOf(many);
  // 0 + 1 + 1 + 29 = 31
  const [broken, kept] = ["abcd", "abc"].map((text) =>
    firstViolation(contract, { held0: { held0: { held3: [{ text }] } } }),
  );
  expect([broken, kept]).toEqual(["held0.held0.held3[0].text", undefined]);
});

/** Some types, and a path through them from the first one, as indices of contained types. */
const pathsThroughTypes = fc
  .integer({ min: 1, max: 6 })
  .chain((count) =>
    fc.array(
      fc.record({
        holds: fc.array(fc.nat(count - 1), { minLength: 1, maxLength: 3 }),
        isRuled: fc.boolean(),
      }),
      { minLength: count, maxLength: count },
    ),
  )
  .chain((types) => fc.tuple(fc.constant(types), fc.array(fc.nat(2), { maxLength: 8 })));

it("finds a broken rule at the end of every path through any types", () => {
  fc.assert(
    fc.property(pathsThroughTypes, ([types, choices]) => {
      const contract = contractOf(types);
      let at = 0;
      let path = "";
      const steps = choices.map((choice) => {
        const holds = types[at]?.holds ?? [];
        const index = choice % holds.length;
        const isRuled = types[at]?.isRuled === true;
        at = holds[index] ?? 0;
        path += `held${index}${index % 2 === 0 ? "" : "[0]"}.`;
        return { index, isRuled };
      });
      let request: Record<string, unknown> = types[at]?.isRuled === true ? { text: "abcd" } : {};
      for (const { index, isRuled } of steps.toReversed()) {
        const held = index % 2 === 0 ? request : [request];
        request = { ...(isRuled ? { text: "abc" } : {}), [`held${index}`]: held };
      }
      expect(firstViolation(contract, request)).toBe(types[at]?.isRuled === true ? `${path}text` : undefined);
    }),
    { numRuns: 60 },
  );
});

it("knows of any types which of them lead to a rule", () => {
  fc.assert(
    fc.property(pathsThroughTypes, ([types]) => {
      const leads = (from: number, seen: ReadonlySet<number> = new Set()): boolean => {
        const { isRuled = false, holds = [] } = types[from] ?? {};
        const further = new Set([...seen, from]);
        return isRuled || holds.some((held) => !seen.has(held) && leads(held, further));
      };
      const contract = contractOf(types);
      const found = types
        .map((_, index) => contract.registry.getMessage(`test.T${index}`))
        .map((one) => one && hasRules(one));
      expect(found).toEqual(types.map((_, index) => leads(index)));
    }),
    { numRuns: 60 },
  );
});
