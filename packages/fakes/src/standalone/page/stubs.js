// Stubs: a list, and an editor that shows errors while typing.
import { api, onChange, operationOf, state } from "./state.js";
import { element } from "./element.js";

/** The pause in typing after which a text is checked. */
const pauseMs = 150;

/** Texts being edited, by the id of the stub, or `new`. They survive changes of the list around them. */
const drafts = new Map();
let cards;

function emptyStub(id) {
  const streams = /server|bidi/.test(operationOf(id)?.kind ?? "");
  return `operation: ${id}\nwhen: {}\n${streams ? "responses: [{}]" : "response: {}"}\n`;
}

/** Opens the editor for a new stub with this text, on the page of its operation. */
function draftStub(text) {
  drafts.set("new", text);
  const [, operation] = /^(?:- )?operation: (\S+)/.exec(text) ?? [];
  const place = `#/operations/${operation}`;
  if (location.hash === place) cards?.();
  else location.hash = place;
  document.getElementById("stub-new")?.focus();
}

/** Opens the editor with a stub that repeats the answer of a call. */
export async function draftStubOf({ operation, requests, responses, outcome, message, details }) {
  const call = { operation, requests, responses, outcome, message, details };
  const { text } = await api.post("stubs/from-call", call);
  draftStub(text);
}

function faultText({ message, line }) {
  return line === undefined ? message : message.replace(/^stub:\d+:(?:\d+: )?/, `Line ${line}: `);
}

function editor(id, text, save) {
  const area = element("textarea", {
    id: `stub-${id}`,
    spellcheck: "false",
    rows: String(Math.min(24, text.split("\n").length + 1)),
    value: text,
  });
  const fault = element("p", { class: "fault", role: "alert", id: `fault-${id}` });
  area.setAttribute("aria-describedby", fault.id);
  const showError = (refusal) => {
    fault.textContent = refusal === undefined ? "" : faultText(refusal);
    area.setAttribute("aria-invalid", String(refusal !== undefined));
  };
  const check = async () => {
    const looked = area.value;
    const refusal = await api.post("stubs/check", { text: looked }).then(
      () => undefined,
      (thrown) => thrown,
    );
    if (looked === area.value) showError(refusal);
  };
  let timer;
  area.addEventListener("input", () => {
    drafts.set(id, area.value);
    clearTimeout(timer);
    timer = setTimeout(check, pauseMs);
  });
  const close = () => {
    drafts.delete(id);
    cards?.();
    // Keyboard users continue from here, not from the top of the page.
    (document.getElementById(`edit-${id}`) ?? document.getElementById("add-stub"))?.focus();
  };
  const session = element("input", { id: `session-${id}`, placeholder: "all", size: "8" });
  const submit = async (event) => {
    event.preventDefault();
    try {
      await save(area.value, session.value);
      close();
    } catch (refusal) {
      showError(refusal);
    }
  };
  return element(
    "form",
    { class: "editor", onsubmit: submit },
    element("label", { for: area.id }, id === "new" ? "New stub in YAML" : "Stub in YAML"),
    area,
    fault,
    element(
      "div",
      { class: "bar" },
      element("button", { type: "submit" }, "Save"),
      element("button", { type: "button", class: "quiet", onclick: close }, "Cancel"),
      id === "new" && element("label", { for: session.id }, "only in session"),
      id === "new" && session,
    ),
  );
}

function card({ id, text, origin, isChanged, session }, isOpen) {
  if (drafts.has(id)) {
    return element(
      "li",
      {},
      editor(id, drafts.get(id), (changed) => api.put(`stubs/${id}`, { text: changed })),
    );
  }
  const edit = () => {
    drafts.set(id, text);
    cards?.();
    document.getElementById(`stub-${id}`)?.focus();
  };
  const from =
    session !== undefined
      ? `only in session ${session === "" ? "(none)" : session}`
      : origin === "added"
        ? "added here"
        : isChanged
          ? "from a file, edited here until the file changes"
          : "from a file";
  const summary = text.replace(/^- operation: (?:\S+\.)?/, "").replaceAll(/\s+/g, " ");
  return element(
    "li",
    {},
    element(
      "details",
      { open: isOpen },
      element("summary", {}, summary),
      element("pre", { tabindex: "0", "aria-label": "Stub" }, text),
      element(
        "div",
        { class: "bar" },
        element("span", { class: "muted" }, from),
        element("button", { type: "button", class: "quiet", id: `edit-${id}`, onclick: edit }, "Edit"),
        element("button", { type: "button", class: "quiet", onclick: () => api.remove(`stubs/${id}`) }, "Remove"),
      ),
    ),
  );
}

/** More stubs than these are listed closed. */
const mostOpen = 3;

/** The stubs of an operation; without one, all stubs. */
export function stubCards(operation) {
  const list = element("ul", { class: "stubs" });
  const fresh = element("div");
  const section = element(
    "section",
    { class: "card", "aria-labelledby": "stubs-heading" },
    element("h3", { id: "stubs-heading" }, "Stubs"),
    element("p", { class: "muted" }, "The first matching stub answers. Without one, the answer is made up."),
    list,
    fresh,
  );
  const show = () => {
    // Restores the focus and the caret after redrawing.
    const { id: focused, selectionStart, selectionEnd } = document.activeElement ?? {};
    const stubs = state.stubs.filter((stub) => operation === undefined || stub.operation === operation);
    const isOpen = stubs.length <= mostOpen;
    list.replaceChildren(...stubs.map((stub) => card(stub, isOpen)));
    const add = () => {
      drafts.set("new", emptyStub(operation ?? state.operations[0].id));
      show();
      document.getElementById("stub-new")?.focus();
    };
    fresh.replaceChildren(
      drafts.has("new")
        ? editor("new", drafts.get("new"), (text, session) =>
            api.post("stubs", session === "" ? { text } : { text, session }),
          )
        : element("button", { type: "button", id: "add-stub", onclick: add }, "Add a stub"),
    );
    const again = focused ? document.getElementById(focused) : undefined;
    if (again === document.activeElement) return;
    again?.focus();
    again?.setSelectionRange?.(selectionStart, selectionEnd);
  };
  cards = show;
  show();
  return section;
}

export function stubsView() {
  return element("article", {}, element("h2", {}, "All stubs"), stubCards(undefined));
}

onChange("stubs", () => cards?.());
