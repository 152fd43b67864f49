/**
 * A text as the language `xx` has it: marked at both ends and two fifths longer. Whatever is on a screen without the marks does
 * not come from the messages, and what does not fit is too tight for a longer language.
 */
export const pseudo = (text: string): string => `⟦${text}${'~'.repeat(Math.ceil(text.length * 0.4))}⟧`
