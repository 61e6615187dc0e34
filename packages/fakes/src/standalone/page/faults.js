// The fault plan editor.
import { api, onChange, state } from "./state.js";
import { element } from "./element.js";

let show;

export function faultsView() {
  const area = element("textarea", { id: "plan", rows: "18", spellcheck: "false" });
  const fault = element("p", { class: "fault", role: "alert" });
  show = () => {
    area.value = state.faults.text;
  };
  show();
  const attempt = async (work) => {
    try {
      await work();
      fault.textContent = "";
    } catch ({ message }) {
      fault.textContent = message;
    }
  };
  const save = (event) => {
    event.preventDefault();
    return attempt(() => api.put("faults", { text: area.value }));
  };
  const preset = (name) => {
    const fill = () => {
      area.value = `presets: [${name}]\n`;
      fault.textContent = "";
      area.focus();
    };
    return element("button", { type: "button", class: "quiet", onclick: fill }, name);
  };
  const none = () => attempt(() => api.remove("faults"));
  return element(
    "article",
    {},
    element("h2", {}, "Faults"),
    element(
      "p",
      { class: "muted" },
      "Which calls fail and how long they take, in YAML or JSON. It applies to all callers once it is saved.",
    ),
    element(
      "form",
      { class: "card", onsubmit: save },
      element(
        "div",
        { class: "bar presets", role: "group", "aria-label": "Presets" },
        element("span", { class: "muted" }, "Start from"),
        ...state.faults.presets.map(preset),
      ),
      element("label", { for: "plan" }, "Fault plan"),
      area,
      fault,
      element(
        "div",
        { class: "bar" },
        element("button", { type: "button", class: "quiet", onclick: none }, "No faults"),
        element("button", { type: "submit" }, "Save"),
      ),
    ),
  );
}

onChange("faults", () => show?.());
