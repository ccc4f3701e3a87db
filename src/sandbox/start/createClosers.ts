/** What has been opened, so that it can be closed. */
export type Closers = {
  add: (close: () => Promise<unknown>) => void
  /** Last opened, first closed; all of them, also when one fails. Throws the first failure at the end. */
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
