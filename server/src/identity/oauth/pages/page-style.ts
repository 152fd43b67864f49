/** How a workspace wants to be seen before somebody signs in. */
export interface Brand {
  name: string
  logoUrl: string
  color: string
}

/** The look of all pages: the colours and sizes of the web app, light or dark as the browser prefers. */
export const style = `
:root { color-scheme: light dark; --canvas: #F6F7F9; --sheet: #FFFFFF; --line-2: #CBD0D8; --edge: #7C838F; --ink-1: #1A1D23; --ink-2: #454B56; --ink-3: #5C6370; --accent: #3451C6; --on-accent: #FFFFFF; --bad: #B4232A; --bad-soft: #FCE7E7 }
@media (prefers-color-scheme: dark) { :root { --canvas: #111318; --sheet: #181B21; --line-2: #3B424E; --edge: #7F8796; --ink-1: #ECEEF2; --ink-2: #BCC2CD; --ink-3: #9AA2B0; --accent: #8AA2FF; --on-accent: #0F1320; --bad: #FF8A8A; --bad-soft: #3A1A1C } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem 1rem; background: var(--canvas); color: var(--ink-1); font: .875rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif }
main { width: 100%; max-width: 22.5rem; display: grid; gap: 1rem }
.brand { display: flex; align-items: center; gap: .625rem; margin: 0 0 .5rem; font-weight: 600; font-size: 1rem }
.brand svg, .brand img { width: 2rem; height: 2rem; border-radius: .375rem; flex: none }
.brand svg { padding: .375rem; background: var(--ink-1); stroke: var(--canvas); stroke-width: 1.5; fill: none; stroke-linecap: round; stroke-linejoin: round }
.brand img { object-fit: contain }
h1 { margin: 0; font-size: 1.5rem; line-height: 2rem; font-weight: 600; letter-spacing: -.015em }
p { margin: 0; color: var(--ink-2); overflow-wrap: anywhere }
p strong, p code { color: var(--ink-1) }
form { display: grid; gap: 1rem }
form[hidden] { display: none }
label { display: block; font-size: .8125rem; font-weight: 500; color: var(--ink-2) }
small { font-size: .75rem; font-weight: 400; color: var(--ink-3) }
input { display: block; width: 100%; min-height: 2.5rem; margin-top: .25rem; padding: .5rem .6875rem; font: inherit; font-size: .875rem; font-weight: 400; color: var(--ink-1); background: var(--sheet); border: 1px solid var(--edge); border-radius: .375rem }
button, a.other { display: block; width: 100%; min-height: 2.5rem; padding: .5625rem 1rem; font: inherit; font-size: .875rem; font-weight: 500; text-align: center; text-decoration: none; color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: .375rem; cursor: pointer }
button.other, a.other { color: var(--ink-1); background: var(--sheet); border-color: var(--line-2) }
label.check { display: flex; gap: .75rem; padding: .75rem; line-height: 1.25rem; color: var(--ink-1); border: 1px solid var(--line-2); border-radius: .375rem }
label.check input { width: 1rem; height: 1rem; min-height: 0; margin: .125rem 0 0; flex: none; accent-color: var(--accent) }
label.check small { display: block; font-size: .8125rem }
.or { display: grid; grid-template-columns: 1fr auto 1fr; gap: .75rem; align-items: center; font-size: .75rem; color: var(--ink-3) }
.or::before, .or::after { content: ""; height: 1px; background: var(--line-2) }
.beside { display: flex; justify-content: space-between; gap: 1rem }
.alert { padding: .625rem .75rem; font-size: .8125rem; color: var(--bad); background: var(--bad-soft); border-radius: .375rem }
main:has(article) { max-width: 40rem; align-self: start }
article { padding: .75rem 1rem; background: var(--sheet); border: 1px solid var(--line-2); border-radius: .375rem; overflow-wrap: anywhere }
article.own { margin-left: 2rem }
article :is(img, table, pre) { max-width: 100% }
article pre { overflow-x: auto }
textarea { display: block; width: 100%; min-height: 6rem; margin-top: .25rem; padding: .5rem .6875rem; font: inherit; color: var(--ink-1); background: var(--sheet); border: 1px solid var(--edge); border-radius: .375rem; resize: vertical }
fieldset { display: flex; gap: .75rem; margin: 0; padding: 0; border: 0 }
fieldset label { flex: 1; text-align: center }
fieldset input { width: 1.25rem; min-height: 1.25rem; margin: 0 auto .25rem; accent-color: var(--accent) }
a { color: var(--accent) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
ul { margin: 0; padding-left: 1.25rem; color: var(--ink-2) }
ul.codes { padding: 0; list-style: none }
code { font: 600 1.5rem/1.5 ui-monospace, "SF Mono", "Cascadia Mono", "Liberation Mono", monospace; letter-spacing: .1em }
code.key { font-size: 1rem; letter-spacing: .04em }
article code { font-size: .8125rem; font-weight: 400; letter-spacing: normal }`

/**
 * The colour of a workspace instead of ours, with the ink that can be read on it. On the ground of the pages it must differ enough in
 * each theme; where it does not, ours stays.
 */
export function brandStyle(color: string): string {
  if (!/^#[0-9a-f]{6}$/i.test(color)) return ''
  const onIt = contrast(color, '#FFFFFF') >= contrast(color, '#0F1320') ? '#FFFFFF' : '#0F1320'
  if (contrast(color, onIt) < readable) return ''
  const rule = `:root { --accent: ${color}; --on-accent: ${onIt} }`
  const light = contrast(color, '#F6F7F9') >= readable ? `@media (prefers-color-scheme: light) { ${rule} }\n` : ''
  const dark = contrast(color, '#111318') >= readable ? `@media (prefers-color-scheme: dark) { ${rule} }\n` : ''
  return light || dark ? `\n${light}${dark}` : ''
}

/** The least contrast of text, by WCAG 2.2. */
const readable = 4.5

/** The contrast of two colours, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map(at => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
