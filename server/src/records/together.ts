/**
 * Waits for reads that run side by side: their statements travel in one round trip where none needs the result of another. After a failure it
 * waits for the others as well, so that none of them uses the connection when somebody else has it.
 */
export async function together<T extends readonly unknown[] | []>(
  reads: T,
): Promise<{ -readonly [P in keyof T]: Awaited<T[P]> }> {
  try {
    return await Promise.all(reads)
  } catch (error) {
    await Promise.allSettled(reads)
    throw error
  }
}
