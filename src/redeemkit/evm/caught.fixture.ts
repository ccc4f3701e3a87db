/** Returns the error that a function throws; `undefined` if it returns normally. */
export function caught(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  return undefined
}
