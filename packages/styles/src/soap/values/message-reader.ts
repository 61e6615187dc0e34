// Reads elements into messages while they are parsed. Compiles each type once into the places of its children.
import { maxNesting, memoize } from "@roundtrip/contract";
import { create, ScalarType, type DescField, type DescMessage, type Message } from "@bufbuild/protobuf";
import type { SaxesTagNS } from "saxes";
import { fieldsOf, particlesOf } from "../schema/names.ts";
import { ElementError, xsiNamespace, checkSpace, skipped, type Frame } from "../xml.ts";
import { keyForm, valueForm, type ValueForm } from "./field-form.ts";
import { isUnwrapped, setOwn } from "../../shared/local-values.ts";
import type { TextForm } from "./scalar-forms.ts";

/** Elements that are not of the contract: refused by servers, ignored by clients, whose server may be newer. */
export type UnknownElements = "refused" | "ignored";

interface Child {
  readonly name: string;
  /** The place in the sequence. The members of a choice share one. */
  readonly place: number;
  readonly repeats: boolean;
  /** Whether `xsi:nil` may stand for no value. */
  readonly isNillable: boolean;
  readonly open: (context: Context) => Frame;
  readonly put: (target: object, value: unknown) => void;
}

interface Context {
  readonly unknown: UnknownElements;
  /** The depth of the message around, from 1. */
  readonly depth: number;
}

/** A message type or the entry of a map. */
interface Plan {
  readonly make: () => object;
  readonly children: ReadonlyMap<string, Child>;
}

class TextFrame implements Frame {
  readonly step = "";
  readonly #form: TextForm;
  #text = "";

  constructor(form: TextForm) {
    this.#form = form;
  }

  open({ local }: SaxesTagNS): Frame {
    throw new ElementError(`has an element ${local}, and is text`);
  }

  text(text: string): void {
    this.#text += text;
  }

  close(): unknown {
    return this.#form.read(this.#text);
  }

  closed(): void {
    // Text has no children.
  }
}

/** An element with `xsi:nil`: it is empty. */
const nil: Frame = {
  step: "",
  open({ local }) {
    throw new ElementError(`has an element ${local}, and is nil`);
  },
  text: checkSpace,
  close: () => undefined,
  closed: () => undefined,
};

class PlanFrame implements Frame {
  readonly #plan: Plan;
  readonly #context: Context;
  readonly #target: object;
  #place = -1;
  #child: Child | undefined;

  constructor(plan: Plan, context: Context) {
    if (context.depth > maxNesting) throw new ElementError(`messages nest more than ${maxNesting} levels deep`);
    this.#plan = plan;
    this.#context = context;
    this.#target = plan.make();
  }

  get step(): string {
    return this.#child?.name ?? "";
  }

