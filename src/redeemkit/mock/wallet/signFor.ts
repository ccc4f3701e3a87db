import { type Hex, isHex, type LocalAccount } from 'viem'

/** Signs what a method asks for; `undefined` for a method that asks for no signature. */
export function signFor(
  method: string,
): ((account: LocalAccount, params: readonly unknown[]) => Promise<Hex>) | undefined {
  if (method === 'personal_sign')
    return (account, [message]) =>
      account.signMessage({ message: isHex(message) ? { raw: message } : String(message) })
  if (method === 'eth_signTypedData_v4')
    return (account, [, typedData]) => account.signTypedData(JSON.parse(String(typedData)))
  return undefined
}
