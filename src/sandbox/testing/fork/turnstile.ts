import type { Pipe } from '../../chains/anvil/connectPipe.ts'

type Ask = Pipe['ask']

/**
 * The way to a node that can be closed for a moment: `alone` waits until nothing is being answered, and holds back what comes
 * meanwhile. So nothing that a test left behind lands between two steps of a revert.
 */
export function turnstile(node: { ask: Ask }): {
  ask: Ask
  alone: <result>(work: (ask: Ask) => Promise<result>) => Promise<result>
} {
  let passing = 0
  let closed: Promise<void> | undefined
  let last: Promise<unknown> = Promise.resolve()
  const closeFor = async <result>(work: (ask: Ask) => Promise<result>): Promise<result> => {
    // Closed only when all is quiet: what goes on by itself, step after step, has come to its end then.
    await quiet(() => passing === 0)
    let open = () => {}
    closed = new Promise((resolve) => {
      open = resolve
    })
    try {
      return await work(node.ask)
    } finally {
      closed = undefined
      open()
    }
  }
  return {
    ask: async (method, params) => {
      while (closed !== undefined) await closed
      passing++
      try {
        return await node.ask(method, params)
      } finally {
        passing--
      }
    },
    alone: (work) => {
      const mine = last.then(() => closeFor(work))
      last = mine.catch(() => {})
      return mine
    },
  }
}

/** Resolves when nothing passes, and nothing new has come of what did. */
async function quiet(isQuiet: () => boolean): Promise<void> {
  const until = performance.now() + quietMaximumMs
  for (let still = 0; still < 3 && performance.now() < until; ) {
    await new Promise((resolve) => (isQuiet() ? setImmediate(resolve) : setTimeout(resolve, 1)))
    still = isQuiet() ? still + 1 : 0
  }
}

/** A program that asks without end, as one that waits for a receipt that never comes, is not waited for. */
const quietMaximumMs = 2_000
