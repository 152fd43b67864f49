/** The reason why a database cannot be used, with a message that an operator can act on. */
export class UnsuitableDatabase extends Error {}
