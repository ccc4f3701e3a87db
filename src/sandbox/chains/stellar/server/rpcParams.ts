import { RpcError } from './rpcError.ts'

/** The parameters of a call. */
export type Params = Readonly<Record<string, unknown>>

/** @throws {@link RpcError} unless the parameter is text */
export function textOf(params: Params, name: string): string {
  const value = params[name]
  if (typeof value !== 'string' || value === '')
    throw new RpcError(-32602, `The parameter ${name} has to be text.`)
  return value
}

/**
 * Runs what the parameters may be to blame for.
 *
 * @throws {@link RpcError}
 */
export function guard<value>(run: () => value): value {
  try {
    return run()
  } catch (error) {
    throw new RpcError(-32602, error instanceof Error ? error.message : String(error))
  }
}
