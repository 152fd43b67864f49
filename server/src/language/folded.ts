/** Removes case and accents: the form in which texts are compared, like `fold` in the database. */
export function folded(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
}
