// The labels of the objects of an export, as Kubernetes recommends them:
// https://kubernetes.io/docs/concepts/overview/working-with-objects/common-labels/

/** The role of an object in an export: it serves, makes load, or stores files. */
export type Component = "server" | "generator" | "storage";

export type Labels = Record<string, string>;

const prefix = "app.kubernetes.io/";

/** The labels of everything in an export. @param name the export's */
export function exportLabels(name: string): Labels {
  return { [`${prefix}instance`]: name, [`${prefix}part-of`]: "roundtrip" };
}

/** The labels of all objects with one role, for selectors. */
export function componentLabels(name: string, component: Component): Labels {
  return { ...exportLabels(name), [`${prefix}component`]: component };
}

/** {@link componentLabels}, as `kubectl -l` takes them. */
export function selectorOf(name: string, component: Component): string {
  return Object.entries(componentLabels(name, component))
    .map(([label, value]) => `${label}=${value}`)
    .join(",");
}

/** The labels of one program. @param application for example `grpc-js` */
export function labelsOf(name: string, component: Component, application: string): Labels {
  return {
    [`${prefix}name`]: application,
    ...componentLabels(name, component),
    [`${prefix}managed-by`]: "roundtrip",
  };
}
