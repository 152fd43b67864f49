/** More links than a text for people has; a list of keys is no text. */
const maxTargets = 1000

const itemKey = /\[\[([a-z][a-z0-9]{0,9}-\d{1,15})\]\]/gi
const documentId = /\/(?:doc|article)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![0-9a-f-])/gi

/** The items and documents that a text refers to: `[[dev-1]]` → `DEV-1`, `/doc/{id}` and `/article/{id}` → the id. Each once. */
export function linkTargets(text: string): string[] {
  const targets = new Set<string>()
  for (const [, key = ''] of text.matchAll(itemKey)) targets.add(key.toUpperCase())
  for (const [, id = ''] of text.matchAll(documentId)) targets.add(id.toLowerCase())
  return [...targets].slice(0, maxTargets)
}
