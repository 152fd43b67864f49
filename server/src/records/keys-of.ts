/** The keys of an object that has no others than its type says. `Object.keys` returns plain texts, for objects may have more. */
export function keysOf<T extends object>(value: T): (keyof T & string)[] {
  return Object.keys(value) as (keyof T & string)[]
}
