/** What an object itself has under a name that somebody gave: not what every object has, such as `constructor`. */
export function own<T>(object: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}
