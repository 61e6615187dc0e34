// Shows a short notice, also to screen readers.

export function announce(text) {
  document.getElementById("status").textContent = text;
}
