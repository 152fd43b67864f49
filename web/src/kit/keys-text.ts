const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

const names: Record<string, string> = {
  $mod: isMac ? '⌘' : 'Ctrl',
  Escape: 'Esc',
  Enter: '↵',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
}

/** How the keys of a command are shown. */
export function keysText(keys: string): string[] {
  // A sign such as ? says by itself how it is typed.
  return keys
    .replace(/Shift\+(?=[^\p{L}\s\d]$)/u, '')
    .split(/[ +]/)
    .map(key => names[key] ?? (key.length === 1 ? key.toUpperCase() : key))
}
