// The JSON schemas of files that people write, for editors. `pnpm generate` writes them to the folder `schema`.
import { faultSchemas } from "../faults/fault-schema.ts";
import { stubSchemas } from "../stubs/stub-schema.ts";
import { zod } from "./checked.ts";

const titles = {
  "stubs.v1.schema.json": {
    title: "Stubs of Roundtrip's fakes",
    description:
      "What a fake answers to some requests: one stub, or a list of them. The contract defines the messages.",
  },
  "faults.v1.schema.json": {
    title: "A fault plan of Roundtrip's fakes",
    description: "Which calls of a fake fail, how, and how long they take. docs/faults.md is a cookbook.",
  },
} as const;

/** By file name. */
export function jsonSchemas(): Readonly<Record<keyof typeof titles, object>> {
  const z = zod();
  const schemas = { "stubs.v1.schema.json": stubSchemas().file, "faults.v1.schema.json": faultSchemas().plan };
  const written = Object.entries(schemas).map(([name, schema]) => {
    const { $schema, ...json } = z.toJSONSchema(schema, {
      io: "input",
      unrepresentable: "any",
      override: ({ jsonSchema }) => void delete jsonSchema.readOnly,
    });
    const head = { $schema, $id: `https://roundtrip.dev/schema/${name}`, ...titles[name as keyof typeof titles] };
    const { title: _title, ...body } = json;
    return [name, { ...head, ...body }] as const;
  });
  return Object.fromEntries(written) as Record<keyof typeof titles, object>;
}
