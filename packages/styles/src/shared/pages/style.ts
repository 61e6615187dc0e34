// The style sheet of API pages: light or dark as the browser prefers, without external resources.
export const style = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent); --soft: color-mix(in srgb, currentColor 6%, transparent); }
body { margin: 0 auto; padding: 1.5rem 1.25rem 6rem; max-width: 62rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 1.8rem; }
h2 { margin: 2.5rem 0 .5rem; font-size: 1.3rem; }
h3 { margin: 1.2rem 0 .3rem; font-size: .8rem; letter-spacing: .06em; text-transform: uppercase; opacity: .7; }
p { margin: .4rem 0; }
code, pre { font: .9em/1.45 ui-monospace, monospace; }
pre { margin: .4rem 0; padding: .7rem .9rem; border-radius: .4rem; background: var(--soft); overflow-x: auto; overflow-wrap: normal; }
details { margin: .5rem 0; border: 1px solid var(--line); border-radius: .5rem; }
details > div { padding: 0 1rem 1rem; }
summary { padding: .6rem 1rem; cursor: pointer; }
summary code { font-weight: 600; }
summary .about { opacity: .75; margin-left: .5rem; }
.method { display: inline-block; min-width: 4.2rem; padding: .05rem .4rem; margin-right: .5rem; border-radius: .3rem; color: white; font: 700 .78rem/1.6 ui-monospace, monospace; text-align: center; background: #555; }
.get { background: #1f6f43; } .post { background: #1f4f9a; } .put { background: #8a5300; } .patch { background: #6a3d9a; } .delete { background: #a3242b; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { font-size: .85rem; opacity: .7; }
td p { margin: 0; }
td:first-child code { white-space: nowrap; }
.required { font-size: .8em; opacity: .7; }
nav a { margin-right: 1rem; }
@media (max-width: 40rem) { table, tbody, tr, td { display: block; } thead { display: none; } td { border: 0; padding: .1rem 0; } tr { border-bottom: 1px solid var(--line); padding: .4rem 0; } }
`;
