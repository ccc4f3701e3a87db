/**
 * What an error of ours keeps of the error that caused it.
 *
 * An error of ours stays as it is: it is clean by itself. Anything foreign becomes a {@link ForeignCause}, which has the
 * name of its class, its own name and its code, and nothing else: errors of libraries hold requests with their headers,
 * the bodies that were sent, and other errors with more of it. Applied in `BaseError` itself.
 *
 * Never throws, whatever the value does while it is looked at.
 */
export function safeCause(cause: unknown): unknown {
  if (cause === undefined || cause === null) return undefined
  if (typeof cause === 'object' && ours.has(cause)) return cause
  return new ForeignCause(cause)
}

/** Says that an error is ours: made by the constructor of `BaseError`, which no copy, proxy or look-alike was. */
export function markOurs(error: Error): void {
  ours.add(error)
}

const ours = new WeakSet<object>()

/**
 * What is left of an error that is not ours.
 *
 * `name` is what the error called itself (`TypeError`, `UserRejectedRequestError`), `className` what its class is called
 * (a minified library's may be one letter), `code` its code, or the first one that is found in what it wraps
 * (`ECONNREFUSED` of a failed `fetch`). So `error.walk((cause) => (cause as Error).name === 'HttpRequestError')` takes the
 * place of `instanceof HttpRequestError`.
 */
export class ForeignCause extends Error {
  override readonly name: string
  readonly className: string
  readonly code: string | number | undefined

  constructor(foreign: unknown) {
    const { name, className = typeof foreign, code } = readForeign(foreign) ?? {}
    super(code === undefined ? '' : `code ${code}`)
    this.name = name ?? className
    this.className = className
    this.code = code
    // Where it was reduced is of no use to anybody.
    Object.defineProperty(this, 'stack', { value: String(this) })
  }
}

/** The names and the code of a foreign error, each only when it has the form of one; `name` for errors alone. */
export function readForeign(
  error: unknown,
):
  | { name?: string | undefined; className?: string | undefined; code?: string | number | undefined }
  | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const names = attempt(() => ({ own: Reflect.get(error, 'name'), class: Reflect.get(error, 'constructor') }))
  const className = attempt(() => asName(Object(names?.class).name))
  return {
    name: attempt(() => error instanceof Error || 'message' in error) ? asName(names?.own) : undefined,
    className,
    code: codeOf(error),
  }
}

/** The code of an error, or of what it wraps, the nearest first. */
function codeOf(error: object): string | number | undefined {
  const queue: unknown[] = [error]
  for (let at = 0; at < queue.length && at < 16; at++) {
    const part = queue[at]
    for (const key of ['code', ...wrappers]) {
      const value = attempt(() => Reflect.get(Object(part), key))
      if (key === 'code' && isCode(value)) return value
      if (typeof value === 'object' && value !== null && !queue.includes(value)) queue.push(value)
    }
  }
  return undefined
}

/** Where errors of fetch, viem, ethers, WalletConnect and wallets keep the error that they wrap. */
const wrappers = ['cause', 'error', 'originalError', 'info', 'data', 'errors', '0']

/** The name of a class, and no text that somebody put in its place: keys and tokens have many digits. */
function asName(name: unknown): string | undefined {
  return typeof name === 'string' && name.length <= 50 && /^(?!(?:.*\d){5})[A-Za-z]\w*$/.test(name)
    ? name
    : undefined
}

/** `-32000`, `4001`, `ECONNREFUSED`, `ACTION_REJECTED`, `23505`: shorter in each word than any secret. */
function isCode(code: unknown): code is string | number {
  return typeof code === 'number'
    ? Number.isInteger(code) && Math.abs(code) < 1e6
    : typeof code === 'string' &&
        /^(?:-?\d{1,6}|[A-Z0-9]{5}|[A-Z][A-Z0-9]{0,15}(?:_[A-Z0-9]{1,16}){0,5})$/.test(code)
}

function attempt<value>(read: () => value): value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
