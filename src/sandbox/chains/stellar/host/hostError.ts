/** A failed host function. The text looks like the host's own. */
export class HostError extends Error {
  override readonly name = 'HostError'
}
