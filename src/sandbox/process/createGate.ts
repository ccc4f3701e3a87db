/** Runs work concurrently, and can hold back new work while exclusive work runs. */
export type Gate = {
  pass: <result>(work: () => Promise<result> | result) => Promise<result>
  /** Closes the gate for new work, waits up to `timeoutMs` for pending work, runs `work` and opens the gate again. */
  whileShut: <result>(
    work: () => Promise<result>,
    options: { timeoutMs: number; onTimeout: () => Error },
  ) => Promise<result>
}

export function createGate(): Gate {
  let underWay = 0
  let shut: Promise<void> | undefined
  let onEmpty = () => {}
  return {
    pass: async (work) => {
      while (shut !== undefined) await shut
      underWay++
      try {
        return await work()
      } finally {
        underWay--
        if (underWay === 0) onEmpty()
      }
    },
    whileShut: async (work, { timeoutMs, onTimeout }) => {
      while (shut !== undefined) await shut
      let open = () => {}
      shut = new Promise<void>((resolve) => {
        open = () => {
          shut = undefined
          resolve()
        }
      })
      try {
        if (underWay > 0)
          await new Promise<void>((resolve, reject) => {
            const timer = setTimeout(() => reject(onTimeout()), timeoutMs)
            onEmpty = () => {
              clearTimeout(timer)
              resolve()
            }
          })
        return await work()
      } finally {
        onEmpty = () => {}
        open()
      }
    },
  }
}
