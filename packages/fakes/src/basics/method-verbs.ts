// The verbs at the start of method names, such as `Get` of `GetBook`.

/** The kind of a method, by the verb at the start of its name. */
export const verbs = {
  get: ["Get", "Read", "Fetch", "Retrieve", "Describe", "Find", "Lookup"],
  list: ["List", "Search", "Query", "Find", "Browse", "Stream"],
  create: ["Create", "Add", "Insert", "Register"],
  update: ["Update", "Patch", "Replace", "Modify", "Edit", "Set", "Put"],
  delete: ["Delete", "Remove"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Verb = keyof typeof verbs;

/** The noun of a method's name: `Book` of `GetBook`, empty for `Get`; undefined without such a verb. */
export function nounAfter(verb: Verb, name: string): string | undefined {
  const found = verbs[verb].find((one) => name.startsWith(one) && !/^[a-z]/.test(name.slice(one.length)));
  return found === undefined ? undefined : name.slice(found.length);
}
