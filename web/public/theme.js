// Runs before the first paint, so that nobody sees the wrong theme for a moment.
const kept = localStorage.getItem('theme')
const dark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.dataset.theme = dark ? 'dark' : 'light'
const density = localStorage.getItem('density')
if (density) document.documentElement.dataset.density = density
