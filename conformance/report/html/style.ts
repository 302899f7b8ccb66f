/** Both color schemes have a contrast of at least 4.5 to 1. Each status is a word, because color alone is not enough. */
export const style = `
:root { color-scheme: light dark;
  --page: #f6f7f9; --card: #fff; --line: #d9dee5; --ink: #1b2330; --soft: #5a6576; --link: #0b57b0; --code: #f1f3f6; --focus: #0b57b0;
  --good: #17663a; --good-on: #e2f4e8; --bad: #a81e1e; --bad-on: #fde7e6; --doubt: #6d4a00; --doubt-on: #fbf0d5;
  --plain: #4d5766; --plain-on: #e9ecf1; }
@media (prefers-color-scheme: dark) { :root {
  --page: #12161c; --card: #1a2029; --line: #303947; --ink: #e5eaf1; --soft: #a0abbb; --link: #84b6f7; --code: #12161c; --focus: #84b6f7;
  --good: #7fd6a0; --good-on: #14331f; --bad: #ff9d95; --bad-on: #45191a; --doubt: #ecc872; --doubt-on: #392c0d;
  --plain: #b6c0ce; --plain-on: #2a323e; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 4.5rem; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
header, main, footer { max-width: 72rem; margin: 0 auto; padding: 0 1.25rem; }
code, pre, .name { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .87em; }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
.skip { position: absolute; left: -99rem; } .skip:focus { left: 1rem; top: .5rem; background: var(--card); padding: .4rem .8rem; }
header { padding-top: 2rem; }
.eyebrow { margin: 0; color: var(--soft); }
h1 { margin: .1rem 0 .4rem; font-size: 1.7rem; line-height: 1.25; }
h1.bad { color: var(--bad); } h1.good { color: var(--good); } h1.warning { color: var(--doubt); }
.summary { margin: 0 0 .3rem; color: var(--soft); }
.setup, .item { background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
.setup { margin: 0 0 1rem; padding: .7rem .9rem; }
.setup summary { font-weight: 600; } .setup[open] summary { margin-bottom: .5rem; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .3rem 1.1rem; margin: 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
.alarm { margin: 0 0 1rem; padding: .7rem .9rem; border-left: 4px solid var(--bad); background: var(--bad-on); }
.bar { position: sticky; top: 0; z-index: 1; background: var(--page); border-bottom: 1px solid var(--line); }
.bar div { max-width: 72rem; margin: 0 auto; padding: .6rem 1.25rem; display: flex; flex-wrap: wrap; gap: .4rem; align-items: center; }
button { font: inherit; color: inherit; border: 1px solid var(--line); border-radius: 6px; background: var(--card); padding: .2rem .65rem; }
button { cursor: pointer; } button[aria-pressed=true] { background: var(--ink); border-color: var(--ink); color: var(--card); }
h2 { margin: 1.9rem 0 .6rem; font-size: 1.13rem; } h2 small { margin-left: .5rem; color: var(--soft); font-weight: 400; font-size: .82rem; }
.item { margin: 0 0 .4rem; }
.item.failure { border-color: var(--bad); }
.item > summary { display: flex; gap: .8rem; align-items: baseline; padding: .5rem .8rem; cursor: pointer; list-style: none; }
.item > summary::-webkit-details-marker { display: none; }
.item > summary:hover { background: var(--code); border-radius: 8px; }
.item > summary .badge { flex: none; min-width: 6.6rem; text-align: center; }
.what { flex: 1 1 auto; min-width: 0; overflow-wrap: anywhere; } .what p { margin: 0; color: var(--soft); } .what .name { font-weight: 600; }
.about { flex: none; color: var(--soft); font-size: .82rem; }
.badge { display: inline-block; border-radius: 5px; padding: 0 .5rem; font-size: .82rem; font-weight: 600; }
${[
  ['plain', '.untested, .observed, .open'],
  ['good', '.pass, .held'],
  ['doubt', '.known-fail, .unexpected, .error, .blocked, .possible, .client'],
  ['bad', '.fail, .violated'],
]
  .map(([color, statuses]) => `.badge:is(${statuses}) { color: var(--${color}); background: var(--${color}-on); }`)
  .join('\n')}
.inner { padding: .7rem .9rem .9rem; border-top: 1px solid var(--line); }
.exchanges { margin-top: .8rem; } .exchanges h3 { margin: 0 0 .3rem; font-size: .87rem; color: var(--soft); font-weight: 600; }
.exchange { border: 1px solid var(--line); border-radius: 6px; margin-top: .3rem; }
.exchange > summary, p.exchange { padding: .25rem .7rem; cursor: pointer; overflow-wrap: anywhere; }
p.exchange { border-style: dashed; margin-bottom: 0; } .exchange .time { color: var(--soft); }
pre { margin: 0; padding: .7rem .9rem; background: var(--code); overflow: auto; max-height: 26rem; border-top: 1px solid var(--line); white-space: pre-wrap; overflow-wrap: anywhere; }
.label { margin: 0; padding: .3rem .9rem; color: var(--soft); font-size: .82rem; border-top: 1px solid var(--line); }
footer { padding-block: 2.5rem; color: var(--soft); }
[hidden] { display: none !important; }
@media (max-width: 44rem) { .item > summary { flex-wrap: wrap; gap: .1rem .6rem; } .what { flex-basis: 100%; order: 3; } dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .4rem; } .bar { position: static; } }
@media print { .bar { display: none; } body { background: none; } .item { break-inside: avoid; } }
`;
