/** A failed host function. The text looks like the host's own. */
export class HostError extends Error {
  override readonly name = 'HostError'
}

/** A host function that took more than it declared, or more than the network allows. */
export class BudgetError extends HostError {
  constructor(message: string) {
    super(`HostError: Error(Budget, ExceededLimit): ${message}`)
  }
}
