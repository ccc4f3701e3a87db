export type Closers = {
  add: (close: () => Promise<unknown>) => void
  /** Calls all close functions in reverse order, even if one fails. Then throws the first failure, if any. */
  closeAll: () => Promise<void>
}

export function createClosers(): Closers {
  const closers: (() => Promise<unknown>)[] = []
  return {
    add: (close) => {
      closers.push(close)
    },
    closeAll: async () => {
      const results = []
      for (const close of closers.splice(0).reverse()) results.push(await Promise.allSettled([close()]))
      const failed = results.flat().find((result) => result.status === 'rejected')
      if (failed !== undefined) throw failed.reason
    },
  }
}

/** Like `Promise.all`, but rejects only after all promises have settled, so that the caller can close the parts that have started. */
export async function allOrNone<value>(promises: readonly Promise<value>[]): Promise<value[]> {
  const results = await Promise.allSettled(promises)
  const failed = results.find((result) => result.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
}
