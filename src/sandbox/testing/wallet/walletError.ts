/** An error as wallets throw it: an `Error` with a code, and with data where there are some (EIP-1193). */
export function walletError(code: number | undefined, message: string, more: object = {}): Error {
  return Object.assign(new Error(message), code === undefined ? more : { code, ...more })
}
