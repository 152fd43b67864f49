/** The keys of an object that has no others than its type says. `Object.keys` returns plain texts, for objects may have more. */
export function keysOf<T extends object>(value: T): (keyof T & string)[] {
  return Object.keys(value) as (keyof T & string)[]
}

/** A value for each of the names. `Object.fromEntries` returns an index signature, which loses them. */
export function recordOf<K extends string, V>(names: readonly K[], value: (name: K, index: number) => V): Record<K, V> {
  return Object.fromEntries(names.map((name, index) => [name, value(name, index)])) as Record<K, V>
}
