// Makes elements and notices. Text is never interpreted as markup.

/**
 * @param {string} name
 * @param {Record<string, unknown>} properties attributes; `onclick` and the like are listeners; false and undefined are left out
 * @param {(Node | string | undefined | false)[]} children
 */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "value") made.value = value;
    else made.setAttribute(key, value === true ? "" : /** @type {string} */ (value));
  }
  made.append(...children.filter((child) => child !== undefined && child !== false));
  return made;
}

/** A name with line-break opportunities between its words. */
export function breakable(name) {
  const words = name.split(/(?<=[a-z0-9])(?=[A-Z])/);
  return element("span", {}, ...words.flatMap((word, at) => (at === 0 ? [word] : [element("wbr"), word])));
}

const token = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** A JSON value with syntax colours. */
export function jsonView(value, label) {
  const text = JSON.stringify(value, undefined, 2);
  const view = element("pre", { class: "json", tabindex: "0", "aria-label": label });
  let at = 0;
  for (const match of text.matchAll(token)) {
    view.append(text.slice(at, match.index));
    const [whole, string, colon] = match;
    const kind = string === undefined ? "literal" : colon === undefined ? "string" : "key";
    view.append(element("span", { class: kind }, string ?? whole), colon ?? "");
    at = match.index + whole.length;
  }
  view.append(text.slice(at));
  return view;
}

/** Shows a short notice, also to screen readers. */
export function announce(text) {
  document.getElementById("status").textContent = text;
}
