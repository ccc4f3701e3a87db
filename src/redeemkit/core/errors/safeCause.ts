import { attempt } from '../attempt.ts'
/**
 * Libraries' errors contain whole requests, so only the safe parts of a cause are kept. Never throws, even if reading the value throws.
 */
export function safeCause(cause: unknown): unknown {
  if (cause === undefined || cause === null) return undefined
  if (typeof cause === 'object' && ours.has(cause)) return cause
  return new ForeignCause(cause)
}

/** Distinguishes errors that redeemkit created from copies, proxies and look-alikes. */
export function markOurs(error: Error): void {
  ours.add(error)
}

const ours = new WeakSet<object>()

/**
 * The safe part of an error that is not redeemkit's.
 *
 * `name` is the error's name (`TypeError`, `UserRejectedRequestError`), `className` the name of its class (one letter if
 * minified), `code` its code or that of the nearest wrapped error (`ECONNREFUSED` of a failed `fetch`). `instanceof HttpRequestError` does
 * not work: use `error.walk((cause) => (cause as Error).name === 'HttpRequestError')`.
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
    // a stack that points to this constructor would be misleading
    Object.defineProperty(this, 'stack', { value: String(this) })
  }
}

/** Returns the class name, name and code of an error, each only if it cannot be a secret. `name` only if the value is an Error. */
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

/** Properties in which fetch, viem, ethers, WalletConnect and wallets put wrapped errors. */
const wrappers = ['cause', 'error', 'originalError', 'info', 'data', 'errors', '0']

/** Returns the text if it looks like a class name. Keys and tokens have more digits. */
function asName(name: unknown): string | undefined {
  return typeof name === 'string' && name.length <= 50 && /^(?!(?:.*\d){5})[A-Za-z]\w*$/.test(name)
    ? name
    : undefined
}

/** Accepts codes such as `-32000`, `ECONNREFUSED`, `ACTION_REJECTED` and `23505`. No secret is that short. */
function isCode(code: unknown): code is string | number {
  return typeof code === 'number'
    ? Number.isInteger(code) && Math.abs(code) < 1e6
    : typeof code === 'string' &&
        /^(?:-?\d{1,6}|[A-Z0-9]{5}|[A-Z][A-Z0-9]{0,15}(?:_[A-Z0-9]{1,16}){0,5})$/.test(code)
}
