// The style of the HTML report: light and dark, for desktop, phone and print.
import { themes } from "../marks/palette.ts";

export const style = `
:root{color-scheme:light dark;${themes.light};--link:#0b5cad;--clear:#00704f;--careful:#9a5b00}
@media (prefers-color-scheme:dark){:root{${themes.dark};--link:#7cc0f5;--clear:#3cc79b;--careful:#f0b45b}}
*,*::before,*::after{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-behavior:smooth}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;overflow-wrap:break-word}
.skip{position:absolute;left:-999px}
.skip:focus{left:1rem;top:1rem;z-index:1;padding:.5rem 1rem;background:var(--paper)}
header,main,footer{max-width:calc(57.5rem + 2.5rem);margin:0 auto;padding:0 1.25rem}
header{padding-top:3rem}
h1{margin:0;font-size:clamp(1.7rem,1.2rem + 2vw,2.4rem);line-height:1.15;letter-spacing:-.02em;text-wrap:balance}
h2{margin:4rem 0 1rem;padding-top:1.25rem;border-top:1px solid var(--line);font-size:1.5rem;letter-spacing:-.01em;line-height:1.25}
h3{margin:2.75rem 0 .75rem;font-size:1.125rem;line-height:1.3}
p,dl,ul,ol{margin:.75rem 0;max-width:42rem}
a{color:var(--link);text-underline-offset:.15em}
:focus-visible{outline:3px solid var(--link);outline-offset:3px;border-radius:2px}
code,pre{font:.875em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.lead,.note,figcaption span,.source{color:var(--quiet)}
.lead{margin:.6rem 0 0}
.note,.source{margin:.6rem 0 1.75rem;font-size:.875rem}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:1.25rem 0 0;padding:0;list-style:none;max-width:none;font-size:.9375rem}
#verdict h2{margin-top:2rem}
.findings{display:grid;gap:.875rem;margin:0;padding:0;list-style:none;max-width:48rem}
.findings li{display:grid;grid-template-columns:8.5rem 1fr;gap:.25rem 1rem;align-items:baseline;font-size:1.0625rem}
.strength{font-size:.8125rem;color:var(--quiet);white-space:nowrap}
.strength b{display:inline-block;width:1.25em;font-size:1rem}
.clear .strength,.likely .strength{color:var(--clear)}
.open .strength{color:var(--careful)}
.scroll{margin:1.25rem 0 0;overflow-x:auto;position:relative}
table{border-collapse:collapse;font-size:.875rem;line-height:1.4;font-variant-numeric:tabular-nums lining-nums}
caption{padding:0 0 .5rem;text-align:start;font-weight:600}
caption span{position:sticky;left:0;display:inline-block;max-width:min(58rem,calc(100vw - 2.5rem))}
th,td{padding:.32rem .8rem .32rem 0;vertical-align:baseline;font-weight:400;white-space:nowrap}
td+td,th+td,th+th{padding-left:.6rem}
th:last-child,td:last-child{padding-right:0}
thead th{color:var(--quiet);font-size:.8125rem;vertical-align:bottom;white-space:normal;border-bottom:1px solid var(--ink)}
tbody tr+tr>*,tbody+tbody tr:first-child>*{border-top:1px solid var(--faint)}
.grouped tbody tr:not(.group) th{padding-left:.9rem}
.grouped .group+tr>*{border-top:0}
.grouped .group th{padding-top:.6rem;padding-bottom:0;font-weight:600}
.end{text-align:end}
.start,tbody th{text-align:start}
tr.published>*{color:var(--quiet);font-style:italic}
tr.floor>*{color:var(--quiet)}
tbody th{position:sticky;left:0;background:var(--paper)}
#environment td,#environment th{white-space:normal;vertical-align:top}
.figures{display:grid;grid-template-columns:1fr 1fr;gap:0 2rem}
figure{margin:1.75rem 0 2rem;min-width:0}
figure.full{grid-column:1/-1}
figcaption{max-width:44rem;margin:0 0 .75rem}
figcaption strong{display:block;font-weight:600;font-size:.9375rem}
figcaption span{display:block;font-size:.8125rem;line-height:1.45}
figure .scroll{margin:0}
figure svg{display:block;max-width:100%;height:auto;overflow:visible}
details{margin:1rem 0;border-left:2px solid var(--line);padding:0 0 0 1rem}
summary{cursor:pointer;padding:.3rem 0;color:var(--link)}
details[open]>summary{margin-bottom:.5rem}
pre{max-height:24rem;margin:.75rem 0;padding:1rem;overflow:auto;background:var(--faint);border-radius:4px}
.warnings{padding:0;list-style:none}
.warnings li{margin:.6rem 0;padding-left:1.5rem;position:relative}
.warnings li::before{content:"!";position:absolute;left:.25rem;font-weight:700;color:var(--careful)}
.warnings code{color:var(--quiet)}
footer{margin-top:4rem;padding-bottom:3rem;color:var(--quiet);font-size:.875rem}
@media (max-width:47.9375rem){
figure svg{max-width:none}
.figures{display:block}
header{padding-top:1.75rem}
header,main,footer{padding-left:1rem;padding-right:1rem}
h2{margin-top:3rem}
.findings li{grid-template-columns:1fr}
table{font-size:.8125rem}
th,td{padding:.3rem .3rem .3rem 0}
td+td,th+td,th+th{padding-left:.3rem}
tbody th{min-width:6.25rem;max-width:9.5rem;white-space:normal;text-wrap:balance}
.grouped{font-size:.75rem}.grouped thead th{font-size:.75rem}
.grouped th,.grouped td{padding-right:.2rem}
.grouped td+td,.grouped th+td,.grouped th+th{padding-left:.2rem}
.grouped tbody th{min-width:0;max-width:none}
.grouped tbody tr:not(.group) th{padding-left:.4rem}
.grouped .group th{max-width:none;position:static}
}
@media print{
:root{${themes.light}}
body{font-size:10pt}nav,.skip{display:none}
header,main,footer{max-width:none}
h2{break-after:avoid}h3,caption{break-after:avoid}figure,tr,.findings li{break-inside:avoid}
.scroll{overflow:visible}table{font-size:7.5pt}tbody th{position:static}
}`;
