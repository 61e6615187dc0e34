// The order of a message's elements: fields by number, and the members of a oneof together, where its first member stands.
import type { DescField, DescMessage, DescOneof } from "@bufbuild/protobuf";

/** A field, or the choice between the members of a oneof, by number. */
export type Particle = DescField | DescOneof;

const known = new WeakMap<DescMessage, readonly Particle[]>();

export function particlesOf(message: DescMessage): readonly Particle[] {
  const found = known.get(message);
  if (found !== undefined) return found;
  const particles = new Set<Particle>();
  for (const field of message.fields.toSorted((one, other) => one.number - other.number)) {
    particles.add(field.oneof ?? field);
  }
  const ordered = [...particles];
  known.set(message, ordered);
  return ordered;
}

/** The members of a choice, by number; the field itself for a field. */
export function fieldsOf(particle: Particle): readonly DescField[] {
  return particle.kind === "oneof" ? particle.fields.toSorted((one, other) => one.number - other.number) : [particle];
}
