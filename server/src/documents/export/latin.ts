// The letters that every PDF reader has fonts for (the encoding WinAnsi), beside those of ISO 8859-1.
const further = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'

/**
 * The text in letters that the built-in fonts have: accents that they lack are dropped, and what remains becomes a question
 * mark. The operator names a font for other scripts.
 */
export function latin(text: string): string {
  return Array.from(text.normalize('NFC'), letter => (isLatin(letter) ? letter : nearest(letter))).join('')
}

function isLatin(letter: string): boolean {
  return /^[\n\x20-\x7e\xa0-\xff]$/.test(letter) || further.includes(letter)
}

function nearest(letter: string): string {
  if (/^[\p{Cc}\p{Cf}\p{Mn}]$/u.test(letter)) return ''
  const base = letter.normalize('NFKD').replace(/\p{Mn}/gu, '')
  return base !== '' && Array.from(base).every(isLatin) ? base : '?'
}
