// The name of an uploaded file is data: it is shown and sent back, and never becomes part of a path.

const maxLength = 255

// Control characters, and characters that change the reading direction or have no width, can make a name look like
// another.
const deceptive = /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu

/**
 * The last part of a path without deceptive characters: `C:\docs\a\u0000b.txt` → `ab.txt`. Empty if nothing remains.
 */
export function plainName(given: string): string {
  const last = given.toWellFormed().normalize('NFC').split(/[\\/]/).at(-1) ?? ''
  const plain = last.replace(deceptive, '').trim().replace(/^\.+$/, '')
  return shortened(plain)
}

/** A long name keeps its extension, because programs depend on it. */
function shortened(name: string): string {
  const letters = Array.from(name)
  if (letters.length <= maxLength) return name
  const ending = Array.from(/\.[^.]{1,20}$/.exec(name)?.[0] ?? '')
  return [...letters.slice(0, maxLength - ending.length), ...ending].join('')
}

/** The `Content-Disposition` header: save the file under its name, or show it inline. */
export function disposition(name: string, inline: boolean): string {
  const ascii =
    name
      .normalize('NFKD')
      .replace(/[^\x20-\x7e]/g, '')
      .replace(/["\\%]/g, '_') || 'file'
  const exact = encodeURIComponent(name).replace(
    /['()*!]/g,
    letter => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${inline ? 'inline' : 'attachment'}; filename="${ascii}"; filename*=UTF-8''${exact}`
}
