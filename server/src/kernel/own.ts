/** Looks up a name that a caller gave, without the inherited properties such as `constructor`. */
export function own<T>(object: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}