  open(tag: SaxesTagNS): Frame {
    const child = tag.uri === "" ? this.#plan.children.get(tag.local) : undefined;
    if (child === undefined) return this.#unknown(tag);
    this.#child = child;
    if (child.place < this.#place) throw new ElementError("stands behind an element that the schema has after it");
    if (child.place === this.#place && !child.repeats) throw new ElementError("occurs twice, or beside another choice");
    this.#place = child.place;
    if (!isNil(tag)) return child.open(this.#context);
    if (!child.isNillable) throw new ElementError("cannot be nil");
    return nil;
  }

  text(text: string): void {
    checkSpace(text);
  }

  close(): unknown {
    return this.#target;
  }

  closed(value: unknown): void {
    if (value !== undefined) this.#child?.put(this.#target, value);
    this.#child = undefined;
  }

  #unknown({ local, uri }: SaxesTagNS): Frame {
    if (this.#context.unknown === "ignored") return skipped;
    this.#child = { ...nothing, name: local };
    throw new ElementError(uri === "" ? "there is no such element" : `there is no such element in ${uri}`);
  }
}

const nothing: Child = {
  name: "",
  place: 0,
  repeats: false,
  isNillable: false,
  open: () => skipped,
  put: () => undefined,
};

/** Whether an element says that it is nil. Throws for attributes that the schema does not have; those of XML Schema itself are allowed. */
function isNil({ attributes }: SaxesTagNS): boolean {
  let found = false;
  for (const name in attributes) {
    const { uri, local, value, prefix } = attributes[name] as (typeof attributes)[string];
    if (uri === xsiNamespace) found ||= local === "nil" && (value === "true" || value === "1");
    else if (prefix !== "xmlns" && name !== "xmlns") throw new ElementError(`has an attribute ${name}`);
  }
  return found;
}

function openerOf(form: ValueForm): Child["open"] {
  if (form.kind === "text") {
    const { form: text } = form;
    return () => new TextFrame(text);
  }
  const plan = planOf(form.desc);
  return ({ unknown, depth }) => new PlanFrame(plan, { unknown, depth: depth + 1 });
}

function childOf(field: DescField, place: number): Child {
  const { name, localName, oneof, fieldKind } = field;
  const form = valueForm(field);
  const local = form.kind === "message" ? form.fromMessage : undefined;
  const asLocal = (value: unknown): unknown => (local === undefined ? value : local(value as Message));
  const base = { name, place, repeats: false, isNillable: isUnwrapped(field) };
  if (field.fieldKind === "map") return mapChild(field, place, asLocal);
  const open = openerOf(form);
  if (fieldKind === "list") {
    const put: Child["put"] = (target, value) =>
      void (target as Record<string, unknown[]>)[localName]?.push(asLocal(value));
    return { ...base, repeats: true, open, put };
  }
  if (oneof !== undefined) {
    const put: Child["put"] = (target, value) =>
      setOwn(target, oneof.localName, { case: localName, value: asLocal(value) });
    return { ...base, open, put };
  }
  return { ...base, open, put: (target, value) => setOwn(target, localName, asLocal(value)) };
}

interface Entry {
  key: unknown;
  value: unknown;
}

function mapChild(
  field: DescField & { readonly fieldKind: "map" },
  place: number,
  asLocal: (value: unknown) => unknown,
): Child {
  const { name, localName } = field;
  const key = keyForm(field);
  const form = valueForm(field);
  const children = new Map<string, Child>([
    [
      "key",
      {
        ...nothing,
        name: "",
        open: () => new TextFrame(key),
        put: (entry, value) => void ((entry as Entry).key = value),
      },
    ],
    [
      "value",
      { ...nothing, place: 1, open: openerOf(form), put: (entry, value) => void ((entry as Entry).value = value) },
    ],
  ]);
  const plan: Plan = { children, make: () => ({ key: zeroOf(field.mapKey), value: undefined }) };
  const absent = absentOf(field, form);
  return {
    name,
    place,
    repeats: true,
    isNillable: false,
    open: (context) => new PlanFrame(plan, context),
    put(target, entry) {
      const { key: given, value } = entry as Entry;
      const map = (target as Record<string, object>)[localName] as object;
      setOwn(map, String(given), asLocal(value ?? absent()));
    },
  };
}

function zeroOf(scalar: ScalarType): unknown {
  if (scalar === ScalarType.STRING) return "";
  return scalar === ScalarType.BOOL ? false : 0;
}

/** The value of an entry without one. */
function absentOf(field: DescField, form: ValueForm): () => unknown {
  const { message } = field;
  if (message !== undefined) return () => create(message);
  if (field.enum !== undefined) return () => field.enum?.values[0]?.number;
  if (form.kind === "text" && form.form.type === "base64Binary") return () => new Uint8Array();
  const text = form.kind === "text" && form.form.type === "string" ? "" : "0";
  return () => (form.kind === "text" ? form.form.read(text) : undefined);
}

const planOf = memoize((desc: DescMessage): Plan => {
  let children: ReadonlyMap<string, Child> | undefined;
  return {
    make: () => create(desc),
    // Compiled on first use, because types may be recursive.
    get children() {
      return (children ??= new Map(
        particlesOf(desc).flatMap((particle, place) =>
          fieldsOf(particle).map((field) => [field.name, childOf(field, place)] as const),
        ),
      ));
    },
  };
});

/** The frame of an element that holds a message; its value is the message. */
export function messageFrame(desc: DescMessage, unknown: UnknownElements): Frame {
  return new PlanFrame(planOf(desc), { unknown, depth: 1 });
}
