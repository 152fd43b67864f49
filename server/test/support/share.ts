/** The share of a divided suite that a module runs: the runner imports it as `isolation.test.ts?share=2/3`. */
export function shareOf(moduleUrl: string): { index: number; count: number } {
  const [index = 1, count = 1] = (new URL(moduleUrl).searchParams.get('share') ?? '1/1').split('/').map(Number)
  return { index: index - 1, count }
}

/** Every `count`th element of a list: all shares together contain each element exactly once. */
export function inShare<T>(moduleUrl: string, list: readonly T[]): T[] {
  const { index, count } = shareOf(moduleUrl)
  return list.filter((_, i) => i % count === index)
}
