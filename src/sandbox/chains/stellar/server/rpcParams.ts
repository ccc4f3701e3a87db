export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export type Params = Readonly<Record<string, unknown>>

/** @throws {@link RpcError} unless the parameter is a non-empty string */
export function textOf(params: Params, name: string): string {
  const value = params[name]
  if (typeof value !== 'string' || value === '')
    throw new RpcError(-32602, `The parameter ${name} must be a string.`)
  return value
}

/** Reports any error of the function as invalid parameters. */
export function guard<value>(run: () => value): value {
  try {
    return run()
  } catch (error) {
    throw new RpcError(-32602, error instanceof Error ? error.message : String(error))
  }
}
