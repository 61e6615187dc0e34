// The style sheet of the explorer page.

export const explorerStyle = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 22%, transparent); --accent: #1f6feb; }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.45 system-ui, sans-serif; display: grid; gap: 1rem; padding: 1rem; min-height: 100vh;
  grid-template: auto 1fr auto / minmax(11rem, 17rem) minmax(0, 1fr) minmax(0, 1fr); }
header { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: .3rem 1rem; align-items: baseline; }
h1 { font-size: 1.2rem; margin: 0; }
h2 { font-size: .8rem; margin: .9rem 0 .2rem; text-transform: uppercase; letter-spacing: .05em; opacity: .75; }
h2:first-child { margin-top: 0; }
nav { overflow: auto; max-height: 78vh; }
nav button { display: block; width: 100%; text-align: left; border: 0; background: none; padding: .3rem .5rem; border-radius: .3rem; font: inherit; color: inherit; cursor: pointer; overflow-wrap: anywhere; }
nav button:hover { background: var(--line); }
nav button[aria-current] { background: var(--accent); color: #fff; }
section { display: flex; flex-direction: column; gap: .35rem; min-width: 0; }
textarea, pre { font: 13px/1.5 ui-monospace, monospace; border: 1px solid var(--line); border-radius: .4rem; padding: .6rem; margin: 0; tab-size: 2; }
textarea { resize: vertical; background: transparent; color: inherit; width: 100%; }
#document { flex: 2 1 14rem; }
#variables { flex: 1 1 6rem; }
#answer { flex: 1 1 20rem; max-height: 78vh; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
#run { background: var(--accent); color: #fff; border: 0; border-radius: .3rem; padding: .4rem 1.2rem; font: inherit; cursor: pointer; }
#stop { background: none; color: inherit; border: 1px solid var(--line); border-radius: .3rem; padding: .4rem .8rem; font: inherit; cursor: pointer; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
label { font-size: .85rem; opacity: .8; }
p { margin: 0; }
details { grid-column: 1 / -1; min-width: 0; }
details pre { max-height: 70vh; overflow: auto; }
summary { cursor: pointer; }
@media (max-width: 60rem) { body { grid-template-columns: minmax(0, 1fr); grid-template-rows: none; } nav, #answer { max-height: 40vh; } }
`;
